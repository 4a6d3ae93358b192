"""How accounts are fetched, stored and found gone. No event tells of them: the comparison of the whole list does."""

from django.utils import timezone

from portal.accounts.models import Account
from portal.accounts.services import ACCOUNT, AREA, store_account
from portal.platform_api import Page, Platform
from portal.platform_api import models as remote
from portal.sync.mirrors import Mirror, names_of_rows


def fetch_account(client: Platform, account_id: str) -> remote.Account:
    return client.accounts.get(account_id)


def page_of_accounts(client: Platform, cursor: str | None) -> Page[remote.Account]:
    return client.accounts.all.page(cursor)


def has_account(account_id: str) -> bool:
    return Account.objects.filter(platform_id=account_id).exists()


def mark_account_gone(account_id: str) -> bool:
    return bool(Account.objects.present().filter(platform_id=account_id).update(gone_at=timezone.now()))


def known_accounts() -> set[str]:
    return set(Account.objects.present().values_list("platform_id", flat=True))


MIRRORS = (
    Mirror(
        kind=ACCOUNT,
        names=names_of_rows(Account),
        title="Customers",
        area=AREA,
        fetch=fetch_account,
        save=store_account,
        mark_gone=mark_account_gone,
        has=has_account,
        page=page_of_accounts,
        known=known_accounts,
    ),
)
