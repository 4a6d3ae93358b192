"""What an event states. Ids and a status, and what no endpoint tells: the rest is fetched."""

from dataclasses import dataclass
from datetime import datetime
from typing import Final

PLACEHOLDER: Final = "123"
"""The id in the example messages of the platform's dashboard; no object has it (platform-api 3.1, U25)."""


@dataclass(frozen=True, kw_only=True)
class Event:
    """Something happened on the platform. `type` is its name, None when only its shape is known."""

    type: str | None = None


@dataclass(frozen=True, kw_only=True)
class QuestionnaireChanged(Event):
    """Created or deleted; the two look alike, fetching tells them apart."""

    questionnaire_id: str


@dataclass(frozen=True, kw_only=True)
class QuestionnaireStatusChanged(QuestionnaireChanged):
    """The status is stated with the event; it may be one that nobody knows yet."""

    status: str


@dataclass(frozen=True, kw_only=True)
class ExportCompleted(QuestionnaireChanged):
    """An export can be fetched. Format and time tell it from others that were asked for."""

    export_id: str
    format: str = ""
    requested_at: datetime | None = None


@dataclass(frozen=True, kw_only=True)
class ExportFailed(QuestionnaireChanged):
    """An export failed, with the platform's reason."""

    export_id: str
    reason: str
    format: str = ""
    requested_at: datetime | None = None


@dataclass(frozen=True, kw_only=True)
class AccessRequestChanged(Event):
    """Received or denied; the two look alike."""

    slug_id: str
    access_request_id: str


@dataclass(frozen=True, kw_only=True)
class AccessRequestApproved(AccessRequestChanged):
    """Approved, with the viewer that came of it."""

    viewer_id: str


@dataclass(frozen=True, kw_only=True)
class VendorDecisionCreated(Event):
    """A decision on a vendor. No endpoint tells its comments."""

    vendor_id: str
    status: str
    decided_at: datetime | None = None
    comments: str = ""


@dataclass(frozen=True, kw_only=True)
class AuditEvent(Event):
    """An event of the auditor domains: information requests, evidence, audit controls and their comments."""

    family: str
    audit_id: str
    object_id: str
    child_id: str = ""
    new_status: str = ""


@dataclass(frozen=True, kw_only=True)
class Unrecognised(Event):
    """Nothing that we know. Kept and shown, never an error."""
