"""The owner of a control or document: a user or nobody (platform-api 4.10, 4.11)."""

from portal.sandbox.api.route import Call
from portal.sandbox.schemas import closed, nullable, reference
from portal.sandbox.store import Json

SET_OWNER = closed(required=["userId"], userId=nullable(reference("users")))


def as_owner(call: Call) -> Json:
    """Show the user that was sent as the owner of something."""
    user_id = call.body["userId"]
    if user_id is None:
        return {"owner": None}
    user = call.sandbox.objects.get(call.tenant.id, "users", user_id)
    return {"owner": {"id": user["id"], "emailAddress": user["email"], "displayName": user["displayName"]}}
