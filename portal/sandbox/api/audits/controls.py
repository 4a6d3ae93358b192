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
from portal.sandbox.api.lists import chosen, clauses, listing
from portal.sandbox.api.route import Call
from portal.sandbox.changes.audit_comments import ON_CONTROL
from portal.sandbox.kinds.audits import controls as kinds
from portal.sandbox.kinds.audits.information_requests import REQUEST
from portal.sandbox.kinds.compliance.controls import ROLES
from portal.sandbox.objects import Clause
from portal.sandbox.schemas import CUSTOM_FIELDS, MOMENT, NAME, STRING, array, closed, nullable
from portal.sandbox.store import Json

KIND, COMMENTS = "audit-controls", "audit-control-comments"
CUSTOM = closed(
    required=["externalId", "name", "description", "effectiveDate", "category"],
    externalId=NAME,
    name=nullable(NAME),
    description=STRING,
    effectiveDate=MOMENT,
    category=NAME,
    sections=array(closed(required=["frameworkId", "sectionId"], frameworkId=NAME, sectionId=NAME)),
    role=ROLES,
    customFields=CUSTOM_FIELDS,
)
ASSESSMENT = closed(
    required=["assessmentState", "justification", "auditorEmail"],
    segmentId=NAME,
    assessmentState=NAME,
    justification=STRING,
    auditorEmail=NAME,
)
DELETION = closed(required=["email"], email=NAME)
ALIVE = Clause(sql="json_extract(body, '$.deletionDate') IS NULL")


def custom(call: Call) -> Json:
    name = call.body["name"] or call.body["externalId"]
    return {"name": name, "source": "Custom", "domains": [call.body["category"]], "creationDate": call.now}


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
    kept = [each for each in call.object["assessments"] if each["segmentId"] not in meant]
    facts = {name: call.body[name] for name in ("assessmentState", "justification")}
    return saved(call, KIND, call.object | {"assessments": [*kept, *({"segmentId": each} | facts for each in meant)]})


PATH = f"{AUDIT_PATH}/controls"
ONE = f"{PATH}/<audit_control_id>"
COMMENT_PATH = f"{ONE}/comments/<audit_control_comment_id>"
ROUTES = (
    route("GET", PATH, listing(KIND, filters=[any_of("externalIdMatchesAny", "externalId")])),
    route("POST", f"{PATH}/custom-controls", creating(KIND, fill=custom), body=CUSTOM, status=201),
    route("GET", f"{ONE}/comments", chosen(comments, shape=kinds.COMMENT, filters=[SINCE_CHANGE])),
    route("POST", f"{ONE}/comments", commenting(ON_CONTROL), body=COMMENT, answer=kinds.COMMENT),
    route("PATCH", COMMENT_PATH, recommenting(ON_CONTROL), body=NEW_TEXT, answer=kinds.COMMENT),
    route("DELETE", COMMENT_PATH, uncommenting(ON_CONTROL), body=DELETION, status=204),
    route("GET", f"{ONE}/information-requests", chosen(requests, shape=REQUEST)),
    route("PUT", f"{ONE}/assessment", assess, body=ASSESSMENT, answer=kinds.CONTROL, refusals=(422,)),
)
