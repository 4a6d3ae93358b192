"""What the pages of the desk show, over several rows and rooms."""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from django.utils import timezone

from portal.accounts.account_facts import TITLES, AccountFacts, desks, facts_for_accounts
from portal.accounts.merged_accounts import MergedAccount, customers_of
from portal.accounts.models import Account
from portal.accounts.selectors import matches_by_domain
from portal.accounts.services import AREA as ACCOUNTS
from portal.accounts.tags import tags_of
from portal.accounts.timeline import Customer
from portal.customers.custom_fields import pairs_of
from portal.customers.models import NewCustomer
from portal.page_refresh.services import area_version, cached_for_version

MAX_CREATIONS = 5


@dataclass(frozen=True)
class CustomerRow:
    """A customer with what the desks know of it."""

    account: Account
    known: dict[str, AccountFacts]
    whole: MergedAccount
    main: Account | None = None
    """Of a duplicate the account that stands for its customer."""

    @property
    def told(self) -> list[str]:
        """The same in words, in one order for every customer."""
        return [self.known[name].description for name in TITLES if name in self.known]


def facts_version() -> str:
    """Return the version of what the desks know of customers."""
    return area_version(*sorted({desk.area for desk in desks().values()} | {ACCOUNTS}))


def customer_rows(accounts: Sequence[Account]) -> list[CustomerRow]:
    """Give each customer with what is known of it; a handful of queries for all. A duplicate's is told at its main account."""
    ids = {account.platform_id for account in accounts}
    wholes = customers_of(ids)
    mains = {key: wholes[key].main_id for key in ids if wholes[key].main_id != key}
    names = {row.platform_id: row for row in Account.objects.filter(platform_id__in=set(mains.values()))} if mains else {}
    told = ids - {key for key, main_id in mains.items() if main_id in names}
    key = sha256(" ".join(sorted(told)).encode()).hexdigest()
    known = cached_for_version(facts_version(), f"facts:{key}", lambda: facts_for_accounts(told, customers=wholes))
    return [
        CustomerRow(account, known.get(key, {}), wholes[key], names.get(mains.get(key, "")))
        for account in accounts
        for key in [account.platform_id]
    ]


@dataclass(frozen=True)
class Figure:
    """What one desk has of a customer, and where it lists that."""

    title: str
    number: int
    description: str
    url: str


def figures_of(account: Account, *, slug: str) -> list[Figure]:
    known = facts_for_accounts({account.platform_id})[account.platform_id]
    return [
        Figure(
            title=TITLES[name],
            number=known[name].number if name in known else 0,
            description=known[name].description if name in known else "None yet",
            url=desk.list_url(account).url(slug) if name in known else "",
        )
        for name, desk in desks().items()
    ]


def facts_of(account: Account) -> list[tuple[str, str]]:
    """What somebody entered for a customer beyond what every customer has."""
    return [(label or "Without a label", text or "empty") for label, text in pairs_of(account)]


def tag_words(account: Account) -> list[tuple[str, str]]:
    """Name the tags, by their category."""
    return [(category, ", ".join(tags)) for category, tags in tags_of(account).items()]


def access_words(account: Account) -> str:
    """Say in a sentence who decides about requests of this customer's people."""
    if not account.access_config:
        return "The platform does not say how their access requests are approved."
    if not account.approves_itself:
        return "Their access requests are decided manually."
    grants = f"grants {account.grants}" if account.grants else "does not say what it grants"
    return f"The platform approves their access requests automatically and {grants}."


@dataclass(frozen=True)
class PartRow:
    """One account of a customer that has several, with what the platform tells of it."""

    account: Account
    is_main: bool
    access_words: str
    facts: list[tuple[str, str]]
    tags: list[tuple[str, str]]


def parts_of(account: Account, whole: MergedAccount) -> list[PartRow]:
    """Give the accounts of a customer that has several, the main one first."""
    if not whole.is_merged:
        return []
    rows = Account.objects.filter(platform_id__in=whole.account_ids).defer("payload", "search").order_by()
    return [
        PartRow(row, row.platform_id == whole.main_id, access_words(row), facts_of(row), tag_words(row))
        for row in sorted(rows, key=lambda row: (row.platform_id != whole.main_id, row.name_sort, row.pk))
    ]


@dataclass(frozen=True)
class Side:
    """One of two accounts that somebody thinks of merging."""

    account: Account
    told: list[str]
    total: int
    """How many things the desks have of it: the one with the most is offered as the main one."""
    is_older: bool
    part: PartRow


def sides(one: Account, other: Account) -> list[Side]:
    """Lay two accounts beside each other."""
    known = facts_for_accounts({one.platform_id, other.platform_id})
    found = []
    for account, opposite in ((one, other), (other, one)):
        mine = known[account.platform_id]
        found.append(
            Side(
                account,
                [mine[name].description for name in TITLES if name in mine],
                sum(each.number for each in mine.values()),
                bool(account.created_at and opposite.created_at and account.created_at < opposite.created_at),
                PartRow(account, False, access_words(account), facts_of(account), tag_words(account)),
            )
        )
    return found


def customer_of(account: Account, whole: MergedAccount, parts: Sequence[PartRow]) -> tuple[Customer, list[Account]]:
    """Say whose moments a timeline tells, and which other customers name one of the mail domains, so that it is nobody's."""
    domains = {part.account.domain for part in parts} | {account.domain}
    matches = matches_by_domain(domains)
    twins = {
        domain: [each for each in match.accounts if each.platform_id not in whole.account_ids]
        for domain, match in matches.items()
    }
    own = {domain for domain in domains if not twins.get(domain)}
    customer = Customer(
        account.platform_id,
        account.domain if account.domain in own else "",
        other_ids=whole.account_ids - {account.platform_id},
        other_domains=frozenset(own - {account.domain}),
    )
    return customer, [each for found in twins.values() for each in found]


def creations_shown() -> list[NewCustomer]:
    """Customers on their way, and those that did not arrive, as long as they are not there after all."""
    rows = list(NewCustomer.objects.shown(timezone.now())[:MAX_CREATIONS])
    absent = {row.domain for row in rows if row.is_absent}
    there = matches_by_domain(absent) if absent else {}
    return [row for row in rows if not row.is_absent or not _has_arrived(row, there)]


def _has_arrived(row: NewCustomer, there: dict[str, Any]) -> bool:
    accounts = there[row.domain].accounts if row.domain in there else ()
    return any(each.name.casefold() == row.name.casefold() and each.platform_id not in row.seen_before for each in accounts)
