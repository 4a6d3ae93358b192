"""Audits, their controls, evidence, information requests and comments (specification 2.5, platform-api 4.13)."""

from typing import Annotated, Any

from pydantic import BeforeValidator

from portal.platform_api.models.remote import Listed, Moment, Remote


def in_upper_case(value: object) -> object:
    """Spell a status of evidence as events do: answers may say it in words (platform-api 7.18)."""
    return "_".join(value.upper().split()) if isinstance(value, str) else value


EvidenceStatus = Annotated[str, BeforeValidator(in_upper_case)]


class Segment(Remote):
    """A part of an audit: a programme or a system under one framework."""

    id: str
    kind: str | None = None
    display_name: str = ""
    framework: dict[str, Any] | None = None
    business_unit: Any = None
    system: Any = None
    soc2_deliverable: dict[str, Any] | None = None


class Audit(Listed):
    """An engagement with one customer."""

    customer_organization_name: str = ""
    customer_display_name: str | None = None
    customer_organization_id: str | None = None
    audit_start_date: Moment | None = None
    audit_end_date: Moment | None = None
    early_access_starts_at: Moment | None = None
    framework: str | None = None
    display_name: str = ""
    allow_auditor_emails: list[str] = []
    allow_all_auditors: bool | None = None
    deletion_date: Moment | None = None
    creation_date: Moment | None = None
    modification_date: Moment | None = None
    completion_date: Moment | None = None
    audit_focus: str | None = None
    segments: list[Segment] = []
    auditor_request_list_metadata: dict[str, Any] | None = None
    """There only where the audit is run by information requests."""

    @property
    def is_shared(self) -> bool:
        """The customer sees the information requests; until then they are drafts."""
        return bool((self.auditor_request_list_metadata or {}).get("requestsSharedWithCustomer"))


class Auditor(Listed):
    """A person of the auditor firm."""

    organization_id: str | None = None
    email: str = ""
    given_name: str | None = None
    family_name: str | None = None


class Comment(Listed):
    """A comment on evidence, a control or an information request; a deleted one has a deletion date."""

    text: str = ""
    email: str | None = None
    author_name: str | None = None
    audit_evidence_id: str | None = None
    control_id: str | None = None
    information_request_id: str | None = None
    creation_date: Moment | None = None
    modification_date: Moment | None = None
    deletion_date: Moment | None = None


class Assessment(Remote):
    """What an auditor holds of a control in one segment."""

    segment_id: str | None = None
    assessment_state: str | None = None
    justification: str | None = None


class AuditControl(Listed):
    """A control in the scope of an audit; one that was just added does not tell the last four."""

    name: str = ""
    external_id: str | None = None
    description: str | None = None
    source: str | None = None
    domains: list[str] = []
    owner: dict[str, Any] | None = None
    role: str | None = None
    custom_fields: list[dict[str, Any]] = []
    creation_date: Moment | None = None
    modification_date: Moment | None = None
    framework: str | None = None
    sections: list[dict[str, Any]] = []
    in_scope_segment_ids: list[str] = []
    assessments: list[Assessment] = []


class AuditEvidence(Listed):
    """A piece of evidence. Its status is spelled as in events, whatever the platform sent."""

    external_id: str | None = None
    status: EvidenceStatus
    name: str = ""
    description: str | None = None
    evidence_type: str | None = None
    evidence_id: str | None = None
    test_status: str | None = None
    related_controls: list[dict[str, Any]] = []
    creation_date: Moment | None = None
    status_updated_date: Moment | None = None
    deletion_date: Moment | None = None


class CustomEvidenceRequest(Listed):
    """A request for evidence that the audit does not have; the evidence itself names it in `evidence_id`."""

    control_ids: list[str] = []
    title: str = ""
    description: str = ""
    cadence: str | None = None
    reminder_window: str | None = None
    is_restricted: bool | None = None


class EvidenceUrl(Listed):
    """The address of a file; it is signed, so neither kept nor shown."""

    url: str
    filename: str | None = None
    is_downloadable: bool | None = None


class InformationRequest(Listed):
    """Something that an auditor asks of the customer."""

    unique_id: str | None = None
    title: str = ""
    description: str | None = None
    request_type: str | None = None
    approval_status: str
    cadence: str | None = None
    due_date: Moment | None = None
    evidence_capture_date: Moment | None = None
    request_id: str | None = None
    additional_control_ids: list[str] = []
    segment_ids: list[str] = []
    framework_codes: list[Any] = []
    owner_assignment: dict[str, Any] | None = None
    creation_date: Moment | None = None
    modification_date: Moment | None = None
    deletion_date: Moment | None = None


class RequestEvidence(Listed):
    """A piece of evidence for an information request; a deleted one has a deletion date."""

    evidence_type: str | None = None
    name: str | None = None
    description: str | None = None
    url: str | None = None
    creation_date: Moment | None = None
    modification_date: Moment | None = None
    deletion_date: Moment | None = None


class TestSnapshot(Remote):
    """The details of a test as it was when evidence was taken."""

    __test__ = False  # it is none of pytest's

    id: str | None = None
    test_name: str | None = None
    status: str | None = None
    captured_date: Moment | None = None
    api_requests: list[dict[str, Any]] = []
    out_of_scope_resources: list[dict[str, Any]] = []


class RequestActivity(Listed):
    """One entry of a request's history. The sources are named where the audit is a duplicate."""

    type: str | None = None
    email: str | None = None
    old_status: str | None = None
    new_status: str | None = None
    reason: str | None = None
    source_information_request_id: str | None = None
    source_audit_id: str | None = None
    creation_date: Moment | None = None
