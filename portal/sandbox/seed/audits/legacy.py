"""Makes what the six deprecated lists of an audit show: the tenant's own shapes, as of the audit (platform-api 4.13)."""

from collections.abc import Iterator
from random import Random

from portal.sandbox.kinds.audits.legacy import ASSETS, COMPUTERS, PEOPLE, REMEDIATIONS, VENDOR, VENDORS, VULNERABILITIES
from portal.sandbox.seed import inventory, people
from portal.sandbox.seed.cast import Cast
from portal.sandbox.seed.names import company
from portal.sandbox.seed.shapes import Batch, Json, new_id
from portal.sandbox.seed.vendor_writer import Writer

GROUPS = ("Engineering", "People", "Sales")
VENDOR_COUNT = 4


def with_id(identifiers: Random, **fields: object) -> Json:
    return {"id": new_id(identifiers), **fields}


def build(cast: Cast, audit: Json, content: Random, identifiers: Random) -> Iterator[Batch]:
    """Walk the lists."""
    groups = [with_id(identifiers) for _ in GROUPS]
    everybody = [
        people.build_person(cast, number, groups=groups, content=content, identifiers=identifiers)
        for number in range(len(cast.users))
    ]
    assets, found, remediations = inventory.build_weaknesses(cast, identifiers)
    for kind, bodies in {
        COMPUTERS: inventory.build_computers(cast, identifiers),
        PEOPLE: everybody,
        VENDORS: build_vendors(cast, content, identifiers),
        ASSETS: assets,
        VULNERABILITIES: found,
        REMEDIATIONS: remediations,
    }.items():
        yield kind, audit["id"], bodies


def build_vendors(cast: Cast, content: Random, identifiers: Random) -> list[Json]:
    """Make vendors; what their reviews came to is not shown here."""
    attributes = [with_id(identifiers) for _ in range(2)]
    writer = Writer(cast=cast, types=[], attributes=attributes, content=content, identifiers=identifiers)
    unreviewed = {"nextSecurityReviewDueDate": None, "lastSecurityReviewCompletionDate": None}
    vendors = [
        writer.vendor(number, company(number + 30).name, "Cloud hosting", "Serves customers.") | unreviewed
        for number in range(VENDOR_COUNT)
    ]
    return [{name: vendor[name] for name in VENDOR["required"]} for vendor in vendors]
