"""The contracts that a search over all desks finds."""

from collections.abc import Iterator

from django.urls import reverse

from portal.accounts.selectors import account_names
from portal.contracts.models import Contract
from portal.saved_views.found import Found


def find_contracts(words: str, slug: str, most: int) -> Iterator[Found]:
    """Give those with the words, the newest first."""
    found = list(Contract.objects.present().matching(words).order_by("-created_at", "-id").defer("payload", "search")[:most])
    names = account_names({row.account_id for row in found if row.account_id})
    for row in found:
        yield Found(str(row), names.get(row.account_id, ""), reverse("contracts:detail", args=[slug, row.platform_id]))
