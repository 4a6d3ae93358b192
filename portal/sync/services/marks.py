"""The table of what has to be fetched again: marking, claiming by lease, settling."""

import logging
import uuid
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from django.db import connection, transaction
from django.db.models import Case, Count, F, Min, Q, When
from django.utils import timezone

from portal.connections.services import Waiting
from portal.lib.database import in_order, table_of
from portal.page_refresh.services import touch_areas
from portal.platform_api.identifiers import is_identifier
from portal.sync.models import LEASE, StaleMark, StaleMarkQuerySet
from portal.sync.services.waits import Wait
from portal.tenants.scope import all_tenants, current_tenant_id

logger = logging.getLogger(__name__)

ANY = Q()
MAX_PROBLEM_LENGTH = 300
UNREAD_AGAIN_AFTER = timedelta(hours=6)
CHUNK = 500
"""SQLite takes a limited number of values in one statement."""
TRUST_CENTER = "trust_center"
"""The kind of the mark that is locked before all others: while it is held, what waited for the Trust Center's id is woken."""
KEPT = timedelta(hours=1)
"""How long a settled mark tells when its object was fetched; longer than any page of a list can be on its way."""
GONE_AFTER = timedelta(minutes=2)
"""So far apart the platform must have said twice that an object is not there: an answer of a server that is being replaced, or
of a copy that lags behind, passes (guarantee Q15)."""
MISSING = "The platform says this does not exist. The portal asks once more before removing it."

MARK = """
    INSERT INTO sync_stalemark
        (tenant_id, kind, object_id, urgent, marked_at, due_at, version, attempts, last_error, lease_owner)
    SELECT %s, %s, object_id, %s, %s, %s, 1, 0, '', '' FROM {table} WHERE true
    ON CONFLICT (tenant_id, kind, object_id) DO UPDATE
    SET version = sync_stalemark.version + 1, marked_at = excluded.marked_at, due_at = excluded.due_at, attempts = 0,
        urgent = sync_stalemark.urgent OR excluded.urgent
"""

FETCHED = """
    INSERT INTO sync_stalemark
        (tenant_id, kind, object_id, urgent, marked_at, fetched_at, version, attempts, last_error, lease_owner)
    SELECT %s, %s, object_id, %s, %s, %s, 1, 0, '', '' FROM {table} WHERE true
    ON CONFLICT (tenant_id, kind, object_id) DO UPDATE
    SET version = sync_stalemark.version + 1,
        fetched_at = CASE
            WHEN sync_stalemark.fetched_at > excluded.fetched_at THEN sync_stalemark.fetched_at ELSE excluded.fetched_at
        END
"""


class Result(StrEnum):
    """How the work on one mark ended."""

    CHANGED = "changed"
    UNCHANGED = "unchanged"
    UNREADABLE = "unreadable"
    """The answer lacks what nobody can do without; the old row stays."""
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
    wanted = sorted({object_id for object_id in object_ids if is_identifier(object_id)})
    with transaction.atomic(savepoint=False):
        for start in range(0, len(wanted), CHUNK):
            _mark_chunk(kind, wanted[start : start + CHUNK], urgent=urgent)


def _mark_chunk(kind: str, object_ids: list[str], *, urgent: bool) -> None:
    """Mark in one statement: it locks the rows in the order given, and finds those that are settled meanwhile."""
    now = connection.ops.adapt_datetimefield_value(timezone.now())
    table, values = table_of(object_id=object_ids)
    with connection.cursor() as cursor:
        cursor.execute(MARK.format(table=table), [current_tenant_id(), kind, urgent, now, now, *values])


def note_fetched(kind: str, object_ids: Iterable[str], *, fetched_at: datetime) -> None:
    """Note that a person's own write looked at objects then: what was asked for before is older (guarantee Q11).

    Commits on its own, before the rows are locked, as the mark of an event does.
    """
    wanted = sorted({object_id for object_id in object_ids if is_identifier(object_id)})
    at = connection.ops.adapt_datetimefield_value(fetched_at)
    for start in range(0, len(wanted), CHUNK):
        table, values = table_of(object_id=wanted[start : start + CHUNK])
        with connection.cursor() as cursor:
            cursor.execute(FETCHED.format(table=table), [current_tenant_id(), kind, False, at, at, *values])


def kinds_in_order(kinds: Iterable[str]) -> list[str]:
    """Sort kinds as their marks are locked."""
    return sorted(kinds, key=lambda kind: (kind != TRUST_CENTER, kind))


def lock(marks: StaleMarkQuerySet) -> list[StaleMark]:
    """Lock marks in the order in which everybody locks them, until the transaction ends; return them."""
    kinds = Case(When(kind=TRUST_CENTER, then=0), default=1)
    return list(marks.select_for_update().order_by(kinds, in_order("kind"), in_order("object_id")))


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
    claimed = StaleMark.objects.filter(pk=mark.pk, lease_owner=mark.lease_owner)
    return bool(claimed.update(attempts=F("attempts") + 1, lease_until=timezone.now() + LEASE))


@transaction.atomic
def record_outcome(
    mark: StaleMark, *, area: str, fetched_at: datetime, write: Callable[[], bool], gone: bool = False, problem: str = ""
) -> Result:
    """Store what was fetched and settle the mark, in one commit, unless another worker has taken over meanwhile.

    `problem` says what of it could not be read: the rest is stored, and the whole is fetched again much later.
    """
    locked = StaleMark.objects.select_for_update().filter(pk=mark.pk, lease_owner=mark.lease_owner).first()
    if locked is None:
        return Result.LOST
    # A person's own write has looked at it since this was asked for.
    is_outdated = locked.version != mark.version and locked.fetched_at is not None and locked.fetched_at >= fetched_at
    has_changed = not is_outdated and write()
    if has_changed:
        touch_areas(area)
    if locked.version == mark.version:
        locked.due_at, locked.urgent, locked.attempts = None, False, 0
    else:
        # Marked again while it was being fetched: the answer may be older than that.
        locked.due_at = timezone.now()
    if problem:
        locked.due_at = locked.due_at or timezone.now() + UNREAD_AGAIN_AFTER
    was_readable = not locked.problem
    locked.fetched_at, locked.last_error = locked.fetched_at if is_outdated else fetched_at, ""
    locked.problem, locked.missing_since = problem[:MAX_PROBLEM_LENGTH], None
    locked.lease_owner, locked.lease_until = "", None
    locked.save()
    if problem or not was_readable:
        # What could not be read is counted for pages, and that count is kept.
        touch_areas("sync")
    if gone:
        return Result.GONE if has_changed else Result.NOTHING
    return Result.CHANGED if has_changed else Result.UNCHANGED


def postpone(mark: StaleMark, wait: Wait, *, problem: str = "") -> Result:
    """Put a mark off, with the reason. Being told to wait is not the object's fault and is not counted."""
    values: dict[str, Any] = {"last_error": wait.description[:MAX_PROBLEM_LENGTH], "due_at": timezone.now() + wait.delay}
    if problem:
        values["problem"] = problem[:MAX_PROBLEM_LENGTH]
    _give_back(mark, values, counts=not (wait.is_of_tenant or wait.is_of_kind or wait.is_blocked))
    if problem:
        touch_areas("sync")
    return Result.UNREADABLE if problem else Result.WAITING


def is_gone(mark: StaleMark, *, asked_at: datetime) -> bool:
    """Say whether a 404 is the second one, long enough after the first. The first is noted, and the mark put off until then."""
    since = mark.missing_since or asked_at
    if asked_at - since >= GONE_AFTER:
        return True
    _give_back(mark, {"missing_since": since, "due_at": since + GONE_AFTER, "last_error": MISSING}, counts=False)
    return False


def missing_since(kind: str, object_id: str, *, at: datetime) -> datetime:
    """Return when a list first did not name an object that can still be fetched; that is now where none did before."""
    mark, _ = StaleMark.objects.get_or_create(
        kind=kind, object_id=object_id, defaults={"due_at": None, "fetched_at": None, "missing_since": at}
    )
    if mark.missing_since is None:
        mark.missing_since = at
        mark.save(update_fields=["missing_since"])
    return mark.missing_since


def not_missing(kind: str, object_id: str) -> None:
    """Note that it is settled whether an object is there."""
    StaleMark.objects.filter(kind=kind, object_id=object_id).update(missing_since=None)


def is_doubted(kind: str) -> bool:
    """Say whether a list has to be read again soon, because one did not name what can still be fetched."""
    return StaleMark.objects.filter(kind=kind, due_at=None).exclude(missing_since=None).exists()


def _give_back(mark: StaleMark, values: dict[str, Any], *, counts: bool) -> None:
    """End the work on a mark without an outcome. The attempt is taken back unless it counts.

    An event that came meanwhile has begun a new count, which nothing must be taken from: compare and swap on the version.
    """
    values |= {"lease_owner": "", "lease_until": None}
    claimed = StaleMark.objects.filter(pk=mark.pk, lease_owner=mark.lease_owner)
    before = {} if counts else {"attempts": mark.attempts - 1}
    if not claimed.filter(version=mark.version).update(**values, **before):
        claimed.update(**values)


def note_unreadable(kind: str, problems: Mapping[str, str]) -> None:
    """Name listed objects that could not be read or stored. Each is fetched by itself, as often as its failures allow."""
    known = StaleMark.objects.waiting().unreadable().filter(kind=kind, object_id__in=problems)
    mark_many(kind, problems.keys() - set(known.values_list("object_id", flat=True)))
    for object_id, problem in problems.items():
        StaleMark.objects.filter(kind=kind, object_id=object_id).update(problem=problem[:MAX_PROBLEM_LENGTH])


@transaction.atomic
def hold(wait: Wait, *, kind: str = "", owner: str = "") -> None:
    """Put off all due marks of the tenant, of one kind, or of one worker."""
    marks = StaleMark.objects.filter(due_at__lte=timezone.now())
    if kind:
        marks = marks.filter(kind=kind)
    if owner:
        marks = marks.filter(lease_owner=owner)
    lock(marks)
    marks.update(due_at=timezone.now() + wait.delay, last_error=wait.description[:MAX_PROBLEM_LENGTH])


@transaction.atomic
def release(owner: str) -> None:
    """Give back what a worker claimed and did not get to."""
    claimed = StaleMark.objects.filter(lease_owner=owner)
    if lock(claimed):
        claimed.update(lease_owner="", lease_until=None)


def prune_marks() -> int:
    """Remove settled marks that tell nothing any more, of every tenant."""
    with all_tenants("settled marks are pruned together"):
        before = timezone.now() - KEPT
        is_old = Q(fetched_at__lt=before) | Q(fetched_at=None, missing_since=None, marked_at__lt=before)
        removed, _ = StaleMark.objects.filter(is_old, due_at=None, lease_owner="").delete()
    return removed
