"""Controls of a risk scenario (specification 4.7, management-api 3.16)."""

from portal.sandbox.api.errors import unprocessable
from portal.sandbox.api.handlers import saved
from portal.sandbox.api.lists import chosen
from portal.sandbox.api.risks.scenarios import ONE as SCENARIO
from portal.sandbox.api.route import Call, Route
from portal.sandbox.kinds.risks import CONTROL_TYPES, EXISTING, LINKS, RISK_CONTROL
from portal.sandbox.objects import Clause, Missing, equal
from portal.sandbox.schemas import NAME, closed, one_of
from portal.sandbox.store import Json
from portal.sandbox.values import new_id

TYPE = one_of(*CONTROL_TYPES)
ADD = closed(required=["controlId"], controlId=NAME, controlType=TYPE | {"default": EXISTING})
PATCH = closed(required=["controlType"], controlType=TYPE)
CONTROL_KINDS = ("controls", "deactivated-controls")
"""A control that is out of use stays with the scenarios that have it."""


def find(call: Call) -> list[Json]:
    return [shown(call, link) for link in call.sandbox.objects.all(call.tenant.id, LINKS, parent_id=call.object["id"])]


def add(call: Call) -> Json:
    """Link a control. One that is linked already stays as it is; another type is what PATCH is for."""
    control = control_named(call, call.body["controlId"])
    if control is None:
        raise unprocessable()
    control_type = call.body.get("controlType", EXISTING)
    link = link_of(call, control)
    if link is None:
        link = {"id": new_id(), "controlId": control["id"], "controlType": control_type}
        call.sandbox.objects.add(call.tenant.id, LINKS, link, parent_id=call.object["id"])
    elif link["controlType"] != control_type:
        raise unprocessable(f"The control is linked as {link['controlType']} already: change that with PATCH")
    return shown(call, link)


def change(call: Call) -> Json:
    name = call.ids[CONTROL]
    link = link_of(call, control_named(call, name))
    if link is None:
        raise Missing(LINKS, name)
    return shown(call, saved(call, LINKS, link | call.body))


def remove(call: Call) -> None:
    """Take a control off. One that is not linked is what was asked for already."""
    if link := link_of(call, control_named(call, call.ids[CONTROL])):
        call.sandbox.objects.delete(call.tenant.id, LINKS, link["id"])


def control_named(call: Call, name: str) -> Json | None:
    """Return the control that a short name or an id stands for."""
    named = Clause(sql="id = ? OR json_extract(body, '$.externalId') = ?", values=(name, name))
    for kind in CONTROL_KINDS:
        if found := call.sandbox.objects.all(call.tenant.id, kind, where=[named], limit=1):
            return found[0]
    return None


def link_of(call: Call, control: Json | None) -> Json | None:
    """Return what links a control to the scenario, if anything does."""
    if control is None:
        return None
    where = [equal("controlId", control["id"])]
    found = call.sandbox.objects.all(call.tenant.id, LINKS, parent_id=call.object["id"], where=where, limit=1)
    return found[0] if found else None


def shown(call: Call, link: Json) -> Json:
    """Name the control as the platform does: by its short name, or by its id where it has none."""
    control = control_named(call, link["controlId"])
    short_name = control["externalId"] if control else None
    return {"controlId": short_name or link["controlId"], "controlType": link["controlType"]}


CONTROL = "risk_control_id"
PATH = f"{SCENARIO}/controls"
ONE = f"{PATH}/<{CONTROL}>"
ROUTES = (
    Route("GET", PATH, chosen(find, shape=RISK_CONTROL)),
    Route("POST", PATH, add, body=ADD, answer=RISK_CONTROL, refusals=(422,)),
    Route("PATCH", ONE, change, body=PATCH, answer=RISK_CONTROL),
    Route("DELETE", ONE, remove, status=204),
)
