"""Erasure of a person's customer-trust data (platform-api 4.1.8)."""

from portal.sandbox.api.route import Call, Route
from portal.sandbox.api.schemas import NAME, closed
from portal.sandbox.changes.erasure import erase
from portal.sandbox.store import Json


def create(call: Call) -> Json:
    erase(call.sandbox, call.tenant.id, email=call.body["email"])
    return {"isSuccessful": True}


ROUTES = (
    Route(
        method="POST",
        path="/customer-trust/deletion-requests",
        handler=create,
        body=closed(required=["email"], email=NAME),
    ),
)
