"""The receiving side of events: is this delivery the platform's, and what does it say (specification section 6)."""

from portal.platform_api.webhooks.events import (
    PLACEHOLDER,
    AccessRequestApproved,
    AccessRequestChanged,
    AuditEvent,
    Event,
    ExportCompleted,
    ExportFailed,
    QuestionnaireChanged,
    QuestionnaireStatusChanged,
    Unrecognised,
    VendorDecisionCreated,
)
from portal.platform_api.webhooks.parsing import EVENT_TYPES, parse
from portal.platform_api.webhooks.signature import (
    MAX_HOOK_ID_LENGTH,
    InvalidSignature,
    Verified,
    is_signing_secret,
    verify,
)

__all__ = [
    "EVENT_TYPES",
    "MAX_HOOK_ID_LENGTH",
    "PLACEHOLDER",
    "AccessRequestApproved",
    "AccessRequestChanged",
    "AuditEvent",
    "Event",
    "ExportCompleted",
    "ExportFailed",
    "InvalidSignature",
    "QuestionnaireChanged",
    "QuestionnaireStatusChanged",
    "Unrecognised",
    "VendorDecisionCreated",
    "Verified",
    "is_signing_secret",
    "parse",
    "verify",
]
