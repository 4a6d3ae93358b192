"""What this desk tells the others of a customer."""

from collections.abc import Iterator, Mapping, Set
from datetime import date, datetime

from django.db.models import Count, Max, Q
from django.utils import timezone
from django.utils.formats import date_format

from portal.accounts.account_facts import AccountFacts
from portal.accounts.links import Link
from portal.accounts.models import Account
from portal.accounts.timeline import Customer, TimelineEntry
from portal.contracts.models import Contract
from portal.users.dates import in_form


def contracts_of(account_ids: Set[str]) -> Mapping[str, AccountFacts]:
    """Count the contracts of accounts, those of them that have ended, and say when the latest was executed."""
    # One that renews itself has no end until somebody gives notice, also where its next turn was not worked out yet.
    ended = Q(ends_sort__lt=timezone.localdate()) & ~Q(terms__renews_itself=True)
    rows = Contract.objects.present().filter(account_id__in=account_ids).order_by().values("account_id")
    found = {}
    for row in rows.annotate(number=Count("id"), ended=Count("id", filter=ended), latest=Max("executed_on")):
        number, latest = row["number"], row["latest"]
        words = describe(number, row["ended"], latest)
        found[row["account_id"]] = AccountFacts(number=number, finished=row["ended"], latest=latest, description=words)
    return found


def describe(number: int, finished: int, latest: date | None) -> str:
    words = f"{number} contract{'' if number == 1 else 's'}"
    if latest:
        words += f", {'' if number == 1 else 'the latest '}of {date_format(latest, in_form('j F Y'))}"
    if finished:
        words += ", ended" if finished == number else f", {finished} ended"
    return words


def list_of(account: Account) -> Link:
    return Link("contracts:list", query={"account": account.platform_id})


def moments_of(customer: Customer, until: datetime, number: int) -> Iterator[TimelineEntry]:
    """Tell when the platform got the contracts of a customer."""
    rows = Contract.objects.filter(account_id__in=customer.account_ids, created_at__lte=until).defer("payload", "search")
    for row in rows.order_by("-created_at", "-id")[:number]:
        executed = f"Executed on {date_format(row.executed_on, in_form('j F Y'))}." if row.executed_on else ""
        link = Link("contracts:detail", (row.platform_id,))
        yield TimelineEntry(at=row.created_at, title=f"Contract added: {row}", text=executed, icon="handshake", link=link)
