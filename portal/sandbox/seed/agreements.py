"""Contracts with customers (platform-api 4.2) and people who asked to be erased (platform-api 4.1.8)."""

from datetime import timedelta

from portal.sandbox.seed.cast import Cast, build_person
from portal.sandbox.seed.shapes import Json, ago, moment, new_id

CONTRACT_KINDS = (
    "Master services agreement",
    "Data processing agreement",
    "Order form",
    "Security addendum",
    "Business associate agreement",
)


def build_contracts(cast: Cast, *, count: int) -> list[Json]:
    """Make the contracts, the oldest first. Most carry the id of the system they came from, unique per tenant."""
    content, identifiers = cast.content("contracts"), cast.identifiers("contracts")
    contracts = []
    for number in range(count):
        customer, account = cast.customer_of(number), cast.account_of(number)
        created = ago(cast.now, content, days=(0.5, 600))
        executed = created - timedelta(days=content.uniform(1, 30))
        contract = {
            "id": new_id(identifiers),
            "externalId": f"CLM-{2000 + number}" if content.random() < 0.8 else None,
            "name": f"{customer.name} - {content.choice(CONTRACT_KINDS)}.pdf",
            "customerTrustAccountId": account["id"] if content.random() < 0.9 else None,
            "executedDate": moment(executed) if content.random() < 0.85 else None,
            "creationDate": moment(created),
        }
        contracts.append(contract)
    return sorted(contracts, key=lambda contract: str(contract["creationDate"]))


def build_deletion_requests(cast: Cast, *, count: int) -> list[Json]:
    """Make the erasures already asked for. The API shows none of them; the sandbox keeps them for its console."""
    content, identifiers = cast.content("deletion requests"), cast.identifiers("deletion requests")
    erased = [
        {
            "id": new_id(identifiers),
            "email": f"former.{build_person(cast.customer_of(number), content=content)['email']}",
            "creationDate": moment(ago(cast.now, content, days=(1, 60))),
        }
        for number in range(count)
    ]
    return sorted(erased, key=lambda request: str(request["creationDate"]))
