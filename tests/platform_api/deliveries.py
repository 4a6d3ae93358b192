"""The body of every event that is documented (platform-api 3.4), and what it states."""

from datetime import UTC, datetime
from typing import Any

from portal.platform_api.webhooks import Event, events

AT = "2026-01-04T12:00:00.000Z"
QUESTIONNAIRE = {"questionnaire": {"id": "65a0"}}
EXPORT = {"id": "65e0", "format": "csv", "requestedAt": AT}
REQUESTED = {"format": "csv", "requested_at": datetime(2026, 1, 4, 12, tzinfo=UTC)}
REQUEST = {"trustCenter": {"slugId": "abc123"}, "accessRequest": {"id": "65b0"}}
INFORMATION = {"informationRequest": {"id": "65c0", "auditId": "65d0"}}
EVIDENCE = {"evidence": {"id": "65e1", "auditId": "65d0"}}
CONTROL = {"control": {"id": "65e2", "auditId": "65d0"}}
STATUSES = {"oldStatus": "NEEDS_EVIDENCE", "newStatus": "READY_FOR_AUDIT"}


def audit(family: str, object_id: str, **facts: str) -> dict[str, Any]:
    return {"family": family, "audit_id": "65d0", "object_id": object_id, **facts}


BODIES: dict[str, tuple[dict[str, Any], type[Event], dict[str, Any]]] = {
    "v1.questionnaire.created": (QUESTIONNAIRE, events.QuestionnaireChanged, {"questionnaire_id": "65a0"}),
    "v1.questionnaire.deleted": (QUESTIONNAIRE, events.QuestionnaireChanged, {"questionnaire_id": "65a0"}),
    "v1.questionnaire.status-changed": (
        {"questionnaire": {"id": "65a0", "status": "IN_REVIEW"}},
        events.QuestionnaireStatusChanged,
        {"questionnaire_id": "65a0", "status": "IN_REVIEW"},
    ),
    "v1.questionnaire.export-completed": (
        QUESTIONNAIRE | {"export": EXPORT | {"completedAt": AT}},
        events.ExportCompleted,
        {"questionnaire_id": "65a0", "export_id": "65e0", **REQUESTED},
    ),
    "v1.questionnaire.export-failed": (
        QUESTIONNAIRE | {"export": EXPORT | {"failedAt": AT, "reason": "Nothing to export"}},
        events.ExportFailed,
        {"questionnaire_id": "65a0", "export_id": "65e0", "reason": "Nothing to export", **REQUESTED},
    ),
    "v1.trust-center.access-request.received": (
        REQUEST,
        events.AccessRequestChanged,
        {"slug_id": "abc123", "access_request_id": "65b0"},
    ),
    "v1.trust-center.access-request.denied": (
        REQUEST,
        events.AccessRequestChanged,
        {"slug_id": "abc123", "access_request_id": "65b0"},
    ),
    "v1.trust-center.access-request.approved": (
        REQUEST | {"viewer": {"id": "65d1"}},
        events.AccessRequestApproved,
        {"slug_id": "abc123", "access_request_id": "65b0", "viewer_id": "65d1"},
    ),
    "v1.vendor.decision.created": (
        {"vendor": {"id": "65f0", "decision": {"status": "APPROVED", "lastUpdatedAt": AT, "comments": "Reviewed."}}},
        events.VendorDecisionCreated,
        {
            "vendor_id": "65f0",
            "status": "APPROVED",
            "decided_at": datetime(2026, 1, 4, 12, tzinfo=UTC),
            "comments": "Reviewed.",
        },
    ),
    "v1.information-request.status-changed": (
        {"informationRequest": INFORMATION["informationRequest"] | STATUSES},
        events.AuditEvent,
        audit("information-request", "65c0", new_status="READY_FOR_AUDIT"),
    ),
    **{
        f"v1.information-request.comment.{verb}": (
            INFORMATION | {"comment": {"id": "65c1"}},
            events.AuditEvent,
            audit("information-request.comment", "65c0", child_id="65c1"),
        )
        for verb in ("created", "updated", "deleted")
    },
    **{
        f"v1.information-request.evidence.{verb}": (
            INFORMATION | {"evidence": {"id": "65e1"}},
            events.AuditEvent,
            audit("information-request.evidence", "65c0", child_id="65e1"),
        )
        for verb in ("created", "deleted")
    },
    "v1.evidence.status-changed": (
        {"evidence": EVIDENCE["evidence"] | STATUSES},
        events.AuditEvent,
        audit("evidence", "65e1", new_status="READY_FOR_AUDIT"),
    ),
    **{f"v1.evidence.{verb}": (EVIDENCE, events.AuditEvent, audit("evidence", "65e1")) for verb in ("created", "deleted")},
    **{
        f"v1.evidence.comment.{verb}": (
            EVIDENCE | {"comment": {"id": "65c1"}},
            events.AuditEvent,
            audit("evidence.comment", "65e1", child_id="65c1"),
        )
        for verb in ("created", "updated", "deleted")
    },
    **{
        f"v1.control.comment.{verb}": (
            CONTROL | {"comment": {"id": "65c1"}},
            events.AuditEvent,
            audit("control.comment", "65e2", child_id="65c1"),
        )
        for verb in ("created", "updated", "deleted")
    },
}
