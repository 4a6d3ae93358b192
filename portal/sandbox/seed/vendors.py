"""Makes vendors with their reviews, assessments, findings and documents (platform-api 4.7)."""

from collections.abc import Iterator
from random import Random

from portal.sandbox.kinds.vendors import DISCOVERY_SOURCES, IGNORED, REJECTED, SCOPES
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
    scope = SCOPES[number % len(SCOPES)]
    discovered = moment(ago(cast.now, content, days=(1, 90)))
    user_id = cast.users[0]["id"]
    ignored = {"ignoredAtDate": discovered, "ignoredReason": "One trial account", "ignoredByUserId": user_id}
    rejected = {"rejectedAtDate": discovered, "rejectedReason": None, "rejectedByUserId": user_id}
    found: Json = {
        "id": new_id(identifiers),
        "name": name,
        "normalizedName": name.lower(),
        "category": {"name": category} if category else None,
        "source": DISCOVERY_SOURCES[number % len(DISCOVERY_SOURCES)],
        "discoveredDate": discovered,
        "numberOfAccounts": 3,
        "ignored": ignored if scope == IGNORED else None,
        "rejected": rejected if scope == REJECTED else None,
    }
    of_users = [account(user, identifiers) for user in content.sample(cast.users, k=3)]
    computer = {"type": "COMPUTER", "id": new_id(identifiers), "displayName": "laptop-7", "owner": of_users[0]}
    accounts = [*of_users[1:], computer]
    yield "discovered-vendors", None, [found]
    yield "discovered-vendor-accounts", found["id"], accounts


def account(user: Json, identifiers: Random) -> Json:
    return {"type": "USER", "id": new_id(identifiers), "email": user["email"], "displayName": user["displayName"]}
