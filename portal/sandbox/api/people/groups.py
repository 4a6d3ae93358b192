"""Groups and who is in them (specification 4.1, platform-api 4.6)."""

from zlib import crc32

from portal.sandbox.api.bulk import ERROR, SUCCESS, line_by_line, updates
from portal.sandbox.api.errors import unprocessable
from portal.sandbox.api.filters import any_of, containing
from portal.sandbox.api.handlers import creating, reading
from portal.sandbox.api.lists import listing
from portal.sandbox.api.people.users import ACTIVE
from portal.sandbox.api.route import Call, Route
from portal.sandbox.changes.access_requests import of_person
from portal.sandbox.changes.people import join, leave, people_of
from portal.sandbox.kinds.people import GROUPS, IDP_GROUPS, OWN, PEOPLE, PERSON
from portal.sandbox.objects import Missing, equal
from portal.sandbox.schemas import MAYBE_STRING, NAME, STRING, array, closed, nullable, one_of, record, reference, unpaged
from portal.sandbox.store import Json
from portal.sandbox.values import new_id

CREATE = closed(required=["name"], name=NAME, description=MAYBE_STRING, pointOfContactEmail=nullable(NAME))
ADD = closed(required=["id"], id=reference("people"))
MANY = updates(100)
IMPORT = closed(required=["idpGroupIds"], idpGroupIds=array(NAME, minItems=1, maxItems=100))
IMPORTED = record(idpGroupId=STRING, status=one_of(SUCCESS), groupId=STRING)
NOT_IMPORTED = record(
    idpGroupId=STRING, status=one_of(ERROR), reason=one_of("NOT_FOUND", "IMPORT_FAILED"), message=STRING
)  # fmt: skip
MEMBERS_EVERY = 7
IDP_FILTERS = (containing("search", "name"), any_of("integrationId", "integrationId"))


def made_by_hand(call: Call) -> Json:
    """Make what a group has besides what was sent. Raises a 422 for a name that another group has."""
    if call.sandbox.objects.all(call.tenant.id, GROUPS, where=[equal("name", call.body["name"])], limit=1):
        raise unprocessable("A group with this name already exists")
    email = call.body.get("pointOfContactEmail")
    contact = None if email is None else point_of_contact(call, email)
    return {"source": OWN, "creationDate": call.now, "pointOfContact": contact}


def point_of_contact(call: Call, email: str) -> Json:
    """Name the active user with this address. Raises a 422 where there is none."""
    known = call.sandbox.objects.all(call.tenant.id, "users", where=[ACTIVE, of_person(email)], limit=1)
    if not known:
        raise unprocessable("The point of contact must be an active administrator")
    return {"email": known[0]["email"], "displayName": known[0]["displayName"]}


def people(call: Call) -> list[Json]:
    return people_of(call.sandbox, call.tenant.id, call.object["id"])


def add(call: Call) -> Json:
    return join(call.sandbox, call.tenant.id, call.object["id"], call.body["id"])


def take_out(call: Call) -> Json:
    return leave(call.sandbox, call.tenant.id, call.ids["group_id"], call.ids["person_id"])


def add_line(call: Call, line: Json) -> None:
    join(call.sandbox, call.tenant.id, call.object["id"], line["id"])


def remove_line(call: Call, line: Json) -> None:
    leave(call.sandbox, call.tenant.id, call.object["id"], line["id"])


def import_all(call: Call) -> Json:
    return {"results": [import_one(call, idp_group_id) for idp_group_id in call.body["idpGroupIds"]]}


def import_one(call: Call, idp_group_id: str) -> Json:
    """Make a group of one of the identity provider, with its people; it is then no longer there to import."""
    try:
        found = call.sandbox.objects.get(call.tenant.id, IDP_GROUPS, idp_group_id)
    except Missing as missing:
        return {"idpGroupId": idp_group_id, "status": ERROR, "reason": "NOT_FOUND", "message": str(missing)}
    call.sandbox.objects.delete(call.tenant.id, IDP_GROUPS, idp_group_id)
    group = {
        "id": new_id(),
        "name": found["name"],
        "creationDate": call.now,
        "description": None,
        "source": found["integrationId"],
        "personnelCount": 0,
        "pointOfContact": None,
    }
    call.sandbox.objects.add(call.tenant.id, GROUPS, group)
    for person in members_of(call, idp_group_id):
        join(call.sandbox, call.tenant.id, group["id"], person["id"])
    return {"idpGroupId": idp_group_id, "status": SUCCESS, "groupId": group["id"]}


def members_of(call: Call, idp_group_id: str) -> list[Json]:
    """Say who is in a group of the identity provider: some of its people, always the same ones."""
    everybody = call.sandbox.objects.all(call.tenant.id, PEOPLE, oldest_first=True)
    return everybody[crc32(idp_group_id.encode()) % MEMBERS_EVERY :: MEMBERS_EVERY]


PATH = "/groups"
ONE = f"{PATH}/<group_id>"
IMPORT_ANSWER = unpaged({"anyOf": [IMPORTED, NOT_IMPORTED]})
ROUTES = (
    Route("GET", PATH, listing(GROUPS)),
    Route("POST", PATH, creating(GROUPS, fill=made_by_hand), body=CREATE, status=201, refusals=(422,)),
    Route("GET", f"{PATH}/importable-idp-groups", listing(IDP_GROUPS, filters=IDP_FILTERS)),
    Route("POST", f"{PATH}/import-from-idp", import_all, body=IMPORT, answer=IMPORT_ANSWER),
    Route("GET", ONE, reading(GROUPS)),
    Route("GET", f"{ONE}/people", people, answer=array(PERSON)),
    Route("POST", f"{ONE}/people", add, body=ADD, answer=PERSON),
    Route("DELETE", f"{ONE}/people/<person_id>", take_out, answer=PERSON),
    Route("POST", f"{ONE}/add-people", line_by_line(add_line), body=MANY),
    Route("POST", f"{ONE}/remove-people", line_by_line(remove_line), body=MANY),
)
