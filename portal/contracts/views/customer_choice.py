"""The customers that were searched for by name, to choose one from: twenty thousand of them fit no list of choices."""

from typing import Any

from portal.accounts.models import Account
from portal.accounts.selectors import accounts_by_id
from portal.tenants.access import TenantRequest
from portal.ui.list_filters import clean_text

MAX_OFFERED = 12
FRAGMENT = "contracts/_customers_found.html"


def offered_customers(request: TenantRequest, chosen: str) -> dict[str, Any]:
    """Return what the choice shows: the one that is chosen, and those that the words of the address name."""
    words = clean_text(request.GET.get("customer", ""))
    there = Account.objects.present().defer("payload", "search").order_by("name_sort", "id")
    found = list(there.matching(words)[: MAX_OFFERED + 1]) if words else []
    return {
        "words": words,
        "chosen": accounts_by_id([chosen]).get(chosen),
        "accounts": [account for account in found[:MAX_OFFERED] if account.platform_id != chosen],
        "has_more": len(found) > MAX_OFFERED,
    }
