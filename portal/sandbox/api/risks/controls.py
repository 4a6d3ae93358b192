"""Controls of a risk scenario (specification 4.7, platform-api 4.9)."""

from portal.sandbox.api.errors import conflict
from portal.sandbox.api.handlers import deleting, saved
from portal.sandbox.api.lists import chosen
from portal.sandbox.api.risks.scenarios import ONE as SCENARIO
from portal.sandbox.api.route import Call, Route
from portal.sandbox.kinds.risks import LINKS, RISK_CONTROL
from portal.sandbox.objects import equal
from portal.sandbox.schemas import NAME, closed
from portal.sandbox.store import Json
from portal.sandbox.values import new_id

ADD = closed(required=["controlId"], controlId=NAME, controlType=NAME)
PATCH = closed(required=["controlType"], controlType=NAME)


def shown(link: Json) -> Json:
    return {"id": link["controlId"], "controlType": link["controlType"]}


def find(call: Call) -> list[Json]:
    return [shown(link) for link in call.sandbox.objects.all(call.tenant.id, LINKS, parent_id=call.object["id"])]


def add(call: Call) -> Json:
    scenario_id, control = call.object["id"], equal("controlId", call.body["controlId"])
    if call.sandbox.objects.all(call.tenant.id, LINKS, parent_id=scenario_id, where=[control], limit=1):
        raise conflict("The risk scenario has this control already")
    link = {"id": new_id(), "controlType": None} | call.body
    return shown(call.sandbox.objects.add(call.tenant.id, LINKS, link, parent_id=scenario_id))


def change(call: Call) -> Json:
    return shown(saved(call, LINKS, call.object | call.body))


PATH = f"{SCENARIO}/controls"
ONE = f"{PATH}/<risk_control_id>"
ROUTES = (
    Route("GET", PATH, chosen(find, shape=RISK_CONTROL)),
    Route("POST", PATH, add, body=ADD, answer=RISK_CONTROL, refusals=(409,)),
    Route("PATCH", ONE, change, body=PATCH, answer=RISK_CONTROL),
    Route("DELETE", ONE, deleting(LINKS), status=204),
)
