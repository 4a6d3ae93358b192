"""What all channels do alike with a dispatch: find and claim it, record what became of it, or postpone it."""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Count, Min
from django.utils import timezone

from portal.lib.time_budget import TASK_TIME_BUDGET_SECONDS
from portal.notifications.kinds import MAY_COME_BACK, kind_named
from portal.notifications.models import Dispatch, DispatchQuerySet, DispatchState, Notification
from portal.tenants.scope import all_tenants
from portal.work_items.models import WorkItem

LEASE = timedelta(minutes=5)
WAITS = (
    *(timedelta(minutes=1), timedelta(minutes=5), timedelta(minutes=30)),
    *(timedelta(hours=2), timedelta(hours=6), timedelta(hours=12), timedelta(hours=24)),
)
"""After each failure; behind the last one nobody tries any more. More than a day in all: a server can be down for one."""
KEPT = timedelta(days=180)
BATCH = 1000
MAX_TURNS = 100
"""So many members or channels are looked for at once."""

type Narrow = Callable[[DispatchQuerySet], DispatchQuerySet]


def due_in_turn(by: Narrow, whose: str) -> Iterator[tuple[int, Any]]:
    """Yield tenant and `whose` of the dispatches that are due, the longest waiting first.

    Where more waits than one turn takes there is another one, unless the last one has changed nothing.
    """
    tried = set[tuple[Any, ...]]()
    while found := [each for each in _waiting(by, whose) if each not in tried]:
        tried.update(found)
        yield from ((tenant_id, named) for tenant_id, named, _ in found)


def _waiting(by: Narrow, whose: str) -> list[tuple[Any, ...]]:
    with all_tenants("dispatches that are due are found over all tenants"):
        # Of a tenant that was deleted nothing is told, though its rows stay until the grant is confirmed to be ended.
        rows = Dispatch.objects.due(timezone.now()).filter(tenant__closed_at=None)
        due = by(rows).order_by().values("tenant_id", whose)
        waiting = due.annotate(first=Min("due_at"), number=Count("pk")).order_by("first", "tenant_id", whose)
        return list(waiting.values_list("tenant_id", whose, "number")[:MAX_TURNS])


@transaction.atomic
def claim(rows: DispatchQuerySet, most: int) -> list[Dispatch]:
    """Take what is due of these rows: a process that dies before it settles them costs minutes, and no message."""
    now = timezone.now()
    claimed = list(rows.due(now).select_for_update(of=("self",)).select_related("notification")[:most])
    Dispatch.objects.filter(pk__in=[row.pk for row in claimed]).update(lease_until=now + LEASE)
    return claimed


@transaction.atomic
def release(rows: Iterable[Dispatch], **columns: datetime) -> None:
    """Leave to another turn what was claimed and not tried."""
    Dispatch.objects.filter(pk__in=[row.pk for row in rows]).update(lease_until=None, **columns)


@transaction.atomic
def record_outcome(rows: Sequence[Dispatch], state: DispatchState) -> None:
    keys = [row.pk for row in rows]
    Dispatch.objects.filter(pk__in=keys).update(state=state, settled_at=timezone.now(), lease_until=None)


def without_done_work(claimed: Sequence[Dispatch]) -> list[Dispatch]:
    """Settle what tells of new work that is done by now, and return the others."""
    before = timezone.now() - MAY_COME_BACK
    told = {row: row.notification for row in claimed if _tells_of_work(row.notification) and row.notification.made_at < before}
    if not told:
        return list(claimed)
    items = WorkItem.objects.filter(object_id__in={each.object_id for each in told.values()})
    known = set(items.values_list("kind", "object_id"))
    done = [row for row, each in told.items() if (each.work_kind, each.object_id) not in known]
    record_outcome(done, DispatchState.NOT_NEEDED)
    return [row for row in claimed if row not in done]


def _tells_of_work(notification: Notification) -> bool:
    """Say whether it tells of one item as new work; that one is overdue is told under another kind."""
    kind = kind_named(notification.kind)
    return bool(kind and kind.desks and notification.work_kind)


@transaction.atomic
def postpone(rows: Sequence[Dispatch], *, not_before: timedelta = timedelta()) -> None:
    """Have these tried again after the next wait, or after what the other side asked for; after the last one they failed."""
    now = timezone.now()
    for row in rows:
        row.attempts += 1
        row.lease_until = None
        if row.attempts > len(WAITS):
            row.state, row.settled_at = DispatchState.FAILED, now
        else:
            row.due_at = now + max(WAITS[row.attempts - 1], not_before)
        row.save(update_fields=["attempts", "lease_until", "state", "settled_at", "due_at"])


def forget_old(*, seconds: float = TASK_TIME_BUDGET_SECONDS) -> int:
    """Remove what was told long ago, of every tenant, as far as the time goes; return how many."""
    deadline, removed = time.monotonic() + seconds, 0
    with all_tenants("old notifications of every tenant are removed"):
        old = Notification.objects.filter(made_at__lt=timezone.now() - KEPT).order_by("made_at")
        while time.monotonic() < deadline and (keys := list(old.values_list("pk", flat=True)[:BATCH])):
            Notification.objects.filter(pk__in=keys).delete()
            removed += len(keys)
    return removed
