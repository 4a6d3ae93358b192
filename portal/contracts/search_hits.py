"""The contracts that a search over all desks finds."""

from collections.abc import Iterator
from urllib.parse import urlencode

from django.urls import reverse

from portal.accounts.models import Account
from portal.accounts.selectors import account_names
from portal.contracts.models import Contract
from portal.saved_views.found import Found


def find_contracts(words: str, slug: str, most: int) -> Iterator[Found]:
    """Give those with the words, the newest first."""
    rows = Contract.objects.present().first_matching(words, "-created_at", "-id").defer("payload", "search")
    found = list(rows[:most])
    names = account_names({row.account_id for row in found if row.account_id})
    for row in found:
        yield Found(str(row), names.get(row.account_id, ""), reverse("contracts:detail", args=[slug, row.platform_id]))


def find_customers_for_contract(words: str, slug: str, most: int) -> Iterator[Found]:
    """Give the upload of a contract for each customer with the words, by name."""
    upload_url = reverse("contracts:upload", args=[slug])
    rows = Account.objects.present().first_matching(words, "name_sort", "id").defer("payload", "search")
    for row in rows[:most]:
        url = f"{upload_url}?{urlencode({'account': row.platform_id})}"
        yield Found(f"New contract for {row}\N{HORIZONTAL ELLIPSIS}", row.domain if row.name else "", url)
