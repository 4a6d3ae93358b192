"""Information requests and their history (specification 3.2, platform-api 4.13)."""

from portal.sandbox.api.audits.audits import AUDIT_PATH
from portal.sandbox.api.audits.common import SINCE_CHANGE, changed_since, possible, route
from portal.sandbox.api.errors import conflict
from portal.sandbox.api.filters import any_of
from portal.sandbox.api.handlers import check_alive, creating, deleting, reading, updating
from portal.sandbox.api.lists import listing
from portal.sandbox.api.route import Call
from portal.sandbox.changes import audits as changes
from portal.sandbox.kinds.audits.information_requests import CADENCES, REQUEST, TYPES
from portal.sandbox.limits import AUDITOR_LISTED
from portal.sandbox.objects import Clause, equal
from portal.sandbox.schemas import IDS, MAYBE_MOMENT, MAYBE_STRING, NAME, array, closed, nullable, reference
from portal.sandbox.store import Json

KIND = "information-requests"
OPTIONAL: Json = {
    "description": MAYBE_STRING,
    "cadence": nullable(CADENCES),
    "dueDate": MAYBE_MOMENT,
    "evidenceCaptureDate": MAYBE_MOMENT,
    "additionalControlIds": array(reference("audit-controls")),
}
CREATE = closed(
    required=["uniqueId", "title", "requestType", "frameworkCodes"],
    uniqueId=NAME,
    title=NAME,
    requestType=TYPES,
    frameworkCodes=IDS,
    **OPTIONAL,
)
PATCH = closed(uniqueId=NAME, title=NAME, requestType=TYPES, frameworkCodes=IDS, **OPTIONAL)
ACCEPT = closed(required=["auditorEmail"], auditorEmail=NAME)
FLAG = closed(required=["auditorEmail", "reason"], auditorEmail=NAME, reason=NAME)
NO_CODES: Json = {"frameworkCodes": []}
"""Answers no longer tell the codes (platform-api 4.13)."""


def first_facts(call: Call) -> Json:
    check_unused(call, call.body["uniqueId"])
    return NO_CODES | {"segmentIds": [segment["id"] for segment in call.found["audit_id"]["segments"]]}


def changed_facts(call: Call) -> Json:
    if call.body.get("uniqueId", call.object["uniqueId"]) != call.object["uniqueId"]:
        check_unused(call, call.body["uniqueId"])
    return NO_CODES


def check_unused(call: Call, unique_id: str) -> None:
    """Refuse a uniqueId that another request of the audit has: it is what makes creation repeatable (platform-api 1.1)."""
    where = [equal("uniqueId", unique_id), Clause(sql="json_extract(body, '$.deletionDate') IS NULL")]
    if call.sandbox.objects.all(call.tenant.id, KIND, parent_id=call.found["audit_id"]["id"], where=where, limit=1):
        raise conflict("An information request with this uniqueId already exists")


def log_creation(call: Call, request: Json) -> None:
    changes.log(call.sandbox, call.tenant.id, request["id"], "CREATED", newStatus=request["approvalStatus"])


def log_change(call: Call, request: Json) -> None:
    changes.log(call.sandbox, call.tenant.id, request["id"], "UPDATED")


def accept(call: Call) -> Json:
    return decide(call, changes.APPROVE)


def flag(call: Call) -> Json:
    return decide(call, changes.FLAG, reason=call.body["reason"])


def decide(call: Call, trigger: str, *, reason: str | None = None) -> Json:
    check_alive(call, KIND)
    email = call.body["auditorEmail"]
    return possible(
        lambda: changes.move_request(call.sandbox, call.tenant.id, call.object, trigger, email=email, reason=reason)
    )


PATH = f"{AUDIT_PATH}/information-requests"
ONE = f"{PATH}/<information_request_id>"
ROUTES = (
    route("GET", PATH, listing(KIND, filters=[SINCE_CHANGE, any_of("segmentIdsMatchesAny", "segmentIds")])),
    route("POST", PATH, creating(KIND, fill=first_facts, then=log_creation), body=CREATE, status=201, refusals=(409,)),
    route("GET", ONE, reading(KIND)),
    route("PATCH", ONE, updating(KIND, fill=changed_facts, then=log_change), body=PATCH, refusals=(409,)),
    route("DELETE", ONE, deleting(KIND), status=204, bucket=AUDITOR_LISTED),
    route("POST", f"{ONE}/accept-evidence", accept, body=ACCEPT, answer=REQUEST, refusals=(422,)),
    route("POST", f"{ONE}/flag-evidence", flag, body=FLAG, answer=REQUEST, refusals=(422,)),
    route("GET", f"{ONE}/activity", listing("request-activity", filters=[changed_since("creationDate")])),
)
