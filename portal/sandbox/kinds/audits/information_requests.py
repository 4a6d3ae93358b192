"""Information requests with their evidence, comments and activity (specification 3.2, platform-api 4.13)."""

from portal.sandbox.kinds.kind import Kind
from portal.sandbox.schemas import (
    IDS,
    MAYBE_MOMENT,
    MAYBE_STRING,
    MOMENT,
    STRING,
    array,
    nullable,
    one_of,
    record,
)

NEEDED, READY = "NEEDS_EVIDENCE", "READY_FOR_AUDIT"
APPROVED, FLAGGED = "AUDITOR_APPROVED", "AUDITOR_FLAGGED"
TYPES = one_of("POINT_IN_TIME", "POPULATION", "SAMPLE")
CADENCES = one_of("ANNUALLY", "BIANNUALLY", "QUARTERLY", "MONTHLY")
SNAPSHOT = "PLATFORM_TEST_SNAPSHOT"
EVIDENCE_TYPES = (
    *("UPLOADED_DOCUMENT", "OBSERVATION", "LINK"),
    *("PLATFORM_DOCUMENT", "PLATFORM_POLICY", "PLATFORM_TEST", SNAPSHOT),
)
REQUEST = record(
    id=STRING,
    uniqueId=STRING,
    title=STRING,
    description=MAYBE_STRING,
    requestType=TYPES,
    approvalStatus=one_of(NEEDED, READY, APPROVED, FLAGGED),
    cadence=nullable(CADENCES),
    dueDate=MAYBE_MOMENT,
    evidenceCaptureDate=MAYBE_MOMENT,
    requestId=MAYBE_STRING,
    additionalControlIds=IDS,
    segmentIds=IDS,
    frameworkCodes=IDS,
    ownerAssignment=nullable(record(type=one_of("user", "team"), id=STRING, displayName=MAYBE_STRING)),
    creationDate=MOMENT,
    modificationDate=MOMENT,
    deletionDate=MAYBE_MOMENT,
)
EVIDENCE = record(
    id=STRING,
    evidenceType=one_of(*EVIDENCE_TYPES),
    name=STRING,
    description=MAYBE_STRING,
    url=MAYBE_STRING,
    creationDate=MOMENT,
    modificationDate=MAYBE_MOMENT,
    deletionDate=MAYBE_MOMENT,
)
TEST_SNAPSHOT = record(
    id=STRING,
    testName=STRING,
    status=STRING,
    capturedDate=MOMENT,
    apiRequests=array(record(method=STRING, url=STRING, statusCode={"type": "integer"}, date=MOMENT)),
    outOfScopeResources=array(record(displayName=STRING, reason=MAYBE_STRING)),
)
COMMENT = record(
    id=STRING,
    informationRequestId=STRING,
    text=STRING,
    email=MAYBE_STRING,
    creationDate=MOMENT,
    modificationDate=MAYBE_MOMENT,
    deletionDate=MAYBE_MOMENT,
)
ACTIVITY = record(
    id=STRING,
    type=STRING,
    email=MAYBE_STRING,
    oldStatus=MAYBE_STRING,
    newStatus=MAYBE_STRING,
    reason=MAYBE_STRING,
    sourceInformationRequestId=MAYBE_STRING,
    sourceAuditId=MAYBE_STRING,
    creationDate=MOMENT,
)
BY = "information_request_id"
KINDS = (
    Kind(name="information-requests", title="Information request", shape=REQUEST, by=BY, parent="audit_id", is_soft=True),
    Kind(
        name="request-evidence",
        title="Evidence",
        shape=EVIDENCE,
        by="request_evidence_id",
        parent=BY,
        is_soft=True,
    ),
    Kind(name="test-snapshots", title="Test snapshot", shape=TEST_SNAPSHOT, parent="request_evidence_id"),
    Kind(name="request-comments", title="Comment", shape=COMMENT, by="request_comment_id", parent=BY, is_soft=True),
    Kind(name="request-activity", title="Activity", shape=ACTIVITY, parent=BY),
)
