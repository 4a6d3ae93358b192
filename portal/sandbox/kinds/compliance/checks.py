"""Tests with what they look at, and policies (platform-api 4.10)."""

from portal.sandbox.kinds.codes import CATEGORIES, LOCALES
from portal.sandbox.kinds.compliance.controls import OWNER
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
    extended,
    nullable,
    one_of,
    record,
)

TEST_STATUSES = ("OK", "DEACTIVATED", "NEEDS_ATTENTION", "IN_PROGRESS", "INVALID", "NOT_APPLICABLE")
POLICY_STATUSES = ("NOT_STARTED", "DRAFT", "PENDING_APPROVAL", "APPROVED", "RENEW_SOON", "EXPIRED")
REMEDIATION_STATUSES = ("DISABLED", "DUE_SOON", "INVALID", "IN_PROGRESS", "NA", "NEEDS_WORK", "OVERDUE", "PASS")
TEST = record(
    id=STRING,
    name=STRING,
    description=STRING,
    failureDescription=STRING,
    remediationDescription=STRING,
    version=record(major=INTEGER, minor=INTEGER),
    category=one_of(*CATEGORIES.values()),
    status=one_of(*TEST_STATUSES),
    owner=nullable(OWNER),
    integrations=IDS,
    lastTestRunDate=MOMENT,
    latestFlipDate=MAYBE_MOMENT,
    deactivatedStatusInfo=record(isDeactivated=BOOLEAN, deactivatedReason=MAYBE_STRING, lastUpdatedDate=MAYBE_MOMENT),
    remediationStatusInfo=record(status=one_of(*REMEDIATION_STATUSES), soonestRemediateByDate=MAYBE_MOMENT, itemCount=INTEGER),
)
KEPT_TEST = extended(TEST, isInRollout=BOOLEAN)
"""With what can be asked for and is not answered."""
FAILING, DEACTIVATED = "FAILING", "DEACTIVATED"
ENTITY = record(
    id=STRING,
    displayName=STRING,
    responseType=STRING,
    entityStatus=one_of(FAILING, DEACTIVATED),
    deactivatedReason=MAYBE_STRING,
    createdDate=MOMENT,
    lastUpdatedDate=MOMENT,
)
KEPT_ENTITY = extended(ENTITY, entityStatus=one_of("OK", FAILING, DEACTIVATED), deactivatedUntilDate=MAYBE_MOMENT)
"""As it is kept: the platform never shows those that are in order."""
POLICY_DOCUMENT = record(language=nullable(one_of(*LOCALES)), slugId=STRING, url=STRING)
POLICY = record(
    id=STRING,
    name=STRING,
    description=STRING,
    status=one_of("OK", "NEEDS_REMEDIATION"),
    approvedAtDate=MAYBE_MOMENT,
    latestVersion=record(status=one_of(*POLICY_STATUSES)),
    latestApprovedVersion=nullable(record(versionId=STRING, documents=array(POLICY_DOCUMENT))),
)
KINDS = (
    Kind(name="tests", title="Test", shape=KEPT_TEST, by="test_id"),
    Kind(name="entities", title="Entity", shape=KEPT_ENTITY, by="entity_id", parent="test_id"),
    Kind(name="policies", title="Policy", shape=POLICY, by="policy_id"),
)
