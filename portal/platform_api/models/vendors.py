"""Vendors and their parts (specification 2.5, platform-api 4.7)."""

from typing import Any

from pydantic import Field

from portal.platform_api.models.remote import Listed, Moment, Remote


class Decision(Remote):
    """APPROVED, CONDITIONALLY_APPROVED or NOT_APPROVED."""

    status: str
    last_updated_at: Moment | None = None
    comments: str | None = None


class Vendor(Listed):
    """A vendor of the tenant."""

    name: str
    status: str = ""
    category: dict[str, Any] | None = None
    website_url: str | None = None
    account_manager_name: str | None = None
    account_manager_email: str | None = None
    services_provided: str | None = None
    additional_notes: str | None = None
    security_owner_user_id: str | None = None
    business_owner_user_id: str | None = None
    contract_start_date: Moment | None = None
    contract_renewal_date: Moment | None = None
    contract_termination_date: Moment | None = None
    contract_amount: dict[str, Any] | None = None
    next_security_review_due_date: Moment | None = None
    last_security_review_completion_date: Moment | None = None
    is_visible_to_auditors: bool | None = None
    is_risk_auto_scored: bool | None = None
    risk_attribute_ids: list[str] = Field(default_factory=list)
    inherent_risk_level: str | None = None
    residual_risk_level: str | None = None
    vendor_headquarters: str | None = None
    auth_details: dict[str, Any] | None = None
    custom_fields: list[dict[str, Any]] | None = None
    latest_decision: Decision | None = None
    linked_task_tracker_task_procurement_request: dict[str, Any] | None = None


class VendorDocument(Listed):
    """A document of a vendor or of one of its security reviews; a deletion date says that it is gone."""

    title: str = ""
    file_name: str | None = None
    type: str = ""
    description: str | None = None
    mime_type: str = ""
    uploaded_by: dict[str, Any] | None = None
    creation_date: Moment | None = None
    updated_date: Moment | None = None
    deletion_date: Moment | None = None
    url: str | None = None


class Remediation(Remote):
    """What is to be done about a finding: OPEN or CLOSED."""

    state: str
    requirement_notes: str | None = None


class Finding(Listed):
    """Something found about a vendor; its risk is accepted, remediated, or not judged."""

    vendor_id: str = ""
    content: str
    risk_status: str = ""
    security_review_id: str | None = None
    document_id: str | None = None
    remediation: Remediation | None = None


class ReviewOwner(Listed):
    """Who looks after a review or an assessment: a USER with an e-mail address, or a TEAM without one."""

    type: str = ""
    display_name: str | None = None
    email: str | None = None


class AssessmentType(Listed):
    """A type of assessments; without a status where it is only named by one of them."""

    name: str = ""
    description: str | None = None
    status: str | None = None


class SecurityReview(Listed):
    """A security review of a vendor; nobody owns it while `owner` is None."""

    vendor_id: str = ""
    decision_notes: str | None = None
    comments: str | None = None
    completed_by_user_id: str | None = None
    start_date: Moment | None = None
    due_date: Moment | None = None
    override_due_date: Moment | None = None
    completion_date: Moment | None = None
    decision: Decision | None = None
    assessment_type: AssessmentType | None = None
    owner: ReviewOwner | None = None


class Assessment(Listed):
    """An assessment of a vendor: NOT_STARTED, IN_PROGRESS or COMPLETED."""

    vendor_id: str = ""
    status: str
    completed_by_user_id: str | None = None
    start_date: Moment | None = None
    due_date: Moment | None = None
    override_due_date: Moment | None = None
    completion_date: Moment | None = None
    created_date: Moment | None = None
    decision: Decision | None = None
    assessment_type: AssessmentType | None = None
    owner: ReviewOwner | None = None


class RiskAttribute(Listed):
    """Something true of some vendors that says how risky they are."""

    name: str = ""
    description: str | None = None
    vendor_categories: list[str] = Field(default_factory=list)
    enabled: bool | None = None
    risk_level: str | None = None


class DiscoveredVendor(Listed):
    """A vendor that was found in use; what was decided about it, if anything, is in the last two fields."""

    name: str = ""
    normalized_name: str = ""
    category: dict[str, Any] | None = None
    source: str | None = None
    discovered_date: Moment | None = None
    number_of_accounts: int | None = None
    ignored: dict[str, Any] | None = None
    rejected: dict[str, Any] | None = None


class DiscoveredAccount(Listed):
    """An account at a discovered vendor: of a USER with an address, or of a COMPUTER with an owner."""

    type: str | None = None
    display_name: str | None = None
    email: str | None = None
    owner: dict[str, Any] | None = None
