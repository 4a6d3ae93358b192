"""From the raw body to an event: its type is in the address, in an envelope, or only in the shape (platform-api 3.3)."""

import json
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final

from portal.platform_api.identifiers import is_identifier
from portal.platform_api.webhooks import events
from portal.platform_api.webhooks.events import Event, Unrecognised

MAX_WORD_LENGTH: Final = 200
"""Of a type, a status or a format."""
MAX_REASON_LENGTH: Final = 500
MAX_COMMENTS_LENGTH: Final = 20_000
"""Of what a person wrote: no endpoint tells it, so that what is cut off here is lost."""
MAX_WRAPPINGS: Final = 3

QUESTIONNAIRE: Final = "v1.questionnaire."
ACCESS_REQUEST: Final = "v1.trust-center.access-request."
AUDIT_FAMILIES: Final = {"informationRequest": "information-request", "evidence": "evidence", "control": "control"}

EVENT_TYPES: Final = (
    f"{QUESTIONNAIRE}created",
    f"{QUESTIONNAIRE}deleted",
    f"{QUESTIONNAIRE}status-changed",
    f"{QUESTIONNAIRE}export-completed",
    f"{QUESTIONNAIRE}export-failed",
    f"{ACCESS_REQUEST}received",
    f"{ACCESS_REQUEST}denied",
    f"{ACCESS_REQUEST}approved",
    "v1.vendor.decision.created",
    "v1.information-request.status-changed",
    "v1.information-request.comment.created",
    "v1.information-request.comment.updated",
    "v1.information-request.comment.deleted",
    "v1.information-request.evidence.created",
    "v1.information-request.evidence.deleted",
    "v1.evidence.status-changed",
    "v1.evidence.created",
    "v1.evidence.deleted",
)
"""All events of specification 6.2. The comment families of platform-api 3.4 are recognised as well."""


def parse(body: bytes, *, event_type: str | None = None) -> Event:
    """Read one delivery. Whatever the bytes are, the answer is an event; Unrecognised when nothing fits."""
    try:
        payload = json.loads(body.decode("utf-8"))
    except (ValueError, RecursionError):
        return Unrecognised(type=event_type)
    enveloped, payload = _unwrap(payload)
    kind = event_type or enveloped
    if isinstance(payload, dict):
        for reader in READERS:
            event = reader(payload, kind)
            if event is not None:
                return event
    return Unrecognised(type=kind)


def _unwrap(payload: Any) -> tuple[str | None, Any]:
    """Take a payload out of an envelope, should there be one (specification 6.1.8)."""
    kind = None
    for _ in range(MAX_WRAPPINGS):
        if not isinstance(payload, dict):
            break
        named = _text(payload, "type") or _text(payload, "eventType")
        inner = payload.get("data", payload.get("payload"))
        if not named or not isinstance(inner, dict):
            break
        kind, payload = named, inner
    return kind, payload


def _at(payload: Any, keys: Sequence[str]) -> Any:
    for key in keys:
        payload = payload.get(key) if isinstance(payload, dict) else None
    return payload


def _id(payload: Any, *keys: str) -> str:
    """Follow keys to an id; empty when it is not there or can be none (guarantee S5)."""
    found = _at(payload, keys)
    return found if is_identifier(found) else ""


def _text(payload: Any, *keys: str) -> str:
    """Follow keys to a short text such as a status; empty when it is not there or cannot be stored."""
    found = _at(payload, keys)
    return found if isinstance(found, str) and len(found) <= MAX_WORD_LENGTH and found.isprintable() else ""


def _words(value: Any, *, longest: int = MAX_REASON_LENGTH) -> str:
    """Read a text meant for people; what cannot be stored in it becomes a space."""
    if not isinstance(value, str):
        return ""
    return "".join(character if character.isprintable() else " " for character in value[:longest]).strip()


def _moment(value: Any) -> datetime | None:
    """Read a time, without a zone as UTC (platform-api 1.2); None when it is none, or lies where no zone can show it."""
    try:
        found = datetime.fromisoformat(value)
    except (TypeError, ValueError):
        return None
    return (found if found.tzinfo else found.replace(tzinfo=UTC)) if 1970 < found.year < 9000 else None


def _questionnaire(payload: Mapping[str, Any], kind: str | None) -> Event | None:
    questionnaire_id = _id(payload, "questionnaire", "id")
    if not questionnaire_id:
        return None
    export = payload.get("export")
    export_id = _id(export, "id")
    if isinstance(export, dict) and export_id:
        return _export(export, kind, questionnaire_id=questionnaire_id, export_id=export_id)
    status = _text(payload, "questionnaire", "status")
    if status:
        kind = kind or f"{QUESTIONNAIRE}status-changed"
        return events.QuestionnaireStatusChanged(type=kind, questionnaire_id=questionnaire_id, status=status)
    return events.QuestionnaireChanged(type=kind, questionnaire_id=questionnaire_id)


def _export(export: Mapping[str, Any], kind: str | None, *, questionnaire_id: str, export_id: str) -> Event:
    """Completed or failed. The signed body decides; where it leaves that open, the type does."""
    which: dict[str, Any] = {
        "questionnaire_id": questionnaire_id,
        "export_id": export_id,
        "format": _text(export, "format"),
        "requested_at": _moment(export.get("requestedAt")),
    }
    failed = f"{QUESTIONNAIRE}export-failed"
    if "failedAt" in export or (kind == failed and "completedAt" not in export):
        return events.ExportFailed(type=kind or failed, reason=_words(export.get("reason")), **which)
    return events.ExportCompleted(type=kind or f"{QUESTIONNAIRE}export-completed", **which)


def _access_request(payload: Mapping[str, Any], kind: str | None) -> Event | None:
    slug_id = _id(payload, "trustCenter", "slugId")
    access_request_id = _id(payload, "accessRequest", "id")
    if not slug_id or not access_request_id:
        return None
    viewer_id = _id(payload, "viewer", "id")
    if viewer_id:
        kind = kind or f"{ACCESS_REQUEST}approved"
        return events.AccessRequestApproved(
            type=kind, slug_id=slug_id, access_request_id=access_request_id, viewer_id=viewer_id
        )
    return events.AccessRequestChanged(type=kind, slug_id=slug_id, access_request_id=access_request_id)


def _vendor(payload: Mapping[str, Any], kind: str | None) -> Event | None:
    vendor_id, status = _id(payload, "vendor", "id"), _text(payload, "vendor", "decision", "status")
    if not vendor_id or not status:
        return None
    return events.VendorDecisionCreated(
        type=kind or "v1.vendor.decision.created",
        vendor_id=vendor_id,
        status=status,
        decided_at=_moment(_at(payload, ("vendor", "decision", "lastUpdatedAt"))),
        comments=_words(_at(payload, ("vendor", "decision", "comments")), longest=MAX_COMMENTS_LENGTH),
    )


def _audit(payload: Mapping[str, Any], kind: str | None) -> Event | None:
    for key, family in AUDIT_FAMILIES.items():
        audit_id, object_id = _id(payload, key, "auditId"), _id(payload, key, "id")
        if not audit_id or not object_id:
            continue
        new_status = _text(payload, key, "newStatus")
        child = "comment" if "comment" in payload else "evidence" if key != "evidence" and "evidence" in payload else ""
        return events.AuditEvent(
            type=kind or (f"v1.{family}.status-changed" if new_status else None),
            family=f"{family}.{child}" if child else family,
            audit_id=audit_id,
            object_id=object_id,
            child_id=_id(payload, child, "id") if child else "",
            new_status=new_status,
        )
    return None


READERS: Final[tuple[Callable[[Mapping[str, Any], str | None], Event | None], ...]] = (
    _questionnaire,
    _access_request,
    _vendor,
    _audit,
)
