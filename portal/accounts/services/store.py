"""What the platform sent becomes a row. Runs in the caller's transaction."""

from typing import Any

from portal.accounts.models import Account
from portal.accounts.selectors import fold_domain
from portal.lib.storable import storable
from portal.platform_api import models as remote
from portal.sync.ages import is_older
from portal.tenants.erased_people import without_mentions

AREA = "accounts"
ACCOUNT = "account"
"""The kind in stale marks."""
NAME, DOMAIN, STATUS = 300, 320, 40


def store_account(fetched: remote.Account) -> bool:
    """Make the row equal to what was fetched; True when it changed. What is older than the row is left out (guarantee Q11)."""
    found = as_stored(fetched)
    columns = account_columns(found) | {"gone_at": None}
    row = Account.objects.select_for_update().filter(platform_id=found.id).first()
    if row is None:
        Account.objects.create(platform_id=found.id, **columns)
        return True
    if is_older(found.updated_date, row):
        return False
    different = {name: value for name, value in columns.items() if getattr(row, name) != value}
    if not different:
        return False
    for name, value in different.items():
        setattr(row, name, value)
    row.save(update_fields=list(different))
    return True


def as_stored(fetched: remote.Account) -> remote.Account:
    """Return an account as its row holds it. Its fields may name people who were erased."""
    return remote.Account.read(without_mentions(storable(fetched.raw)))


def account_columns(found: remote.Account) -> dict[str, Any]:
    nda = found.nda_details
    return {
        "name": found.name[:NAME],
        "name_sort": found.name.casefold()[:NAME],
        "domain": fold_domain(found.email_domain)[:DOMAIN],
        "nda_status": nda.nda_status[:STATUS] if nda else "",
        "nda_satisfied_at": nda.nda_satisfied_date if nda else None,
        "approves_itself": (found.access_config or {}).get("autoApprovalEnabled") is True,
        "access_config": found.access_config or {},
        "tags": found.tags_by_category or [],
        "custom_fields": found.custom_fields or [],
        "created_at": found.created_date,
        "updated_at": found.updated_date,
        "search": f"{found.name} {found.email_domain}".casefold(),
        "payload": found.raw,
    }
