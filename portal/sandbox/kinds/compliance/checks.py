"""Tests with what they look at, policies, and integrations with what they bring in (platform-api 4.10)."""

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
    nullable,
    one_of,
    record,
)

TEST_STATUSES = ("OK", "DEACTIVATED", "NEEDS_ATTENTION", "IN_PROGRESS", "INVALID", "NOT_APPLICABLE")
POLICY_STATUSES = ("NOT_STARTED", "DRAFT", "PENDING_APPROVAL", "APPROVED", "RENEW_SOON", "EXPIRED")
TEST = record(
    id=STRING,
    name=STRING,
    description=STRING,
    category=STRING,
    status=one_of(*TEST_STATUSES),
    owner=nullable(OWNER),
    integrations=IDS,
    isInRollout=BOOLEAN,
    lastTestRunDate=MAYBE_MOMENT,
)
ENTITY = record(
    id=STRING,
    displayName=STRING,
    entityStatus=one_of("OK", "FAILING", "DEACTIVATED"),
    deactivatedReason=MAYBE_STRING,
    deactivatedUntilDate=MAYBE_MOMENT,
    creationDate=MOMENT,
    lastUpdatedDate=MOMENT,
)
POLICY_DOCUMENT = record(language=MAYBE_STRING, slugId=STRING, url=STRING)
POLICY = record(
    id=STRING,
    name=STRING,
    description=STRING,
    status=one_of("OK", "NEEDS_REMEDIATION"),
    approvedAtDate=MAYBE_MOMENT,
    latestVersion=record(status=one_of(*POLICY_STATUSES)),
    latestApprovedVersion=nullable(record(documents=array(POLICY_DOCUMENT))),
)
CONNECTION = record(id=STRING, isDisabled=BOOLEAN, connectionErrorMessage=MAYBE_STRING)
INTEGRATION = record(id=STRING, displayName=STRING, resourceKinds=IDS, connections=array(CONNECTION))
RESOURCE_KIND = record(id=STRING, displayName=STRING, numResources=INTEGER)
RESOURCE = record(
    id=STRING, displayName=STRING, description=MAYBE_STRING, owner=MAYBE_STRING, isInScope=BOOLEAN, creationDate=MOMENT
)
KINDS = (
    Kind(name="tests", title="Test", shape=TEST, by="test_id"),
    Kind(name="entities", title="Entity", shape=ENTITY, by="entity_id", parent="test_id"),
    Kind(name="policies", title="Policy", shape=POLICY, by="policy_id"),
    Kind(name="integrations", title="Integration", shape=INTEGRATION, by="integration_id"),
    Kind(name="resource-kinds", title="Resource kind", shape=RESOURCE_KIND, by="resource_kind_id", parent="integration_id"),
    Kind(
        name="integration-resources",
        title="Resource",
        shape=RESOURCE,
        by="integration_resource_id",
        parent="resource_kind_id",
    ),
)
