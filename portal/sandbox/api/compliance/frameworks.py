"""Frameworks and their controls (platform-api 4.10)."""

from portal.sandbox.api.compliance import links
from portal.sandbox.api.handlers import reading
from portal.sandbox.api.lists import chosen, listing
from portal.sandbox.api.route import Call, Route
from portal.sandbox.kinds.compliance.controls import CONTROL, FRAMEWORK
from portal.sandbox.store import Json

PATH = "/frameworks"
ONE = f"{PATH}/<framework_id>"


def controls_of(call: Call) -> list[Json]:
    where = [links.mapped_to(links.FRAMEWORK, [call.object["id"]])]
    return call.sandbox.objects.all(call.tenant.id, "controls", where=where)


ROUTES = (
    Route("GET", PATH, listing("frameworks", shape=FRAMEWORK)),
    Route("GET", ONE, reading("frameworks")),
    Route("GET", f"{ONE}/controls", chosen(controls_of, shape=CONTROL)),
)
