"""Owners and approvers inside bodies."""

from portal.sandbox.api.errors import unprocessable
from portal.sandbox.api.route import Call
from portal.sandbox.objects import Missing
from portal.sandbox.store import Json


def assigned(call: Call, assignment: Json) -> Json:
    """Complete an assignment with the name. An unknown user is refused; teams have no endpoint and are taken as they come."""
    if assignment["type"] == "Team":
        return assignment | {"displayName": None}
    try:
        user = call.sandbox.objects.get(call.tenant.id, "users", assignment["id"])
    except Missing:
        raise unprocessable() from None
    return assignment | {"displayName": user["displayName"]}
