"""What an auditor sees of the audited organization (specification 2.5, platform-api 4.13)."""

from typing import Any

from portal.platform_api.models.remote import Listed, Moment, Remote


class FrameworkCode(Remote):
    """A code that controls and requests of an audit may be tied to."""

    id: str | None = None
    code: str | None = None
    framework: str | None = None


class AuditIntegration(Listed):
    """A system of the organization that is connected for the audit. Tags and categories are words here."""

    name: str = ""
    tags: list[str] = []
    categories: list[str] = []


class OrganizationInformation(Remote):
    """What the organization says of itself."""

    id: str | None = None
    display_name: str | None = None
    legal_name: str | None = None
    incorporation: str | None = None
    url: str | None = None
    mailing_address: str | None = None
    telephone: str | None = None
    company_logo: dict[str, Any] | None = None


class OrganizationNotifications(Remote):
    """How the organization is notified."""

    id: str | None = None
    preferred_time_zone: str | None = None
    employee_digest_frequency: str | None = None
    subscribed_channel_types: list[str] = []
    external_notifications: list[dict[str, Any]] = []


class IssueItem(Listed):
    """An issue as it was when the snapshot was taken."""

    readable_issue_id: str | None = None
    issue_id: str | None = None
    snapshot_id: str | None = None
    title: str | None = None
    description: str | None = None
    due_date: Moment | None = None
    status: str | None = None
    created_at: Moment | None = None
    last_modified_at: Moment | None = None
    detected_at: Moment | None = None
    approval_progress: dict[str, Any] | None = None


class Snapshot(Listed):
    """The issues or risks of one moment; only one of issues has a title."""

    title: str | None = None
    description: str | None = None
    created_at: Moment | None = None


class SnapshotRisk(Listed):
    """A risk as it was when the snapshot was taken."""

    risk_id: str | None = None
    risk_scenario: str | None = None
    likelihood: float | None = None
    impact: float | None = None
    inherent_risk: float | None = None
    residual_risk: float | None = None
    treatment: str | None = None
    treatment_status: str | None = None
    review_status: str | None = None
    owner: dict[str, Any] | None = None
    categories: list[str] = []
    cia_categories: list[str] = []
    linked_control_ids: list[str] = []
    identified: Moment | None = None


class CodeChange(Listed):
    """A change of code with its review."""

    title: str | None = None
    identifier: str | None = None
    repository: str | None = None
    source: str | None = None
    opened_date: Moment | None = None
    closed_date: Moment | None = None


class AuditPerson(Listed):
    """Somebody who works for the organization. The days of the employment are days alone; each task has a status of its own."""

    name: str | None = None
    email: str | None = None
    job_title: str | None = None
    employment_status: str | None = None
    start_date: str | None = None
    end_date: str | None = None
    groups: list[dict[str, Any]] = []
    source: dict[str, Any] | None = None
    task_status: dict[str, Any] | None = None
    last_reminded: Moment | None = None
    policies: dict[str, Any] | None = None
    trainings: dict[str, Any] | None = None
    background_checks: dict[str, Any] | None = None
    device_monitoring: dict[str, Any] | None = None
    custom_onboarding: dict[str, Any] | None = None
    custom_offboarding: dict[str, Any] | None = None


class AuditGroup(Listed):
    """A group of its people; whom to ask about it is a name."""

    name: str | None = None
    members: int | None = None
    source: str | None = None
    tasks: list[dict[str, Any]] = []
    tasks_last_updated: Moment | None = None
    point_of_contact: str | None = None


class Computer(Listed):
    """A computer of one of its people, and what is checked on it."""

    device_name: str | None = None
    os_platform: str | None = None
    os_version: str | None = None
    owner: dict[str, Any] | None = None
    monitored_by: str | None = None
    password_manager: str | None = None
    hard_drive_encrypted: str | None = None
    antivirus_installed: str | None = None
    screenlock_enabled: str | None = None
    unmonitored_reason: dict[str, Any] | None = None


class AccountService(Listed):
    """A service in which its people have accounts."""

    credential_display_name: str | None = None
    service: str | None = None
    sub_account_id: str | None = None


class ServiceAccount(Listed):
    """An account in such a service."""

    account_name: str | None = None
    owner: str | None = None
    role: list[str] = []
    status: str | None = None
    mfa: bool | None = None
    created_date: Moment | None = None
    deactivated_date: Moment | None = None


class ManagedVendor(Listed):
    """A vendor of the organization."""

    name: str | None = None
    inherent_risk: str | None = None
    status: str | None = None
    findings: int | None = None
    last_reviewed_completed: Moment | None = None
    next_security_review_due_date: Moment | None = None
    vendor_category: str | None = None
    residual_risk: str | None = None
    data_agreements: dict[str, Any] | None = None
