"""The table of what has to be fetched again: marking, claiming by lease, settling."""

import logging
import uuid
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from django.db import connection, transaction
from django.db.models import Count, F, Min, Q
from django.utils import timezone

from portal.connections.services import Waiting
from portal.lib.database import in_order, table_of
from portal.live.services import changed
from portal.sync.models import LEASE, StaleMark, StaleMarkQuerySet
from portal.sync.services.waits import Wait
from portal.tenants.scope import all_tenants, current_tenant_id

logger = logging.getLogger(__name__)

ANY = Q()
CHUNK = 500
"""SQLite takes a limited number of values in one statement."""
LONGEST_ID = 200
KEPT = timedelta(hours=1)
"""How long a settled mark tells when its object was fetched; longer than any page of a list can be on its way."""

MARK = """
    INSERT INTO sync_stalemark
        (tenant_id, kind, object_id, urgent, marked_at, due_at, version, attempts, last_error, lease_owner)
    SELECT %s, %s, object_id, %s, %s, %s, 1, 0, '', '' FROM {table} WHERE true
    ON CONFLICT (tenant_id, kind, object_id) DO UPDATE
    SET version = sync_stalemark.version + 1, marked_at = excluded.marked_at, due_at = excluded.due_at, attempts = 0,
        urgent = sync_stalemark.urgent OR excluded.urgent
"""


class Result(StrEnum):
    """How the work on one mark ended."""

    CHANGED = "changed"
    UNCHANGED = "unchanged"
    GONE = "gone"
    NOTHING = "nothing"
    """The platform has no such object, and we never had it: an example message."""
    WAITING = "waiting"
    LOST = "lost"
    """Another worker took over; what this one fetched was thrown away."""


@dataclass(frozen=True)
class Outcome:
    """What became of one mark."""

    kind: str
    object_id: str
    result: Result


def mark_stale(kind: str, object_id: str, *, urgent: bool = False) -> None:
    """Have one object fetched again, soon. Urgent: a person is looking at it."""
    mark_many(kind, [object_id], urgent=urgent)


def mark_many(kind: str, object_ids: Iterable[str], *, urgent: bool = False) -> None:
    """Have objects fetched again. One row each, however often they are marked; ids that cannot be ids are left out."""
    wanted = sorted({object_id for object_id in object_ids if 0 < len(object_id) <= LONGEST_ID and object_id.isprintable()})
    with transaction.atomic(savepoint=False):
        for start in range(0, len(wanted), CHUNK):
            _mark_chunk(kind, wanted[start : start + CHUNK], urgent=urgent)


def _mark_chunk(kind: str, object_ids: list[str], *, urgent: bool) -> None:
    """Mark in one statement: it locks the rows in the order given, and finds those that are settled meanwhile."""
    now = connection.ops.adapt_datetimefield_value(timezone.now())
    table, values = table_of(object_id=object_ids)
    with connection.cursor() as cursor:
        cursor.execute(MARK.format(table=table), [current_tenant_id(), kind, urgent, now, now, *values])


def lock(marks: StaleMarkQuerySet) -> list[StaleMark]:
    """Lock marks in the order in which everybody locks them, until the transaction ends; return them."""
    return list(marks.select_for_update().order_by(in_order("kind"), in_order("object_id")))


@transaction.atomic
def claim(size: int, *, owner: str, among: Q = ANY) -> list[StaleMark]:
    """Take due marks for one worker: those that people wait for first, then the longest waiting."""
    due = StaleMark.objects.due().filter(among).order_by("-urgent", "due_at", "id")
    if connection.features.has_select_for_update_skip_locked:
        due = due.select_for_update(skip_locked=True)
    ids = list(due.values_list("pk", flat=True)[:size])
    StaleMark.objects.filter(pk__in=ids).update(lease_owner=owner, lease_until=timezone.now() + LEASE)
    return list(StaleMark.objects.filter(pk__in=ids).order_by("-urgent", "due_at", "id"))


def people_wait() -> bool:
    """Say whether somebody waits for a mark that nobody works on yet."""
    return StaleMark.objects.due().filter(urgent=True).exists()


def waiting() -> Waiting:
    """Say how much the tenant in scope wants a token for, and for how long."""
    found = StaleMark.objects.waiting().aggregate(work=Count("pk"), since=Min("marked_at"))
    return Waiting(work=max(1, found["work"]), since=found["since"])


def new_owner() -> str:
    return str(uuid.uuid4())


def begin(mark: StaleMark) -> bool:
    """Count the attempt before it is made, in case it kills the worker. False: the mark is not ours any more."""
    mark.attempts += 1
    return bool(
        StaleMark.objects.filter(pk=mark.pk, lease_owner=mark.lease_owner).update(
            attempts=mark.attempts, lease_until=timezone.now() + LEASE
        )
    )


@transaction.atomic
def settle(mark: StaleMark, *, area: str, fetched_at: datetime, write: Callable[[], bool], gone: bool = False) -> Result:
    """Store what was fetched and settle the mark, in one commit, unless another worker has taken over meanwhile."""
    held = StaleMark.objects.select_for_update().filter(pk=mark.pk, lease_owner=mark.lease_owner).first()
    if held is None:
        return Result.LOST
    has_changed = write()
    if has_changed:
        changed(area)
    if held.version == mark.version:
        held.due_at, held.urgent, held.attempts = None, False, 0
    else:
        # Marked again while it was being fetched: the answer may be older than that.
        held.due_at = timezone.now()
    held.fetched_at, held.last_error = fetched_at, ""
    held.lease_owner, held.lease_until = "", None
    held.save()
    if gone:
        return Result.GONE if has_changed else Result.NOTHING
    return Result.CHANGED if has_changed else Result.UNCHANGED


def postpone(mark: StaleMark, wait: Wait) -> Result:
    """Put a mark off, with the reason. Being told to wait is not the object's fault and is not counted."""
    values: dict[str, Any] = {"attempts": F("attempts") - 1} if wait.is_of_tenant or wait.is_blocked else {}
    held = StaleMark.objects.filter(pk=mark.pk, lease_owner=mark.lease_owner)
    held.update(due_at=timezone.now() + wait.delay, last_error=wait.words[:300], lease_owner="", lease_until=None, **values)
    return Result.WAITING


@transaction.atomic
def hold(wait: Wait, *, kind: str = "", owner: str = "") -> None:
    """Put off all due marks of the tenant, of one kind, or of one worker."""
    marks = StaleMark.objects.filter(due_at__lte=timezone.now())
    if kind:
        marks = marks.filter(kind=kind)
    if owner:
        marks = marks.filter(lease_owner=owner)
    lock(marks)
    marks.update(due_at=timezone.now() + wait.delay, last_error=wait.words[:300])


@transaction.atomic
def release(owner: str) -> None:
    """Give back what a worker claimed and did not get to."""
    claimed = StaleMark.objects.filter(lease_owner=owner)
    if lock(claimed):
        claimed.update(lease_owner="", lease_until=None)


def prune_marks() -> int:
    """Remove settled marks that tell nothing any more, of every tenant."""
    with all_tenants("settled marks are pruned together"):
        removed, _ = StaleMark.objects.filter(due_at=None, fetched_at__lt=timezone.now() - KEPT, lease_owner="").delete()
    return removed
