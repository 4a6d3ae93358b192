"""Bulk runs that ended and left something unchanged, as work: for every desk that has runs, in one way."""

from collections.abc import Callable, Iterable, Mapping
from datetime import timedelta
from functools import partial
from typing import Any

from django.db.models import Count, Q, QuerySet

from portal.platform_writes.bulk import AnotherOnItsWay, Bulk, try_again
from portal.platform_writes.models import Run
from portal.tenants.models import Membership
from portal.work_items.kinds import Action, Item, Key, Kind, Source, register_kind
from portal.work_items.services import members_among

SHOWN_FOR = timedelta(days=7)
"""So long somebody may want it tried again; later nobody expects it any more."""


def register_failed_runs(bulk: Bulk, *, desk: str, url: Callable[[int, str], str]) -> None:
    """Register the failed runs of a desk. `url` gives the page of a run in the tenant of a slug."""
    register_kind(
        Kind(
            name=bulk.kind,
            label="Bulk change",
            icon="triangle-alert",
            desk=desk,
            sources=(
                Source(model=bulk.runs, columns=("finished_at", "asked_by")),
                # An item goes with its object; what comes of it is known when its run is over.
                Source(model=bulk.items, columns=("run",), key="run"),
            ),
            build=partial(_build, bulk, url),
            objects=partial(_failed, bulk),
            has_owners=True,
            actions={"retry": Action(label="Try again", key=Key.ACCEPT, role=bulk.role, run=partial(_retry, bulk))},
            refusals=(NothingLeft, AnotherOnItsWay),
            error_message=_why_not,
        )
    )


class NothingLeft(Exception):
    """Somebody else has had it tried again meanwhile."""


def _why_not(error: Exception, slug: str) -> str:
    if isinstance(error, AnotherOnItsWay):
        return "A similar change is in progress. Try again once it has finished."
    return "Nothing is left to try again."


def _failed(bulk: Bulk) -> QuerySet[Any]:
    return bulk.all_runs().exclude(finished_at=None).filter(pk__in=bulk.all_items().failed().values("run"))


def _build(bulk: Bulk, url: Callable[[int, str], str], ids: Iterable[int]) -> dict[int, Item]:
    rows = list(_failed(bulk).filter(pk__in=list(ids)).select_related("asked_by"))
    failed = bulk.all_items().failed().filter(run__in=[row.pk for row in rows]).order_by()
    doubtful = Count("pk", filter=Q(is_in_doubt=True))
    counted = failed.values("run").annotate(number=Count("pk"), in_doubt=doubtful).values_list("run", "number", "in_doubt")
    numbers = {run: (number, in_doubt) for run, number, in_doubt in counted}
    members = members_among((row.tenant_id, row.asked_by_id) for row in rows)
    return {
        row.pk: Item(
            title=str(row),
            to_do=_to_do(row, *numbers[row.pk]),
            url=partial(url, row.pk),
            visible_until=row.finished_at + SHOWN_FOR,
            owner_id=row.asked_by_id if (row.tenant_id, row.asked_by_id) in members else None,
            owner_name=str(row.asked_by) if (row.tenant_id, row.asked_by_id) in members else "",
            role=bulk.role,
            # What may have gone through is repeated from its page, which says so above the button: people may be mailed twice.
            actions=() if numbers[row.pk][1] else ("retry",),
        )
        for row in rows
        if row.pk in numbers
    }


def _to_do(run: Run, failed: int, in_doubt: int) -> str:
    """Say how many were not changed, apart from those of which nobody knows."""
    numbers = {"Not changed": failed - in_doubt, "Not confirmed": in_doubt}
    return " · ".join(f"{label}: {run.counted(number)}" for label, number in numbers.items() if number)


def _retry(bulk: Bulk, object_id: int, member: Membership, choice: Mapping[str, str]) -> str:
    run = bulk.all_runs().get(pk=object_id)
    number = try_again(bulk, run, member=member)
    if not number:
        raise NothingLeft
    return f"Trying {run.counted(number)} again: {run}"
