"""Controls of an audit with their assessments and comments (specification 2.5, platform-api 4.13)."""

from portal.sandbox.kinds.codes import ASSESSMENT_STATES, NOT_ASSESSED
from portal.sandbox.kinds.compliance import controls
from portal.sandbox.kinds.kind import Kind
from portal.sandbox.schemas import IDS, MAYBE_MOMENT, MAYBE_STRING, MOMENT, STRING, array, extended, nullable, one_of, record
from portal.sandbox.store import Json

ASSESSMENT = record(segmentId=STRING, assessmentState=one_of(*ASSESSMENT_STATES), justification=MAYBE_STRING)
PRINCIPLE = record(id=STRING, name=STRING)
SECTION = record(name=STRING, framework=STRING, principle=nullable(PRINCIPLE))
NEW_CONTROL = controls.CONTROL
"""As a control that was just added is answered."""
CONTROL = extended(
    NEW_CONTROL,
    framework=STRING,
    sections=array(SECTION),
    inScopeSegmentIds=IDS,
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


def in_scope(audit: Json) -> Json:
    """Say for which segments of an audit a control counts; none of them has assessed it yet."""
    segments = [segment["id"] for segment in audit["segments"]]
    none = {"assessmentState": NOT_ASSESSED, "justification": None}
    return {"inScopeSegmentIds": segments, "assessments": [{"segmentId": each} | none for each in segments]}
