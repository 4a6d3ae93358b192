"""What an auditor sees of the audited organization (specification 2.5, platform-api 4.13, 5.5)."""

from portal.sandbox.kinds.kind import Kind
from portal.sandbox.schemas import (
    BOOLEAN,
    IDS,
    INTEGER,
    MAYBE_MOMENT,
    MAYBE_STRING,
    MOMENT,
    STRING,
    array,
    nullable,
    one_of,
    record,
)

TAGS = (
    *("ACCESS", "COMPUTERS", "CUSTOM_RESOURCE", "DATA_LOSS_PREVENTION", "DOCUMENTS", "DOCUMENT_UPLOAD", "FRAMEWORK"),
    *("GROUPS", "INVENTORY", "NOTIFICATIONS", "PEOPLE", "POLICIES", "SECURITY_AWARENESS_TRAINING"),
    *("SECURITY_SCANNER_ALERTS", "SSO", "TASK_CREATION", "TASK_TRACKING", "TRUST_CENTER", "VENDOR_DISCOVERY"),
    *("VENDOR_PROCUREMENT", "VULNERABILITIES"),
)
CATEGORIES = (
    *("ATS_MERGE_ACCOUNT", "BACKGROUND_CHECK_SERVICE", "CLOUD_PROVIDER", "COMMUNICATION_PLATFORM"),
    *("CRM_MERGE_ACCOUNT", "CRM_PLATFORM", "DATASTORE_PROVIDER", "DATA_LOSS_PREVENTION", "DATA_WAREHOUSE_PROVIDER"),
    *("DOCUMENT_MANAGEMENT_TOOL", "ENDPOINT_SECURITY_TOOL", "HR_PROVIDER", "IDENTITY_PROVIDER"),
    *("INCIDENT_MANAGEMENT_TOOL", "MOBILE_DEVICE_MANAGEMENT_TOOL", "MONITORING_SERVICE", "OTHER_INTEGRATION"),
    *("SECURITY_AWARENESS_TRAINING_PROVIDER", "SECURITY_SCANNER_ALERTS", "TASK_TRACKER", "VERSION_CONTROL_SYSTEM"),
    "VULNERABILITY_SCANNER",
)
CODE_SOURCES = ("github", "gitlab", "bitbucket", "azuredevops")
CODE = record(id=STRING, code=STRING, framework=STRING)
INTEGRATION = record(
    id=STRING, displayName=STRING, tags=array(one_of(*TAGS)), categories=array(one_of(*CATEGORIES)), isConnected=BOOLEAN
)
INFORMATION = record(id=STRING, name=STRING, displayName=MAYBE_STRING, websiteUrl=MAYBE_STRING, description=MAYBE_STRING)
NOTIFICATIONS = record(id=STRING, isEmailEnabled=BOOLEAN, isChatEnabled=BOOLEAN, recipients=IDS, updatedDate=MAYBE_MOMENT)
ISSUE = record(
    id=STRING,
    snapshotId=STRING,
    title=STRING,
    description=MAYBE_STRING,
    status=STRING,
    severity=MAYBE_STRING,
    createdAt=MOMENT,
    lastModifiedAt=MOMENT,
    detectedAt=MOMENT,
    approvalProgress=nullable(record(approvedCount=INTEGER, totalApprovers=INTEGER)),
)
SNAPSHOT = record(id=STRING, name=STRING, status=STRING, creationDate=MOMENT)
RISK = record(id=STRING, riskId=STRING, description=STRING, likelihood=INTEGER, impact=INTEGER, treatment=STRING)
CHANGE = record(
    id=STRING,
    title=STRING,
    identifier=STRING,
    repository=STRING,
    source=one_of(*CODE_SOURCES),
    openedDate=MOMENT,
    closedDate=MAYBE_MOMENT,
)
PERSON = record(id=STRING, name=STRING, email=STRING, status=STRING, jobTitle=MAYBE_STRING, groupIds=IDS, startDate=MOMENT)
COMPUTER = record(id=STRING, name=STRING, serialNumber=STRING, status=STRING, owner=MAYBE_STRING, lastCheckDate=MOMENT)
GROUP = record(id=STRING, name=STRING, personnelCount=INTEGER)
SERVICE = record(id=STRING, name=STRING, status=STRING, accountCount=INTEGER)
RISK_LEVELS = ("CRITICAL", "HIGH", "MEDIUM", "LOW", "UNSCORED")
VENDOR_STATUSES = ("MANAGED", "ARCHIVED", "IN_PROCUREMENT")
VENDOR = record(
    id=STRING,
    name=STRING,
    status=one_of(*VENDOR_STATUSES),
    inherentRiskLevel=one_of(*RISK_LEVELS),
    category=MAYBE_STRING,
    lastReviewDate=MAYBE_MOMENT,
)


def part(name: str, title: str, shape: dict[str, object], *, by: str = "") -> Kind:
    """Name a kind of which every audit has its own."""
    return Kind(name=name, title=title, shape=shape, by=by, parent="audit_id")


KINDS = (
    part("framework-codes", "Framework code", CODE),
    part("audit-integrations", "Integration", INTEGRATION),
    part("organization-information", "Organization", INFORMATION),
    part("organization-notifications", "Notification settings", NOTIFICATIONS),
    part("issue-snapshots", "Snapshot", SNAPSHOT),
    part("issue-items", "Issue", ISSUE),
    part("risk-snapshots", "Snapshot", SNAPSHOT, by="risk_snapshot_id"),
    Kind(name="snapshot-risks", title="Risk", shape=RISK, parent="risk_snapshot_id"),
    part("code-changes", "Code change", CHANGE),
    part("personnel-people", "Person", PERSON),
    part("personnel-computers", "Computer", COMPUTER),
    part("personnel-groups", "Group", GROUP),
    part("account-services", "Service", SERVICE, by="account_service_id"),
    part("managed-vendors", "Vendor", VENDOR),
)
