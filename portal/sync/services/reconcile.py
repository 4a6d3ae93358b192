"""The reconcile: walk the platform's whole list page by page, store it, then look at each row that no page named.

What a page says may be older than a fetch that ended while the page was on its way (guarantee Q11). So an item whose object was
fetched since is left alone, and one that is being fetched right now is marked again.
"""

import logging
import time
from collections.abc import Callable, Collection, Sequence
from datetime import datetime
from functools import partial
from typing import Any

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from portal.connections.services import NotConnected, Urgency, client_for
from portal.lib.time_budget import TASK_TIME_BUDGET_SECONDS
from portal.page_refresh.services import touch_areas
from portal.platform_api import Page, Platform
from portal.platform_api.errors import EndlessList, NotFound, PermissionRefused, TemporaryError, ValidationFailed
from portal.platform_api.trails import Trail
from portal.sync.mirrors import Mirror
from portal.sync.models import LEASE, Finding, Run, RunState, StaleMark
from portal.sync.services import runs
from portal.sync.services.drain import problem_of
from portal.sync.services.lists import circle_of
from portal.sync.services.marks import (
    GONE_AFTER,
    is_doubted,
    lock,
    mark_stale,
    missing_since,
    new_owner,
    not_missing,
    note_unreadable,
    people_wait,
)
from portal.sync.services.missed import note_missed
from portal.sync.services.unseen import first_unseen, remove_unseen
from portal.sync.services.waits import Wait, wait_after
from portal.worker_monitoring.services import clear as clear_alarm
from portal.worker_monitoring.services import raise_alarm

logger = logging.getLogger(__name__)

type ListPage = Callable[[Platform, str | None], Page[Any]]

MAX_LOOKS = 3
"""At a row for which the platform fails: more would keep the others of its kind from being compared."""


def reconcile_tenant(mirrors: Sequence[Mirror], *, seconds: float = TASK_TIME_BUDGET_SECONDS) -> bool:
    """Compare the tenant in scope, as far as that is due. True when nothing due is left."""
    if not Run.objects.due().exists():
        return True
    try:
        client = client_for(Urgency.PERIODIC, runs.waiting())
    except NotConnected as error:
        wait = wait_after(error, attempts=1)
        Run.objects.due().update(state=RunState.BLOCKED, error=wait.description, next_due_at=timezone.now() + wait.delay)
        return True
    return reconcile(mirrors, client, seconds=seconds)


def reconcile(mirrors: Sequence[Mirror], client: Platform, *, seconds: float = TASK_TIME_BUDGET_SECONDS) -> bool:
    """Work on the due runs one after the other. True when all came to an end or wait; False when only the time was over.

    The time is over as well when a person waits for an object: a page later the drain has its turn.
    """
    owner, deadline = new_owner(), time.monotonic() + seconds
    try:
        for mirror in mirrors:
            run = runs.claim_run(mirror, owner=owner) if mirror.page else None
            if run is None:
                continue
            wait = _walk(run, mirror, client, deadline=deadline)
            if wait is not None and wait.is_of_tenant:
                return True
            if time.monotonic() >= deadline or people_wait():
                return False
        return True
    finally:
        runs.hand_over(owner)


def _walk(run: Run, mirror: Mirror, client: Platform, *, deadline: float) -> Wait | None:
    """Go on until the end or the deadline. A failure is written into the run and returned as a wait."""
    try:
        while run.lease_owner and time.monotonic() < deadline:
            _step(run, mirror, client)
            if people_wait():
                break
    except Exception as error:
        # A list that is refused in its middle each time does not fail for the first time because its first page can be read.
        wait = wait_after(error, attempts=max(run.attempts, run.restarts + 1))
        if isinstance(error, EndlessList):
            words = f"{run.title} of tenant {run.tenant_id}: {wait.description}"
            raise_alarm(_alarm_of(run), words, tenant_id=run.tenant_id)
        if not wait.is_expected:
            logger.exception("the list of %s could not be compared", mirror.kind)
        is_pause = wait.is_of_tenant or wait.is_of_kind
        state = RunState.BLOCKED if wait.is_blocked else RunState.PAUSED if is_pause else RunState.FAILED
        # A cursor lives as long as the platform likes (platform-api U21): a refused one means the first page again.
        runs.postpone(run, wait, state=state, restart=isinstance(error, ValidationFailed | EndlessList))
        return wait
    return None


def _step(run: Run, mirror: Mirror, client: Platform) -> None:
    """Do one page, or look at one row that no page named; each is one commit, so that a crash costs one step."""
    started = timezone.now()
    if not run.is_listed and mirror.page:
        page, trail = mirror.page(client, run.cursor or None), Trail(run.trail)
        circle = circle_of(trail, mirror, page)
        _advance(run, mirror, partial(_store_page, mirror=mirror, page=page, started=started, trail=trail))
        if circle:
            raise circle
    elif (object_id := first_unseen(run.kind)) is not None:
        _advance(run, mirror, _look_at_unseen(run, mirror, client, object_id, started))
    else:
        _advance(run, mirror, partial(_finish, mirror=mirror))


def _look_at_unseen(run: Run, mirror: Mirror, client: Platform, object_id: str, started: datetime) -> Callable[[Run], None]:
    """Fetch one row that no page named, and return what becomes of it. What is wrong with it alone stops nothing else."""
    try:
        remote = mirror.fetch(client, object_id)
    except NotFound:
        if run.nameless or mirror.has_no_get:
            # The list may have named it where nothing could be read: it takes two looks like any other (guarantee Q15).
            return partial(_leave_to_drain, mirror=mirror, object_id=object_id)
        write = partial(mirror.mark_gone, object_id)
        return partial(_store_unseen, mirror=mirror, object_id=object_id, write=write, started=started)
    except Exception as error:
        if not _is_of_one(error, run):
            raise
        logger.warning("one of the %s could not be looked at: %s", mirror.kind, type(error).__name__)
        return partial(_leave_to_drain, mirror=mirror, object_id=object_id, problem=problem_of(error))
    if mirror.answers_for_removed:
        return partial(_doubt_unseen, mirror=mirror, object_id=object_id, started=started)
    write = partial(mirror.store, remote)
    return partial(_store_unseen, mirror=mirror, object_id=object_id, write=write, started=started, is_there=True)


def _is_of_one(error: Exception, run: Run) -> bool:
    """Say whether a failure is about the one row that was looked at: the list that did not name it could be read."""
    wait = wait_after(error, attempts=run.attempts)
    if wait.is_of_tenant or wait.is_of_kind:
        return False
    if isinstance(error, TemporaryError):
        return run.attempts + 1 >= MAX_LOOKS
    return isinstance(error, PermissionRefused) or not wait.is_blocked


@transaction.atomic
def _advance(run: Run, mirror: Mirror, step: Callable[[Run], None]) -> None:
    """Commit one step together with how far the run is, if the run is still this worker's."""
    locked = runs.claimed_run(run)
    if locked is None:
        run.lease_owner = ""
        return
    before = locked.changed + locked.gone
    step(locked)
    if locked.lease_owner:
        locked.lease_until = timezone.now() + LEASE
        locked.save()
    if locked.changed + locked.gone > before:
        touch_areas(mirror.area)
    touch_areas("sync")
    run.__dict__.update({field.attname: getattr(locked, field.attname) for field in Run._meta.concrete_fields})


def _store_page(run: Run, *, mirror: Mirror, page: Page[Any], started: datetime, trail: Trail) -> None:
    items = {mirror.identify(remote): remote for remote in page.items}
    problems = {each.id: each.problem for each in page.unread if each.id}
    fetched_since, told = _marks(mirror, [*items, *problems], started, readable=items)
    # In the order in which a batch of events locks them too.
    wanted = {object_id: items[object_id] for object_id in sorted(items) if object_id not in fetched_since}
    mirror.before_save(list(wanted.values()))
    for object_id, remote in wanted.items():
        if _save(mirror, object_id, partial(mirror.save, remote), problems):
            run.changed += 1
            if mirror.has_events and object_id not in told:
                note_missed(run, object_id, Finding.CHANGED)
    run.seen += len(items)
    note_unreadable(mirror.kind, problems)
    run.nameless += sum(not each.id for each in page.unread)
    remove_unseen(run.kind, [*items, *problems])
    run.is_listed, run.cursor, run.trail = page.next_cursor is None, page.next_cursor or "", trail.kept()
    run.attempts = 0


def _marks(
    mirror: Mirror, object_ids: Collection[str], started: datetime, *, readable: Collection[str] = ()
) -> tuple[set[str], set[str]]:
    """Return which objects were fetched after the page was asked for, and which an event has told us of.

    Locks their marks, before any row is: an event marks first, and shows what it states afterwards.
    """
    rows = lock(StaleMark.objects.filter(kind=mirror.kind, object_id__in=object_ids))
    leased = [row.pk for row in rows if row.lease_owner]
    StaleMark.objects.filter(pk__in=leased).update(version=F("version") + 1)
    doubted = [row.pk for row in rows if (row.missing_since or row.problem) and row.object_id in readable]
    StaleMark.objects.filter(pk__in=doubted).update(missing_since=None, problem="")
    fetched_since = {row.object_id for row in rows if row.fetched_at and row.fetched_at >= started}
    return fetched_since, {row.object_id for row in rows if row.due_at}


def _save(mirror: Mirror, object_id: str, write: Callable[[], bool], problems: dict[str, str]) -> bool:
    """Store one item. One that cannot be stored must not stop the others: it is fetched by itself, where the error is kept."""
    try:
        with transaction.atomic():
            return write()
    except Exception as error:
        logger.exception("one of the %s could not be stored", mirror.kind)
        problems[object_id] = f"it could not be stored ({type(error).__name__})"
        return False


def _store_unseen(
    run: Run, *, mirror: Mirror, object_id: str, write: Callable[[], bool], started: datetime, is_there: bool = False
) -> None:
    """Write down what a fetch told of a row that no page named; `is_there`: the object still answers."""
    problems = dict[str, str]()
    _settle(run, object_id)
    fetched_since, _ = _marks(mirror, [object_id], started)
    not_missing(mirror.kind, object_id)
    if fetched_since:
        return
    has_changed = _save(mirror, object_id, write, problems)
    if problems:
        note_unreadable(mirror.kind, problems)
    if not has_changed:
        return
    if is_there:
        run.changed += 1
    else:
        run.gone += 1
    if mirror.has_events:
        note_missed(run, object_id, Finding.CHANGED if is_there else Finding.GONE)


def _doubt_unseen(run: Run, *, mirror: Mirror, object_id: str, started: datetime) -> None:
    """Note that a list did not name an object that still answers; the second such list, long enough after it, counts."""
    if run.nameless:
        _settle(run, object_id)
        return
    since = missing_since(mirror.kind, object_id, at=started)
    if started - since >= GONE_AFTER:
        write = partial(mirror.mark_gone, object_id)
        _store_unseen(run, mirror=mirror, object_id=object_id, write=write, started=started)
    else:
        _settle(run, object_id)


def _settle(run: Run, object_id: str) -> None:
    """Take the row that was looked at from those that are left. The next one has all its looks."""
    remove_unseen(run.kind, [object_id])
    run.attempts = 0


def _leave_to_drain(run: Run, *, mirror: Mirror, object_id: str, problem: str = "") -> None:
    _settle(run, object_id)
    if problem:
        note_unreadable(mirror.kind, {object_id: problem})
    else:
        mark_stale(mirror.kind, object_id)


def _finish(run: Run, *, mirror: Mirror) -> None:
    mirror.finish(run.started_at or timezone.now())
    runs.finish(run, again_after=GONE_AFTER if is_doubted(mirror.kind) else None)
    words = f"{run.title} of tenant {run.tenant_id}: the platform's list ends again."
    clear_alarm(_alarm_of(run), words, tenant_id=run.tenant_id)


def _alarm_of(run: Run) -> str:
    return f"endless list: {run.kind}"
