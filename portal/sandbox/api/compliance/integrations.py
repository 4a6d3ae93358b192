"""Integrations and the resources they bring in (platform-api 4.10)."""

from portal.sandbox.api.bulk import line_by_line, updates
from portal.sandbox.api.errors import unprocessable
from portal.sandbox.api.filters import equal_to, flag, flagged
from portal.sandbox.api.handlers import reading
from portal.sandbox.api.lists import brief, listing, showing
from portal.sandbox.api.people.users import ACTIVE
from portal.sandbox.api.route import Call, Operation, Parameter, Query, Route
from portal.sandbox.kinds.compliance.integrations import (
    COUNTS,
    INTEGRATION,
    INTEGRATIONS,
    LISTED_KIND,
    RESOURCE,
    RESOURCE_KIND,
    RESOURCE_KINDS,
    RESOURCES,
)
from portal.sandbox.objects import Clause, Missing
from portal.sandbox.schemas import BOOLEAN, NAME, STRING, array, closed, paged
from portal.sandbox.store import Json

CONNECTION = equal_to("connectionId", "connectionId")
MAY = {"inScope": "isScopable", "description": "canUpdateDescription", "ownerId": "canUpdateOwner"}
"""What a kind says of whether a field of its resources can be changed."""
CHANGES: Json = {"inScope": BOOLEAN, "description": STRING, "ownerId": NAME}


def filled(name: str, field: str) -> Parameter:
    """Keep resources that have something in a field, or those that have nothing."""

    def read(query: Query) -> Clause | None:
        wanted = flag(query, name)
        sql = f"ifnull(json_extract(body, '$.{field}'), '') {'!=' if wanted else '='} ''"
        return None if wanted is None else Clause(sql=sql)

    return Parameter(name=name, schema=BOOLEAN, read=read)


FILTERS = (
    CONNECTION,
    filled("hasDescription", "description"),
    filled("hasOwner", "owner"),
    flagged("isInScope", "inScope"),
)


def integration(call: Call, body: Json) -> Json:
    return brief(body, INTEGRATION)


def kinds(call: Call) -> list[Json]:
    """Answer the kinds without an envelope and without pages."""
    found = call.sandbox.objects.all(call.tenant.id, RESOURCE_KINDS, parent_id=call.object["id"], oldest_first=True)
    return [brief(kind, LISTED_KIND) for kind in found]


def kind(call: Call) -> Json:
    """Answer a kind with the number of its resources, or of those of one connection."""
    connection = CONNECTION.read(call.query)
    where = [connection] if connection else []
    found = call.sandbox.objects.all(call.tenant.id, RESOURCES, parent_id=call.object["id"], where=where)
    numbers = (
        len(found),
        sum(resource["inScope"] for resource in found),
        sum(resource["owner"] is not None for resource in found),
        sum(bool(resource["description"]) for resource in found),
    )
    return brief(call.object, LISTED_KIND) | dict(zip(COUNTS, numbers, strict=True))


def resource(call: Call, body: Json) -> Json:
    return {name: value for name, value in body.items() if name != "id"}


def change(call: Call, resource_id: str, sent: Json) -> None:
    """Change a resource so far as its kind can be changed, for a current user. Raises Missing and a 422."""
    kind = call.found["resource_kind_id"]
    if call.sandbox.objects.parent_of(call.tenant.id, RESOURCES, resource_id) != kind["id"]:
        raise Missing(RESOURCES, resource_id)
    for name in sent:
        if not kind[MAY[name]]:
            raise unprocessable(f"{name} of this kind of resource cannot be changed")
    changed = {name: value for name, value in sent.items() if name != "ownerId"}
    if "ownerId" in sent:
        changed["owner"] = current_user(call, sent["ownerId"])
    kept = call.sandbox.objects.get(call.tenant.id, RESOURCES, resource_id)
    call.sandbox.objects.save(call.tenant.id, RESOURCES, kept | changed)


def current_user(call: Call, user_id: str) -> str:
    """Return the id of a user who is still there. Raises a 422 for any other."""
    users = call.sandbox.objects.all(call.tenant.id, "users", where=[Clause(sql="id = ?", values=(user_id,)), ACTIVE])
    if not users:
        raise unprocessable("The owner must be a current user")
    return user_id


def change_line(call: Call, line: Json) -> None:
    change(call, line["id"], {name: value for name, value in line.items() if name != "id"})


def change_one(call: Call) -> None:
    change(call, call.object["id"], call.body)


PATH = "/integrations"
ONE = f"{PATH}/<integration_id>"
KIND = f"{ONE}/resource-kinds/<resource_kind_id>"
RESOURCE_PATH = f"{KIND}/resources"
ONE_RESOURCE = f"{RESOURCE_PATH}/<integration_resource_id>"
WITH_CONNECTION = Operation(run=kind, answer=RESOURCE_KIND, parameters=[CONNECTION])
ROUTES = (
    Route("GET", PATH, listing(INTEGRATIONS, shape=INTEGRATION)),
    Route("GET", ONE, showing(reading(INTEGRATIONS), integration, shape=INTEGRATION)),
    Route("GET", f"{ONE}/resource-kinds", kinds, answer=array(LISTED_KIND)),
    Route("GET", KIND, WITH_CONNECTION),
    Route("GET", RESOURCE_PATH, showing(listing(RESOURCES, filters=FILTERS), resource, shape=paged(RESOURCE))),
    Route("PATCH", RESOURCE_PATH, line_by_line(change_line), body=updates(50, optional=CHANGES)),
    Route("GET", ONE_RESOURCE, showing(reading(RESOURCES), resource, shape=RESOURCE)),
    Route("PATCH", ONE_RESOURCE, change_one, body=closed(**CHANGES), status=204, refusals=(422,)),
)
