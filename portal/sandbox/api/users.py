"""The tenant's users, and those who can own or approve a questionnaire (platform-api 4.1.4, 4.6)."""

from portal.sandbox.api.errors import Invalid
from portal.sandbox.api.lists import clauses, containing, flagged, listing, reading
from portal.sandbox.api.route import Call, Route
from portal.sandbox.objects import Clause
from portal.sandbox.store import Json

ROLES = ("owner", "approver")


def assignable_users(call: Call) -> Json:
    """Answer the active users; the envelope has no pageInfo here (platform-api 1.3)."""
    role = call.query.get("role")
    if role and role not in ROLES:
        raise Invalid.at("role", f"must be one of {', '.join(ROLES)}", value=role)
    where = [Clause(sql="json_extract(body, '$.isActive')"), *clauses([containing("q", "displayName")], call.query)]
    users = call.sandbox.objects.all(call.tenant.id, "users", where=where, oldest_first=True)
    return {"results": {"data": [{"id": user["id"], "displayName": user["displayName"]} for user in users]}}


ROUTES = (
    Route(method="GET", path="/customer-trust/questionnaires/assignable-users", handler=assignable_users),
    Route(method="GET", path="/users", handler=listing("users", filters=[flagged("isActive", "isActive")])),
    Route(method="GET", path="/users/<user_id>", handler=reading("users", by="user_id")),
)
