"""What an auditor sees of the audited organization (specification 2.5, platform-api 4.13)."""

from typing import Any

from portal.platform_api.models.remote import Listed, Moment, Remote


class FrameworkCode(Remote):
    """A code that controls and requests of an audit may be tied to."""

    id: str | None = None
    code: str | None = None
    framework: str | None = None


class AuditIntegration(Listed):
    """A system of the organization that is connected for the audit."""

    display_name: str = ""
    tags: list[str] = []
    categories: list[str] = []
    is_connected: bool | None = None


class OrganizationInformation(Remote):
    """What the organization says of itself."""

    id: str | None = None
    name: str | None = None
    display_name: str | None = None
    website_url: str | None = None
    description: str | None = None


class OrganizationNotifications(Remote):
    """How the organization is notified."""

    id: str | None = None
    is_email_enabled: bool | None = None
    is_chat_enabled: bool | None = None
    recipients: list[str] = []
    updated_date: Moment | None = None


class IssueItem(Listed):
    """An issue as it was when the snapshot was taken."""

    snapshot_id: str | None = None
    title: str | None = None
    description: str | None = None
    status: str | None = None
    severity: str | None = None
    created_at: Moment | None = None
    last_modified_at: Moment | None = None
    detected_at: Moment | None = None
    approval_progress: dict[str, Any] | None = None


class Snapshot(Listed):
    """The issues or risks of one moment; its status may be PENDING_REVIEW."""

    name: str | None = None
    status: str | None = None
    creation_date: Moment | None = None


class SnapshotRisk(Listed):
    """A risk as it was when the snapshot was taken."""

    risk_id: str | None = None
    description: str | None = None
    likelihood: Any = None
    impact: Any = None
    treatment: str | None = None


class CodeChange(Listed):
    """A change of code with its review."""

    title: str | None = None
    identifier: str | None = None
    repository: str | None = None
    source: str | None = None
    opened_date: Moment | None = None
    closed_date: Moment | None = None


class AuditPerson(Listed):
    """Somebody who works for the organization."""

    name: str | None = None
    email: str | None = None
    status: str | None = None
    job_title: str | None = None
    group_ids: list[str] = []
    start_date: Moment | None = None


class AuditGroup(Listed):
    """A group of its people."""

    name: str | None = None
    personnel_count: int | None = None


class Computer(Listed):
    """A computer of one of its people."""

    name: str | None = None
    serial_number: str | None = None
    status: str | None = None
    owner: str | None = None
    last_check_date: Moment | None = None


class AccountService(Listed):
    """A service in which its people have accounts."""

    name: str | None = None
    status: str | None = None
    account_count: int | None = None


class AuditVendor(Listed):
    """A vendor of the organization."""

    name: str | None = None
    status: str | None = None
    inherent_risk_level: str | None = None
    category: str | None = None
    last_review_date: Moment | None = None


class Vulnerability(Listed):
    """A weakness of an asset."""

    name: str | None = None
    severity: str | None = None
    asset_id: str | None = None
    first_detected_date: Moment | None = None
    remediate_by_date: Moment | None = None


class Remediation(Listed):
    """How a weakness was removed."""

    vulnerability_id: str | None = None
    severity: str | None = None
    detected_date: Moment | None = None
    remediation_date: Moment | None = None


class VulnerableAsset(Listed):
    """Something that can have a weakness."""

    name: str | None = None
    asset_type: str | None = None
