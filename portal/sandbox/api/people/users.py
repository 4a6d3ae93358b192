"""The tenant's users, and those who can own or approve a questionnaire (platform-api 4.1.4, 4.6)."""

from portal.sandbox.api.filters import containing, values_of
from portal.sandbox.api.handlers import reading
from portal.sandbox.api.lists import clauses, listing
from portal.sandbox.api.route import Call, Operation, Parameter, Route
from portal.sandbox.objects import Clause
from portal.sandbox.schemas import STRING, array, one_of, record
from portal.sandbox.store import Json

ROLES = ("owner", "approver")
ASSIGNABLE = record(results=record(data=array(record(id=STRING, displayName=STRING))))
SEARCH = containing("q", "displayName")
ROLE = Parameter(name="role", schema=one_of(*ROLES))
ACTIVE = Clause(sql="json_extract(body, '$.isActive')")


def assignable_users(call: Call) -> Json:
    """Answer the active users; the envelope has no pageInfo here (platform-api 1.3)."""
    values_of(call.query, ROLE.name, ROLES)
    where = [ACTIVE, *clauses([SEARCH], call.query)]
    users = call.sandbox.objects.all(call.tenant.id, "users", where=where, oldest_first=True)
    return {"results": {"data": [{"id": user["id"], "displayName": user["displayName"]} for user in users]}}


ROUTES = (
    Route(
        "GET",
        "/customer-trust/questionnaires/assignable-users",
        Operation(run=assignable_users, answer=ASSIGNABLE, parameters=(ROLE, SEARCH)),
    ),
    Route("GET", "/users", listing("users", only=ACTIVE)),
    Route("GET", "/users/<user_id>", reading("users")),
)
