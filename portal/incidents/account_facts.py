"""What the planner tells the others of a customer."""

from collections.abc import Iterator
from datetime import datetime

from portal.accounts.links import Link
from portal.accounts.timeline import Customer, TimelineEntry
from portal.incidents.models import Notice, State

INCIDENTS = "incidents"


def moments_of(customer: Customer, until: datetime, number: int) -> Iterator[TimelineEntry]:
    """Tell in which incidents a customer was in the plan, and when it was told."""
    rows = Notice.objects.filter(account_id__in=customer.account_ids).select_related("incident").defer("promises", "search")
    for row in rows.filter(state=State.TOLD, told_at__lte=until).order_by("-told_at", "-id")[:number]:
        yield _moment(row, row.told_at or until, f"Notified of the incident: {row.incident}", "send", "good")
    noticed = rows.in_plan().filter(incident__noticed_at__lte=until)
    for row in noticed.order_by("-incident__noticed_at", "-id")[:number]:
        yield _moment(row, row.incident.noticed_at, f"Affected by an incident: {row.incident}", "siren", "warn")


def _moment(row: Notice, at: datetime, title: str, icon: str, tone: str) -> TimelineEntry:
    link = Link("incidents:notice", (str(row.incident_id), str(row.pk)))
    return TimelineEntry(at=at, title=title, text=row.get_rank_display(), icon=icon, tone=tone, link=link)
