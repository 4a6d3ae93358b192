"""Comments on information requests, evidence and controls, written in the name of the member (platform-api 4.13)."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone

from portal.connections.services import Urgency, client_for
from portal.engagements.errors import NotTheAuthor
from portal.engagements.models import EngagementControl, EngagementPart, EvidenceItem, InformationRequest, PartKind
from portal.engagements.services.store_details import drop_part, store_part
from portal.engagements.services.writes import about, auditor_of, check, ids_of, note
from portal.lib.storable import storable_text
from portal.platform_api import Platform
from portal.platform_api.errors import NotFound
from portal.platform_api.models import audits as remote
from portal.platform_writes.outcomes import verify_and_write, write_and_verify
from portal.sync.services.positions import find_listed
from portal.tenants.models import Membership
from portal.tenants.personal_data import fold

SAME_MOMENT = timedelta(seconds=1)
"""So exactly the platform has to keep the moment of a comment for a lost one to be found again."""


@dataclass(frozen=True)
class Family:
    """The comments on one kind of objects."""

    kind: PartKind
    calls: Callable[[Platform], Any]
    may_change: bool = True
    """Whether the platform lets an author change and delete them."""
    has_get: bool = True
    """Whether one can be fetched alone; a deleted one too."""


FAMILIES: dict[type[Any], Family] = {
    InformationRequest: Family(PartKind.REQUEST_COMMENT, lambda api: api.audits.information_requests.comments),
    EvidenceItem: Family(PartKind.EVIDENCE_COMMENT, lambda api: api.audits.evidence.comments, may_change=False),
    EngagementControl: Family(PartKind.CONTROL_COMMENT, lambda api: api.audits.controls.comments, has_get=False),
}


def add_comment(row: Any, text: str, *, written_at: datetime, member: Membership) -> None:
    """Comment on the platform. `written_at` is when the form was opened: sent again after a lost answer, it is found by that.

    Raises PermissionDenied, Gone, OutcomeUnknown, NotConnected or a PlatformError.
    """
    check(member)
    family, asked_at = FAMILIES[type(row)], timezone.now()
    calls, email = family.calls(client_for(Urgency.PERSON)), auditor_of(member)

    def is_it(each: remote.Comment) -> bool:
        at = each.creation_date
        is_then = at is not None and abs(at - written_at) < SAME_MOMENT
        return is_then and fold(each.email or "") == fold(email) and storable_text(each.text) == text

    def send() -> remote.Comment:
        found = verify_and_write(
            write=lambda: calls.create(*ids_of(row), text=text, email=email, creation_date=written_at),
            fetch=lambda: [each for each in calls.all(*ids_of(row)) if is_it(each)],
            is_done=bool,
            must_show=True,
        )
        comment: remote.Comment = found[0]
        return comment

    found = about(row, send)
    with transaction.atomic():
        store_part(row, family.kind, found, asked_at=asked_at)
        note(row, "comment", "Commented on", member=member, comment=found.id)


def change_comment(row: Any, part: EngagementPart, text: str, *, member: Membership) -> None:
    """Write one's own comment anew. Raises NotTheAuthor too."""
    family, calls, asked_at = _to_change(row, part, member)
    email = auditor_of(member)

    def send() -> remote.Comment:
        return write_and_verify(
            write=lambda: calls.update(*ids_of(row), part.platform_id, text=text, email=email),
            fetch=lambda: _find(family, calls, row, part.platform_id),
            is_done=lambda found: storable_text(found.text) == text,
            must_show=True,
        )

    found = about(row, send)
    with transaction.atomic():
        store_part(row, family.kind, found, asked_at=asked_at)
        note(row, "change_comment", "Changed a comment on", member=member, comment=found.id)


def delete_comment(row: Any, part: EngagementPart, *, member: Membership) -> None:
    """Delete one's own comment. On a request it can still be read as a deleted one. Raises NotTheAuthor too."""
    family, calls, asked_at = _to_change(row, part, member)

    def fetch() -> remote.Comment | None:
        try:
            return _find(family, calls, row, part.platform_id)
        except NotFound:
            return None

    def is_deleted(found: remote.Comment | None) -> bool:
        return found is None or found.deletion_date is not None

    def send() -> remote.Comment | None:
        return write_and_verify(
            write=lambda: calls.delete(*ids_of(row), part.platform_id, email=auditor_of(member)),
            fetch=fetch,
            is_done=is_deleted,
            must_show=True,
        )

    found = about(row, send)
    with transaction.atomic():
        if found is None:
            drop_part(row, family.kind, part.platform_id)
        else:
            store_part(row, family.kind, found, asked_at=asked_at)
        note(row, "delete_comment", "Deleted a comment on", member=member, comment=part.platform_id)


def is_ones_own(payload: dict[str, Any], member: Membership) -> bool:
    """Say whether a comment was written in the name of a member."""
    author = payload.get("email")
    return isinstance(author, str) and fold(author) == fold(auditor_of(member))


def _to_change(row: Any, part: EngagementPart, member: Membership) -> tuple[Family, Any, datetime]:
    check(member)
    family = FAMILIES[type(row)]
    if not family.may_change or not is_ones_own(part.payload, member):
        raise NotTheAuthor
    return family, family.calls(client_for(Urgency.PERSON)), timezone.now()


def _find(family: Family, calls: Any, row: Any, comment_id: str) -> remote.Comment:
    """Look one comment up. Raises NotFound."""
    listed: Iterable[remote.Comment] = () if family.has_get else calls.all(*ids_of(row))
    found: remote.Comment = calls.get(*ids_of(row), comment_id) if family.has_get else find_listed(listed, comment_id)
    return found
