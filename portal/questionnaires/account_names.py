"""How pages name the account that a questionnaire is for: by its name and linked, never by its id."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from portal.accounts.links import Link
from portal.accounts.models import Account
from portal.lib.key_batches import key_batches
from portal.lib.unnamed import named
from portal.questionnaires.models import ACCOUNT, Label

UNKNOWN: Final = "Unknown account"


@dataclass(frozen=True)
class NamedAccount:
    """An account as a page shows it. Without an address there is no page of it here."""

    name: str
    url: str = ""


def named_accounts(account_ids: Iterable[str], *, slug: str) -> dict[str, NamedAccount]:
    """Name accounts and lead to their pages. Each of the ids has an entry, also one that nobody knows; empty ones have none."""
    ids = {each for each in account_ids if each}
    known, labels = {}, _labels(ids)
    for batch in key_batches(ids):
        rows = Account.objects.filter(platform_id__in=batch).values_list("platform_id", "name", "domain", "gone_at")
        for account_id, name, domain, gone_at in rows:
            url = Link("customers:customer", (account_id,)).url(slug)
            deleted = " (deleted on the platform)" if gone_at else ""
            known[account_id] = NamedAccount(f"{named(name, domain)}{deleted}", url)
    return {each: known.get(each) or NamedAccount(labels.get(each, UNKNOWN)) for each in ids}


def account_names(account_ids: Iterable[str]) -> dict[str, str]:
    return {account_id: account.name for account_id, account in named_accounts(account_ids, slug="-").items()}


def _labels(account_ids: set[str]) -> dict[str, str]:
    """Names read for targets: they are there before the accounts themselves are copied."""
    return dict(Label.objects.filter(kind=ACCOUNT, platform_id__in=account_ids).values_list("platform_id", "name"))
