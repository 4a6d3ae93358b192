"""Controls of an audit: their comments and assessments (specification 4.7, platform-api 4.13)."""

from portal.sandbox.api.audits.audits import AUDIT_PATH
from portal.sandbox.api.audits.common import (
    COMMENT,
    NEW_TEXT,
    SINCE_CHANGE,
    commenting,
    recommenting,
    route,
    uncommenting,
)
from portal.sandbox.api.errors import unprocessable
from portal.sandbox.api.filters import any_of
from portal.sandbox.api.handlers import creating, saved
from portal.sandbox.api.lists import brief, chosen, clauses, listing, showing
from portal.sandbox.api.route import Call
from portal.sandbox.changes.audit_comments import ON_CONTROL
from portal.sandbox.kinds.audits import controls as kinds
from portal.sandbox.kinds.audits.information_requests import REQUEST
from portal.sandbox.kinds.codes import ASSESSMENT_STATES, CONTROL_DOMAINS
from portal.sandbox.kinds.compliance.controls import ROLES
from portal.sandbox.objects import Clause
from portal.sandbox.schemas import MOMENT, NAME, STRING, array, closed, nullable, one_of
from portal.sandbox.store import Json
from portal.sandbox.values import normalised

KIND, COMMENTS = "audit-controls", "audit-control-comments"
CUSTOM = closed(
    required=["externalId", "name", "description", "effectiveDate", "category"],
    externalId=NAME,
    name=nullable(NAME),
    description=STRING,
    effectiveDate=MOMENT,
    category=one_of(*CONTROL_DOMAINS),
    sections=nullable(array(closed(required=["frameworkId", "sectionId"], frameworkId=NAME, sectionId=NAME))),
    role=nullable(ROLES),
)
ASSESSMENT = closed(
    required=["assessmentState", "justification", "auditorEmail"],
    segmentId=NAME,
    assessmentState=one_of(*ASSESSMENT_STATES),
    justification=STRING,
    auditorEmail=NAME,
)
DELETION = closed(required=["email"], email=NAME)
ALIVE = Clause(sql="json_extract(body, '$.deletionDate') IS NULL")


def custom(call: Call) -> Json:
    """Make what a control of the audit's own has besides what was sent; it counts for every segment."""
    audit = call.object
    sections = [
        {"name": section["sectionId"], "framework": section["frameworkId"], "principle": None}
        for section in call.body.get("sections") or ()
    ]
    return {
        "name": call.body["name"] or call.body["externalId"],
        "source": "Custom",
        "domains": [call.body["category"]],
        "creationDate": normalised(call.body["effectiveDate"]),
        "modificationDate": call.now,
        "framework": audit["framework"],
        "sections": sections,
        **kinds.in_scope(audit),
    }


def comments(call: Call) -> list[Json]:
    """Find the comments on a control; deleted ones have vanished (platform-api 3.4)."""
    where = [ALIVE, *clauses([SINCE_CHANGE], call.query)]
    return call.sandbox.objects.all(call.tenant.id, COMMENTS, parent_id=call.object["id"], where=where)


def requests(call: Call) -> list[Json]:
    """Find the information requests of a control."""
    sql = "EXISTS (SELECT 1 FROM json_each(body, '$.additionalControlIds') c WHERE c.value = ?)"
    where = [Clause(sql=sql, values=(call.object["id"],))]
    audit_id = call.found["audit_id"]["id"]
    return call.sandbox.objects.all(call.tenant.id, "information-requests", parent_id=audit_id, where=where)


def assess(call: Call) -> Json:
    """Record an assessment for one segment of the audit, or for all of them."""
    segments = [segment["id"] for segment in call.found["audit_id"]["segments"]]
    meant = [call.body["segmentId"]] if "segmentId" in call.body else segments
    if not set(meant) <= set(segments):
        raise unprocessable()
    facts = {name: call.body[name] for name in ("assessmentState", "justification")}
    assessments = [each | (facts if each["segmentId"] in meant else {}) for each in call.object["assessments"]]
    return saved(call, KIND, call.object | {"assessments": assessments})


PATH = f"{AUDIT_PATH}/controls"
ONE = f"{PATH}/<audit_control_id>"
COMMENT_PATH = f"{ONE}/comments/<audit_control_comment_id>"
ADDED = showing(creating(KIND, fill=custom), lambda call, control: brief(control, kinds.NEW_CONTROL), shape=kinds.NEW_CONTROL)
ROUTES = (
    route("GET", PATH, listing(KIND, filters=[any_of("externalIdMatchesAny", "externalId")])),
    route("POST", f"{PATH}/custom-controls", ADDED, body=CUSTOM, status=201),
    route("GET", f"{ONE}/comments", chosen(comments, shape=kinds.COMMENT, filters=[SINCE_CHANGE])),
    route("POST", f"{ONE}/comments", commenting(ON_CONTROL), body=COMMENT, answer=kinds.COMMENT),
    route("PATCH", COMMENT_PATH, recommenting(ON_CONTROL), body=NEW_TEXT, answer=kinds.COMMENT),
    route("DELETE", COMMENT_PATH, uncommenting(ON_CONTROL), body=DELETION, status=204),
    route("GET", f"{ONE}/information-requests", chosen(requests, shape=REQUEST)),
    route("PUT", f"{ONE}/assessment", assess, body=ASSESSMENT, answer=kinds.CONTROL, refusals=(422,)),
)
