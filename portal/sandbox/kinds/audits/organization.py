"""What an auditor sees of the audited organization (specification 2.5, platform-api 4.13, 5.5)."""

from portal.sandbox.kinds.kind import Kind
from portal.sandbox.kinds.risks import REVIEW_STATUSES
from portal.sandbox.kinds.vendors import RISK_LEVELS
from portal.sandbox.schemas import (
    BOOLEAN,
    IDS,
    INTEGER,
    MAYBE_BOOLEAN,
    MAYBE_MOMENT,
    MAYBE_STRING,
    MOMENT,
    NUMBER,
    ORIGIN,
    STRING,
    array,
    extended,
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
NAMED = record(name=STRING)
INTEGRATION = record(id=STRING, name=STRING, tags=IDS, categories=IDS)
"""Tags and categories in words; only the filters have them in capitals."""
KEPT_INTEGRATION = extended(INTEGRATION, tagCodes=array(one_of(*TAGS)), categoryCodes=array(one_of(*CATEGORIES)))
INFORMATION = record(
    id=STRING,
    displayName=STRING,
    legalName=MAYBE_STRING,
    incorporation=MAYBE_STRING,
    url=MAYBE_STRING,
    mailingAddress=MAYBE_STRING,
    telephone=MAYBE_STRING,
    companyLogo=nullable(record(url=STRING)),
)
NOTIFIED = record(id=STRING, address=STRING, cadence=MAYBE_STRING, unsubSettingsKey=STRING, toggleIsSubscribed=BOOLEAN)
NOTIFICATIONS = record(
    id=STRING,
    preferredTimeZone=MAYBE_STRING,
    employeeDigestFrequency=MAYBE_STRING,
    subscribedChannelTypes=IDS,
    externalNotifications=array(NOTIFIED),
)
ISSUE = record(
    id=STRING,
    readableIssueId=STRING,
    issueId=STRING,
    snapshotId=STRING,
    title=STRING,
    description=MAYBE_STRING,
    dueDate=MAYBE_MOMENT,
    status=one_of("IN_PROGRESS", "NOT_STARTED", "PENDING_REVIEW", "CLOSED"),
    createdAt=MOMENT,
    lastModifiedAt=MOMENT,
    detectedAt=MOMENT,
    approvalProgress=nullable(record(approvedCount=INTEGER, totalApprovers=INTEGER)),
)
ISSUE_SNAPSHOT = record(id=STRING, title=STRING, description=MAYBE_STRING, createdAt=MOMENT)
RISK_SNAPSHOT = record(id=STRING, createdAt=MOMENT)
SCORES = ("likelihood", "impact", "inherentRisk", "residualRisk")
RISK = record(
    id=STRING,
    riskId=MAYBE_STRING,
    riskScenario=MAYBE_STRING,
    **dict.fromkeys(SCORES, nullable(NUMBER)),
    treatment=nullable(one_of("ACCEPT", "AVOID", "MITIGATE", "TRANSFER")),
    treatmentStatus=nullable(one_of("IN_PROGRESS", "DONE")),
    reviewStatus=nullable(one_of(*REVIEW_STATUSES)),
    owner=nullable(record(displayName=STRING, imageUrl=MAYBE_STRING)),
    categories=IDS,
    ciaCategories=array(one_of("AVAILABILITY", "CONFIDENTIALITY", "INTEGRITY")),
    linkedControlIds=IDS,
    identified=MAYBE_MOMENT,
)
CHANGE = record(
    id=STRING,
    title=STRING,
    identifier=STRING,
    repository=STRING,
    source=one_of(*CODE_SOURCES),
    openedDate=MOMENT,
    closedDate=MAYBE_MOMENT,
)
EMPLOYMENTS = (
    *("CURRENTLY_EMPLOYED", "INACTIVE_EMPLOYEE", "NOT_PEOPLE", "ON_LEAVE", "PREVIOUSLY_EMPLOYED", "UPCOMING_EMPLOYEE"),
)  # fmt: skip
NO_TASKS, TASKS_DONE, TASKS_DUE, TASKS_LATE = TASK_STATUSES = (
    "NO_SECURITY_TASKS",
    *(f"SECURITY_TASKS_{state}" for state in ("COMPLETE", "DUE_SOON", "OVERDUE")),
)
OVERALL_STATUSES = (
    *TASK_STATUSES,
    "PAUSED",
    *(f"OFFBOARDING_{state}" for state in ("COMPLETE", "DUE_SOON", "OVERDUE")),
)
TASK_DATES = {"dueDate": MAYBE_MOMENT, "completionDate": MAYBE_MOMENT}
TASK_COUNTS = ("numTasksCompleted", "numTasksOverdue", "numTasksDueSoon")
TASKS = ("policies", "trainings", "backgroundChecks", "deviceMonitoring", "customOnboarding", "customOffboarding")
PERSON = record(
    id=STRING,
    name=STRING,
    email=STRING,
    jobTitle=MAYBE_STRING,
    employmentStatus=nullable(one_of(*EMPLOYMENTS)),
    startDate=MAYBE_STRING,
    endDate=MAYBE_STRING,
    groups=array(NAMED),
    source=nullable(record(mainSource=STRING, supplementarySource=MAYBE_STRING)),
    taskStatus=nullable(record(status=one_of(*OVERALL_STATUSES), **TASK_DATES, **dict.fromkeys(TASK_COUNTS, nullable(NUMBER)))),
    lastReminded=MAYBE_MOMENT,
    **dict.fromkeys(TASKS, nullable(record(status=one_of(*TASK_STATUSES), **TASK_DATES))),
)
"""The days of an employment are days alone."""
KEPT_PERSON = extended(PERSON, groupIds=IDS)
CHECKS = ("passwordManager", "hardDriveEncrypted", "antivirusInstalled", "screenlockEnabled")
UNMONITORED = ("unsupportedOsVersion", "unsupportedOsType", "unsupportedAgentVersion")
COMPUTER = record(
    id=STRING,
    deviceName=MAYBE_STRING,
    osPlatform=nullable(one_of("darwin", "linux", "windows")),
    osVersion=MAYBE_STRING,
    owner=nullable(record(id=STRING, name=STRING)),
    monitoredBy=MAYBE_STRING,
    **dict.fromkeys(CHECKS, one_of("NA", "IN_PROGRESS", "FAIL", "PASS")),
    unmonitoredReason=nullable(record(**dict.fromkeys(UNMONITORED, MAYBE_STRING))),
)
GROUP = record(
    id=STRING,
    name=STRING,
    members=NUMBER,
    source=ORIGIN,
    tasks=array(NAMED),
    tasksLastUpdated=MAYBE_MOMENT,
    pointOfContact=MAYBE_STRING,
)
"""The point of contact is a name."""
SERVICE = record(id=STRING, credentialDisplayName=STRING, service=STRING, subAccountId=MAYBE_STRING)
ACCOUNT = record(
    id=STRING,
    accountName=STRING,
    owner=MAYBE_STRING,
    role=IDS,
    status=one_of("ACTIVE", "DEACTIVATED", "UNKNOWN"),
    mfa=MAYBE_BOOLEAN,
    createdDate=MAYBE_MOMENT,
    deactivatedDate=MAYBE_MOMENT,
)
VENDOR_STATUSES = ("ACTIVE", "ARCHIVED", "IN_PROCUREMENT")
VENDOR = record(
    id=STRING,
    name=STRING,
    inherentRisk=one_of(*RISK_LEVELS),
    status=one_of(*VENDOR_STATUSES),
    findings=NUMBER,
    lastReviewedCompleted=MAYBE_MOMENT,
    nextSecurityReviewDueDate=MAYBE_MOMENT,
    vendorCategory=MAYBE_STRING,
    residualRisk=nullable(one_of(*RISK_LEVELS)),
    dataAgreements=nullable(record(total=NUMBER, complete=NUMBER)),
)


def part(name: str, title: str, shape: dict[str, object], *, by: str = "") -> Kind:
    """Name a kind of which every audit has its own."""
    return Kind(name=name, title=title, shape=shape, by=by, parent="audit_id")


KINDS = (
    part("framework-codes", "Framework code", CODE),
    part("audit-integrations", "Integration", KEPT_INTEGRATION),
    part("organization-information", "Organization", INFORMATION),
    part("organization-notifications", "Notification settings", NOTIFICATIONS),
    part("issue-snapshots", "Snapshot", ISSUE_SNAPSHOT),
    part("issue-items", "Issue", ISSUE),
    part("risk-snapshots", "Snapshot", RISK_SNAPSHOT, by="risk_snapshot_id"),
    Kind(name="snapshot-risks", title="Risk", shape=RISK, parent="risk_snapshot_id"),
    part("code-changes", "Code change", CHANGE),
    part("personnel-people", "Person", KEPT_PERSON),
    part("personnel-computers", "Computer", COMPUTER),
    part("personnel-groups", "Group", GROUP),
    part("account-services", "Service", SERVICE, by="account_service_id"),
    Kind(name="service-accounts", title="Account", shape=ACCOUNT, parent="account_service_id"),
    part("managed-vendors", "Vendor", VENDOR),
)
