"""Vendors that were found in use (platform-api 4.7)."""

from portal.sandbox.api.handlers import blank
from portal.sandbox.api.lists import choice, listing
from portal.sandbox.api.route import Call, Parameter, Query, Route
from portal.sandbox.kinds.vendors import (
    ACCOUNTS,
    DISCOVERED_ACCOUNT,
    DISCOVERIES,
    IGNORED,
    NEEDS_REVIEW,
    REJECTED,
    SCOPES,
    VENDOR,
    VENDORS,
)
from portal.sandbox.objects import Clause
from portal.sandbox.schemas import one_of, paged
from portal.sandbox.store import Json


def add_to_managed(call: Call) -> Json:
    """Make a managed vendor of a discovered one, which is then no longer there."""
    found = call.object
    category = {"displayName": found["category"]["name"]} if found["category"] else None
    vendor = blank(VENDOR, now=call.now) | {"name": found["name"], "category": category}
    call.sandbox.objects.delete(call.tenant.id, DISCOVERIES, found["id"])
    return call.sandbox.objects.add(call.tenant.id, VENDORS, vendor)


def of_scope(query: Query) -> Clause | None:
    """Keep those that wait for a review, unless others are asked for: the answer says what was decided, if anything."""
    return WHERE[choice(query, "scope", SCOPES)]


WHERE = {
    NEEDS_REVIEW: Clause(sql="json_extract(body, '$.ignored') IS NULL AND json_extract(body, '$.rejected') IS NULL"),
    IGNORED: Clause(sql="json_extract(body, '$.ignored') IS NOT NULL"),
    REJECTED: Clause(sql="json_extract(body, '$.rejected') IS NOT NULL"),
}
SCOPE = Parameter(name="scope", schema=one_of(*SCOPES) | {"default": NEEDS_REVIEW}, read=of_scope)
PATH = "/discovered-vendors"
ONE = f"{PATH}/<discovered_vendor_id>"
ROUTES = (
    Route("GET", PATH, listing(DISCOVERIES, filters=[SCOPE])),
    Route("GET", f"{ONE}/accounts", listing(ACCOUNTS), answer=paged(DISCOVERED_ACCOUNT)),
    Route("POST", f"{ONE}/add-to-managed", add_to_managed, answer=VENDOR),
)
