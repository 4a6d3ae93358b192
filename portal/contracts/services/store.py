"""What the platform sent becomes a row. Runs in the caller's transaction."""

from datetime import UTC
from typing import Any

from django.utils import timezone

from portal.contracts.models import NO_DATE, Contract, Terms
from portal.contracts.services.terms_links import rejoin_terms
from portal.lib.storable import storable
from portal.platform_api import models as remote
from portal.platform_api.identifiers import reference
from portal.tenants.erased_people import without_mentions

AREA = "contracts"
CONTRACT = "contract"
"""The kind in stale marks and in the history."""
NAME, EXTERNAL_ID = 500, 300


def store_contract(fetched: remote.Contract) -> bool:
    """Make the row equal to what was fetched; True when it changed. A row that is equal is not touched."""
    found = remote.Contract.read(without_mentions(storable(fetched.raw)))
    row = Contract.objects.select_for_update().filter(platform_id=found.id).first()
    columns = contract_columns(found, row) | {"gone_at": None}
    if row is None:
        rejoin_terms(Contract.objects.create(platform_id=found.id, **columns))
        return True
    # What people have set here stands before what the platform says.
    columns["account_id"] = own_account_id(row) or columns["account_id"]
    different = {name: value for name, value in columns.items() if getattr(row, name) != value}
    if not different:
        return False
    for name, value in different.items():
        setattr(row, name, value)
    row.save(update_fields=list(different))
    return True


def own_account_id(contract: Contract) -> str:
    """Return the customer that people have set here; empty where nobody has."""
    found = Terms.objects.filter(platform_id=contract.platform_id).values_list("account_id", flat=True).first()
    return found or ""


def contract_columns(found: remote.Contract, row: Contract | None) -> dict[str, Any]:
    external_id = found.external_id or ""
    # As it stands in UTC: whoever entered a day, here or there, meant that day and no hour of it.
    executed_on = found.executed_date.astimezone(UTC).date() if found.executed_date else None
    return {
        "name": found.name[:NAME],
        "external_id": external_id[:EXTERNAL_ID],
        "account_id": reference(found.customer_trust_account_id),
        "executed_on": executed_on,
        "executed_sort": executed_on or NO_DATE,
        "created_at": found.creation_date or (row.created_at if row else timezone.now()),
        "search": f"{found.name} {external_id}".casefold(),
        "payload": found.raw,
    }
