"""Vendors that were found in use (platform-api 4.7)."""

from portal.sandbox.api.filters import equal_to
from portal.sandbox.api.handlers import blank
from portal.sandbox.api.lists import listing
from portal.sandbox.api.route import Call, Route
from portal.sandbox.kinds.vendors import ACCOUNTS, DISCOVERIES, SCOPES, VENDOR, VENDORS
from portal.sandbox.store import Json


def add_to_managed(call: Call) -> Json:
    """Make a managed vendor of a discovered one, which is then no longer there."""
    found = call.object
    category = {"displayName": found["category"]} if found["category"] else None
    vendor = blank(VENDOR, now=call.now) | {"name": found["name"], "category": category}
    call.sandbox.objects.delete(call.tenant.id, DISCOVERIES, found["id"])
    return call.sandbox.objects.add(call.tenant.id, VENDORS, vendor)


PATH = "/discovered-vendors"
ONE = f"{PATH}/<discovered_vendor_id>"
ROUTES = (
    Route("GET", PATH, listing(DISCOVERIES, filters=[equal_to("scope", "scope", allowed=SCOPES)])),
    Route("GET", f"{ONE}/accounts", listing(ACCOUNTS)),
    Route("POST", f"{ONE}/add-to-managed", add_to_managed, answer=VENDOR),
)
