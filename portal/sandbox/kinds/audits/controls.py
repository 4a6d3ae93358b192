"""Controls of an audit with their assessments and comments (specification 2.5, platform-api 4.13)."""

from portal.sandbox.kinds.kind import Kind
from portal.sandbox.schemas import IDS, MAYBE_MOMENT, MAYBE_STRING, MOMENT, STRING, array, record

ASSESSMENT = record(segmentId=STRING, assessmentState=STRING, justification=MAYBE_STRING)
CONTROL = record(
    id=STRING,
    externalId=MAYBE_STRING,
    name=STRING,
    description=STRING,
    source=STRING,
    domains=IDS,
    creationDate=MAYBE_MOMENT,
    modificationDate=MAYBE_MOMENT,
    assessments=array(ASSESSMENT),
)
COMMENT = record(
    id=STRING,
    controlId=STRING,
    text=STRING,
    email=MAYBE_STRING,
    creationDate=MOMENT,
    modificationDate=MAYBE_MOMENT,
    deletionDate=MAYBE_MOMENT,
)
KINDS = (
    Kind(name="audit-controls", title="Audit control", shape=CONTROL, by="audit_control_id", parent="audit_id"),
    Kind(
        name="audit-control-comments",
        title="Comment",
        shape=COMMENT,
        by="audit_control_comment_id",
        parent="audit_control_id",
        is_soft=True,
    ),
)
