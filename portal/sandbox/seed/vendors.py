"""Makes vendors with their reviews, assessments, findings and documents (platform-api 4.7)."""

from collections.abc import Iterator
from random import Random

from portal.sandbox.kinds.vendors import SCOPES
from portal.sandbox.seed.cast import Cast
from portal.sandbox.seed.shapes import Batch, Json, ago, moment, new_id
from portal.sandbox.seed.vendor_facts import ASSESSMENT_TYPES, ATTRIBUTES, DISCOVERED, VENDORS
from portal.sandbox.seed.vendor_writer import Writer


def build(cast: Cast) -> Iterator[Batch]:
    """Walk vendors and what belongs to them, the oldest first."""
    content, identifiers = cast.content("vendors"), cast.identifiers("vendors")
    types = [
        {"id": new_id(identifiers), "name": name, "description": description, "status": status}
        for name, description, status in ASSESSMENT_TYPES
    ]
    attributes = [build_attribute(*facts, identifiers=identifiers) for facts in ATTRIBUTES]
    yield "vendor-assessment-types", None, types
    yield "vendor-risk-attributes", None, attributes
    writer = Writer(cast=cast, types=types, attributes=attributes, content=content, identifiers=identifiers)
    for number, (name, category, services) in enumerate(VENDORS):
        yield from writer.write(number, name, category, services)
    for number, (found, kind) in enumerate(DISCOVERED):
        yield from build_discovered(cast, number, found, kind, content=content, identifiers=identifiers)


def build_attribute(name: str, level: str, categories: tuple[str, ...], *, identifiers: Random) -> Json:
    return {
        "id": new_id(identifiers),
        "name": name,
        "description": f"The vendor {name[0].lower()}{name[1:]}.",
        "vendorCategories": [*categories],
        "enabled": True,
        "riskLevel": level,
    }


def build_discovered(
    cast: Cast, number: int, name: str, category: str | None, *, content: Random, identifiers: Random
) -> Iterator[Batch]:
    found = {
        "id": new_id(identifiers),
        "name": name,
        "category": category,
        "scope": SCOPES[number % len(SCOPES)],
        "discoveredDate": moment(ago(cast.now, content, days=(1, 90))),
    }
    users = content.sample(cast.users, k=3)
    accounts = [{"id": new_id(identifiers), "displayName": user["displayName"], "email": user["email"]} for user in users]
    yield "discovered-vendors", None, [found]
    yield "discovered-vendor-accounts", found["id"], accounts
