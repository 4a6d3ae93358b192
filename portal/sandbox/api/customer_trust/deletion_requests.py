"""Erasure of a person's customer-trust data (platform-api 4.1.8)."""

from portal.sandbox.api.handlers import succeeding
from portal.sandbox.api.route import Call, Route
from portal.sandbox.changes.erasure import erase
from portal.sandbox.schemas import NAME, closed


def create(call: Call) -> None:
    erase(call.sandbox, call.tenant.id, email=call.body["email"])


PATH = "/customer-trust/deletion-requests"
ROUTES = (Route("POST", PATH, succeeding(create), body=closed(required=["email"], email=NAME)),)
