"""What this room tells the others of a customer."""

from collections.abc import Iterator, Mapping, Set
from datetime import datetime

from django.db.models import Count, Q

from portal.accounts.account_facts import AccountFacts
from portal.accounts.links import Link
from portal.accounts.models import Account
from portal.accounts.timeline import Customer, TimelineEntry
from portal.commitments.models import Commitment, Verdict


def commitments_of(account_ids: Set[str]) -> Mapping[str, AccountFacts]:
    """Count the commitments of accounts that are in force, and those that deviate from our standard."""
    rows = Commitment.objects.in_force().filter(account_id__in=account_ids).order_by().values("account_id")
    found = {}
    for row in rows.annotate(number=Count("id"), deviating=Count("id", filter=Q(comparison=Verdict.HARDER))):
        number, deviating = row["number"], row["deviating"]
        words = f"{number} commitment{'' if number == 1 else 's'}"
        if deviating:
            words += f", {deviating} stricter than our standard"
        found[row["account_id"]] = AccountFacts(number=number, description=words)
    return found


def list_of(account: Account) -> Link:
    return Link("commitments:register", query={"account": account.platform_id})


def moments_of(customer: Customer, until: datetime, number: int) -> Iterator[TimelineEntry]:
    """Tell when commitments to a customer were accepted, and when they were ended."""
    rows = Commitment.objects.filter(account_id__in=customer.account_ids).defer("search", "quote", "notify")
    for row in rows.filter(created_at__lte=until).order_by("-created_at", "-id")[:number]:
        yield _moment(row, row.created_at, "Commitment accepted", row.created_by_name, icon="scale", tone="info")
    for row in rows.filter(ended_at__lte=until).order_by("-ended_at", "-id")[:number]:
        yield _moment(row, row.ended_at or until, "Commitment ended", row.ended_by_name, icon="circle-slash", tone="muted")


def _moment(row: Commitment, at: datetime, what: str, who: str, *, icon: str, tone: str) -> TimelineEntry:
    link = Link("commitments:commitment", (str(row.pk),))
    return TimelineEntry(at=at, title=f"{what}: {row}", text=f"By {who}." if who else "", icon=icon, tone=tone, link=link)
