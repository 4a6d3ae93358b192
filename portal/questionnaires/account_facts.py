"""What this desk tells the others of a customer."""

from collections.abc import Iterator, Mapping, Set
from datetime import date, datetime

from django.db.models import Count, Q

from portal.accounts.account_facts import AccountFacts
from portal.accounts.links import Link
from portal.accounts.models import Account
from portal.accounts.timeline import Customer, TimelineEntry
from portal.questionnaires.models import Questionnaire
from portal.questionnaires.stages import FINISHED


def questionnaires_of(account_ids: Set[str]) -> Mapping[str, AccountFacts]:
    """Count the questionnaires of accounts, and those that are finished."""
    rows = Questionnaire.objects.present().filter(account_id__in=account_ids).order_by().values("account_id")
    found = {}
    for row in rows.annotate(number=Count("id"), finished=Count("id", filter=Q(status__in=FINISHED))):
        number, finished = row["number"], row["finished"]
        found[row["account_id"]] = AccountFacts(number=number, finished=finished, description=describe(number, finished))
    return found


def describe(number: int, finished: int, latest: date | None = None) -> str:
    return f"{number} questionnaire{'' if number == 1 else 's'}, {finished or 'none'} finished"


def list_of(account: Account) -> Link:
    return Link("questionnaires:list", query={"stage": "all", "account": account.platform_id})


def moments_of(customer: Customer, until: datetime, number: int) -> Iterator[TimelineEntry]:
    """Tell when questionnaires of a customer arrived, and when they were completed."""
    rows = Questionnaire.objects.present().filter(account_id__in=customer.account_ids).defer("payload", "search")
    for row in rows.filter(completed_at__lte=until).order_by("-completed_at", "-id")[:number]:
        yield _moment(row, row.completed_at or until, f"Questionnaire completed: {row}", "clipboard-check", "good")
    for row in rows.filter(created_at__lte=until).order_by("-created_at", "-id")[:number]:
        yield _moment(row, row.created_at, f"Questionnaire arrived: {row}", "clipboard-list", "info")


def _moment(row: Questionnaire, at: datetime, title: str, icon: str, tone: str) -> TimelineEntry:
    return TimelineEntry(
        at=at, title=title, icon=icon, tone=tone, link=Link("questionnaires:questionnaire", (row.platform_id,))
    )
