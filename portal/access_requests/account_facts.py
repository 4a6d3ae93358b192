"""What this desk tells of a customer: requests are its own by their mail domain, viewers by the account they name."""

from collections.abc import Iterator, Mapping, Set
from datetime import date, datetime

from django.db.models import Count, Q
from django.utils import timezone

from portal.access_requests.models import AccessRequest, Outcome, Viewer
from portal.accounts.account_facts import AccountFacts
from portal.accounts.links import Link
from portal.accounts.models import Account
from portal.accounts.selectors import own_domains
from portal.accounts.timeline import Customer, TimelineEntry


def requests_of(account_ids: Set[str]) -> Mapping[str, AccountFacts]:
    """Count the requests that come from the mail domains of accounts, and those that are decided."""
    domains = own_domains(account_ids)
    rows = AccessRequest.objects.present().filter(domain__in=domains).order_by()
    waits, found = Q(pk__in=rows.waiting().values("pk")), {}
    for row in rows.values("domain").annotate(number=Count("id"), waiting=Count("id", filter=waits)):
        number, waiting = row["number"], row["waiting"]
        words = describe_requests(number, number - waiting)
        found[domains[row["domain"]]] = AccountFacts(number=number, finished=number - waiting, description=words)
    return found


def describe_requests(number: int, finished: int, latest: date | None = None) -> str:
    return f"{number} request{'' if number == 1 else 's'}, {number - finished or 'none'} pending"


def viewers_of(account_ids: Set[str]) -> Mapping[str, AccountFacts]:
    """Count the people who are linked to accounts, and those whose access has ended."""
    rows = Viewer.objects.filter(account_id__in=account_ids).order_by().values("account_id")
    now, found = timezone.now(), {}
    for row in rows.annotate(number=Count("id"), ended=Count("id", filter=Q(expires_sort__lte=now))):
        number, ended = row["number"], row["ended"]
        words = describe_viewers(number - ended, ended)
        found[row["account_id"]] = AccountFacts(number=number - ended, finished=ended, description=words)
    return found


def describe_viewers(number: int, finished: int, latest: date | None = None) -> str:
    return f"{number} with access" + (f", {finished} previously" if finished else "")


def list_of_requests(account: Account) -> Link:
    return Link("access_requests:list", query={"tab": "all", "account": account.platform_id})


def list_of_viewers(account: Account) -> Link:
    return Link("access_requests:viewers", query={"tab": "all", "account": account.platform_id})


def request_timeline(customer: Customer, until: datetime, number: int) -> Iterator[TimelineEntry]:
    """Tell who of the customer's mail domain asked for access, and how that was decided."""
    if not customer.domains:
        return
    rows = AccessRequest.objects.present().filter(domain__in=customer.domains).defer("payload", "search")
    decided = rows.exclude(outcome=Outcome.PENDING).filter(updated_at__lte=until)
    for row in decided.order_by("-updated_at", "-id")[:number]:
        icon = "check" if row.outcome == Outcome.APPROVED else "x"
        yield _of_request(row, row.updated_at, f"{row}'s request: {row.outcome_label.lower()}", icon=icon, tone=row.tone)
    for row in rows.filter(created_at__lte=until).order_by("-created_at", "-id")[:number]:
        yield _of_request(row, row.created_at, f"{row} requested access", icon="key-round", tone="info")


def _of_request(row: AccessRequest, at: datetime, title: str, *, icon: str, tone: str) -> TimelineEntry:
    return TimelineEntry(at=at, title=title, icon=icon, tone=tone, link=Link("access_requests:detail", (row.platform_id,)))


def viewer_timeline(customer: Customer, until: datetime, number: int) -> Iterator[TimelineEntry]:
    """Tell who of the customer got access, and whose access ended."""
    rows = Viewer.objects.filter(account_id__in=customer.account_ids).defer("payload", "search")
    ended = rows.filter(expires_sort__lte=min(until, timezone.now()))
    for row in ended.order_by("-expires_sort", "-id")[:number]:
        yield _of_viewer(row, row.expires_sort, f"{row}'s access ended", "user-x", "muted")
    for row in rows.filter(created_at__lte=until).order_by("-created_at", "-id")[:number]:
        yield _of_viewer(row, row.created_at, f"{row} got access", "key-round", "good")


def _of_viewer(row: Viewer, at: datetime, title: str, icon: str, tone: str) -> TimelineEntry:
    return TimelineEntry(at=at, title=title, icon=icon, tone=tone, link=Link("access_requests:viewer", (row.platform_id,)))
