"""Compliance frameworks that the Trust Center shows (platform-api 4.5.12)."""

from portal.sandbox.api.handlers import creating, deleting, succeeding, updating
from portal.sandbox.api.media import keep_file
from portal.sandbox.api.route import Call, Form, Operation, Route
from portal.sandbox.api.trust_center.settings import PATH as TRUST_CENTER
from portal.sandbox.kinds.showcase import FRAMEWORK, STANDARDS
from portal.sandbox.schemas import BOOLEAN, MAYBE_STRING, NAME, STRING, array, closed, nullable, one_of, record
from portal.sandbox.store import Json

KIND = "trust-center-frameworks"
STANDARD = nullable(one_of(*STANDARDS))
CREATE = closed(required=["name"], name=NAME, standard=STANDARD, description=STRING)
PATCH = closed(name=NAME, standard=STANDARD, description=MAYBE_STRING)


def find(call: Call) -> Json:
    found = call.sandbox.objects.all(call.tenant.id, KIND, oldest_first=True)
    return {"results": found, "isSectionVisible": bool(found)}


def keep_badge(call: Call) -> None:
    keep_file(call, call.object["id"])


PATH = f"{TRUST_CENTER}/compliance-frameworks"
ONE = f"{PATH}/<trust_center_framework_id>"
LIST = Operation(run=find, answer=record(results=array(FRAMEWORK), isSectionVisible=BOOLEAN))
ROUTES = (
    Route("GET", PATH, LIST),
    Route("POST", PATH, creating(KIND), body=CREATE, status=201),
    Route("PATCH", ONE, updating(KIND), body=PATCH),
    Route("DELETE", ONE, deleting(KIND), status=204),
    Route("POST", f"{ONE}/badge", succeeding(keep_badge), form=Form(schema=closed())),
)
