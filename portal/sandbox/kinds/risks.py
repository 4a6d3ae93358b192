"""Issues, and risk scenarios with their controls (specification 2.5, platform-api 4.8, 4.9)."""

from portal.sandbox.kinds.kind import Kind
from portal.sandbox.schemas import (
    BOOLEAN,
    IDS,
    INTEGER,
    MAYBE_BOOLEAN,
    MAYBE_MOMENT,
    MAYBE_STRING,
    MOMENT,
    STRING,
    array,
    extended,
    nullable,
    one_of,
    record,
    without,
)

ISSUE_STATUSES = ("NOT_STARTED", "IN_PROGRESS", "CLOSED")
SEVERITIES = ("CRITICAL", "HIGH", "MEDIUM", "LOW", "NO_SEVERITY")
SOURCES = ("AUDIT", "AUDIT_EXTERNAL", "INCIDENT", "EXTERNAL_PARTY", "SELF_ASSESSMENT", "OTHER")
ISSUE_TYPES = (
    *("AREA_OF_CONCERN", "MAJOR_NONCONFORMITY", "MINOR_NONCONFORMITY", "OPP_FOR_IMPROVEMENT", "EXCEPTION"),
    "PROCESS_FOR_IMPROVEMENT",
)
STANDARD, POAM = "STANDARD_ISSUE", "STANDARD_POAM"
TEMPLATES = (STANDARD, POAM)
CLOSE_REASONS = ("RESOLVED", "DUPLICATE", "ACCEPTED", "OTHER")
CUSTOM = array(record(label=STRING, value={"anyOf": [STRING, IDS]}))
ISSUE_ACTOR = record(actorType=one_of("USER", "APPLICATION", "WORKFLOW_GENERATED"), actorId=STRING)
ISSUE = record(
    id=STRING,
    readableIssueId=STRING,
    title=STRING,
    description=STRING,
    status=one_of(*ISSUE_STATUSES),
    severity=one_of(*SEVERITIES),
    template=one_of(*TEMPLATES),
    createdDate=MOMENT,
    createdBy=ISSUE_ACTOR,
    lastModifiedDate=MOMENT,
    lastModifiedBy=ISSUE_ACTOR,
    detectedDate=MOMENT,
    dueDate=MAYBE_MOMENT,
    owners=array(record(ownerType=one_of("USER", "TEAM"), ownerId=STRING)),
    rootCause=MAYBE_STRING,
    correctiveAction=MAYBE_STRING,
    source=nullable(record(sourceType=one_of(*SOURCES), optional={"sourceId": STRING})),
    controlDomain=MAYBE_STRING,
    closedMetadata=nullable(record(reason=one_of(*CLOSE_REASONS), comment=STRING, closedAt=MOMENT)),
    mappedControlIds=IDS,
    mappedRiskScenarioIds=IDS,
    mappedPolicyIds=IDS,
    customFields=CUSTOM,
    optional={
        "type": nullable(one_of(*ISSUE_TYPES)),
        "requiredResources": MAYBE_STRING,
        "systemsDescription": MAYBE_STRING,
    },
)
CIA = ("Confidentiality", "Integrity", "Availability")
TREATMENTS = ("Mitigate", "Transfer", "Avoid", "Accept")
REVIEW_STATUSES = (
    *("DRAFT", "NOT_REVIEWED", "AWAITING_SUBMISSION", "PENDING_APPROVAL", "REQUESTED_CHANGES", "APPROVED"),
)  # fmt: skip
RISK_TYPES = ("Risk Scenario", "Enterprise Risk")
SCORE_GROUPS = {"Very low": (1, 4), "Low": (5, 8), "Med": (9, 12), "High": (13, 16), "Critical": (17, 1000)}
"""The scores of each group, likelihood times impact. The documents show no bounds: these suit five steps of each."""
MAYBE_INTEGER = nullable(INTEGER)
RISK_SCENARIO = record(
    riskId=STRING,
    description=STRING,
    detailedDescription=MAYBE_STRING,
    type=one_of(*RISK_TYPES),
    reviewStatus=one_of(*REVIEW_STATUSES),
    isSensitive=MAYBE_BOOLEAN,
    likelihood=MAYBE_INTEGER,
    impact=MAYBE_INTEGER,
    residualLikelihood=MAYBE_INTEGER,
    residualImpact=MAYBE_INTEGER,
    categories=IDS,
    ciaCategories=array(one_of(*CIA)),
    treatment=nullable(one_of(*TREATMENTS)),
    owner=MAYBE_STRING,
    note=MAYBE_STRING,
    riskRegister=MAYBE_STRING,
    customFields=CUSTOM,
    isArchived=BOOLEAN,
    requiredApprovers=IDS,
    identificationDate=MOMENT,
)
KEPT_SCENARIO = extended(without(RISK_SCENARIO, "riskId"), id=STRING)
"""As it is kept: the riskId is the only id that is ever answered (management-api 3.16)."""
EXISTING, TREATMENT_PLAN = "EXISTING", "TREATMENT_PLAN"
CONTROL_TYPES = (EXISTING, TREATMENT_PLAN)
RISK_CONTROL = record(controlId=STRING, controlType=one_of(*CONTROL_TYPES))
"""As it is answered, with the short name of the control, or its id where it has none (management-api 3.16)."""
LINK = record(id=STRING, controlId=STRING, controlType=one_of(*CONTROL_TYPES))
"""As it is kept, with the id of the control: one may stand with several scenarios."""

ISSUES, SCENARIOS, LINKS = "issues", "risk-scenarios", "risk-scenario-controls"
KINDS = (
    Kind(name=ISSUES, title="Issue", shape=ISSUE, by="issue_id"),
    Kind(name=SCENARIOS, title="Risk scenario", shape=KEPT_SCENARIO, by="risk_scenario_id"),
    Kind(name=LINKS, title="Control", shape=LINK, parent="risk_scenario_id"),
)
