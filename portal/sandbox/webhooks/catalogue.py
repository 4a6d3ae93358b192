"""Every event type and its placeholder payload, as the dashboard's "send example" sends it (specification 6.2)."""

from portal.sandbox.store import Json

AT = "2026-01-01T00:00:00.000Z"
QUESTIONNAIRE = {"id": "123"}
EXPORT = {"id": "123", "format": "original", "requestedAt": AT}
TRUST_CENTER_REQUEST = {"trustCenter": {"slugId": "123"}, "accessRequest": {"id": "123"}}
INFORMATION_REQUEST = {"id": "123", "auditId": "123"}
STATUSES = {"oldStatus": "NEEDS_EVIDENCE", "newStatus": "READY_FOR_AUDIT"}
EVIDENCE = {"id": "123", "auditId": "123"}
EVIDENCE_STATUSES = {"oldStatus": "NOT_READY_FOR_AUDIT", "newStatus": "READY_FOR_AUDIT"}
REQUEST_COMMENT = {"informationRequest": INFORMATION_REQUEST, "comment": {"id": "123"}}
REQUEST_EVIDENCE = {"informationRequest": INFORMATION_REQUEST, "evidence": {"id": "123"}}
DECISION = {"status": "APPROVED", "lastUpdatedAt": AT, "comments": "An example."}

EXAMPLES: dict[str, Json] = {
    "v1.questionnaire.created": {"questionnaire": QUESTIONNAIRE},
    "v1.questionnaire.deleted": {"questionnaire": QUESTIONNAIRE},
    "v1.questionnaire.status-changed": {"questionnaire": QUESTIONNAIRE | {"status": "IN_PROGRESS"}},
    "v1.questionnaire.export-completed": {"questionnaire": QUESTIONNAIRE, "export": EXPORT | {"completedAt": AT}},
    "v1.questionnaire.export-failed": {
        "questionnaire": QUESTIONNAIRE,
        "export": EXPORT | {"failedAt": AT, "reason": "Nothing to export"},
    },
    "v1.trust-center.access-request.received": TRUST_CENTER_REQUEST,
    "v1.trust-center.access-request.denied": TRUST_CENTER_REQUEST,
    "v1.trust-center.access-request.approved": TRUST_CENTER_REQUEST | {"viewer": {"id": "123"}},
    "v1.vendor.decision.created": {"vendor": {"id": "123", "decision": DECISION}},
    "v1.information-request.status-changed": {"informationRequest": INFORMATION_REQUEST | STATUSES},
    "v1.information-request.comment.created": REQUEST_COMMENT,
    "v1.information-request.comment.updated": REQUEST_COMMENT,
    "v1.information-request.comment.deleted": REQUEST_COMMENT,
    "v1.information-request.evidence.created": REQUEST_EVIDENCE,
    "v1.information-request.evidence.deleted": REQUEST_EVIDENCE,
    "v1.evidence.status-changed": {"evidence": EVIDENCE | EVIDENCE_STATUSES},
    "v1.evidence.created": {"evidence": EVIDENCE},
    "v1.evidence.deleted": {"evidence": EVIDENCE},
}
"""The events of the specification."""
COMMENT = {"comment": {"id": "123"}}
EXAMPLES |= {
    f"v1.{family}.comment.{change}": {family: {"id": "123", "auditId": "123"}} | COMMENT
    for family in ("control", "evidence")
    for change in ("created", "updated", "deleted")
}
"""Two families that the specification names without their payloads (platform-api 3.4)."""
EVENT_TYPES = tuple(EXAMPLES)
