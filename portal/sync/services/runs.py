"""The rows of the reconcile: starting, claiming by lease, waiting, finishing."""

import random
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.db.models import Count, Min, Q
from django.utils import timezone

from portal.connections.error_messages import IN_LINE
from portal.connections.services import Waiting
from portal.page_refresh.services import touch_areas
from portal.sync.mirrors import Mirror
from portal.sync.models import LEASE, Run, RunState, StaleMark
from portal.sync.services.marks import lock
from portal.sync.services.unseen import clear_unseen, replace_unseen
from portal.sync.services.waits import Wait

BETWEEN_RUNS = timedelta(hours=1)
"""How late a change can be that no event told us of. Shorter would need a live token for every tenant all the time."""


@transaction.atomic
def start_reconcile(mirrors: Sequence[Mirror]) -> None:
    """Compare everything with the platform from the beginning, now: after a connect, or when a person asks for it.

    A worker that is in the middle of an older comparison loses its lease and writes nothing more.
    """
    listed = _listed(mirrors)
    for position, mirror in enumerate(listed):
        values = _beginning() | {"title": mirror.title, "area": mirror.area, "position": position}
        Run.objects.update_or_create(kind=mirror.kind, defaults=values)
    # Behind the runs: a page holds its run when it comes to these.
    clear_unseen([mirror.kind for mirror in listed])
    wake()
    touch_areas("sync")


@transaction.atomic
def wake() -> None:
    """Whatever waited for a connection, a Trust Center's id, a permission or a pause is due now."""
    now = timezone.now()
    # The run first: a page of a list holds its run when it comes to the marks.
    Run.objects.filter(state__in=[RunState.PAUSED, RunState.BLOCKED, RunState.FAILED]).update(next_due_at=now)
    waiting = StaleMark.objects.waiting()
    lock(waiting)
    waiting.update(due_at=now, attempts=0)


@transaction.atomic
def resume() -> None:
    """A token has arrived: whatever waited for its turn is due now."""
    now = timezone.now()
    Run.objects.filter(error__startswith=IN_LINE, lease_owner="").update(next_due_at=now)
    in_line = StaleMark.objects.waiting().filter(last_error__startswith=IN_LINE)
    lock(in_line)
    in_line.update(due_at=now)


def waiting() -> Waiting:
    """Say how many comparisons want a token, and for how long."""
    found = Run.objects.due().aggregate(work=Count("pk"), since=Min("next_due_at"))
    return Waiting(work=max(1, found["work"]), since=found["since"])


def start_missing(mirrors: Sequence[Mirror]) -> None:
    """Begin the comparisons that this tenant never had: a connect whose signal was lost, or a kind that is new here."""
    known = set(Run.objects.values_list("kind", flat=True))
    for position, mirror in enumerate(_listed(mirrors)):
        if mirror.kind not in known:
            values = _beginning() | {"title": mirror.title, "area": mirror.area, "position": position}
            Run.objects.get_or_create(kind=mirror.kind, defaults=values)


def _listed(mirrors: Sequence[Mirror]) -> list[Mirror]:
    return [mirror for mirror in mirrors if mirror.page is not None]


def _beginning() -> dict[str, Any]:
    return {
        "state": RunState.QUEUED,
        "cursor": "",
        "trail": {},
        "nameless": 0,
        "restarts": 0,
        "is_listed": False,
        "unseen": [],
        "seen": 0,
        "changed": 0,
        "gone": 0,
        "missed": 0,
        "attempts": 0,
        "error": "",
        "started_at": None,
        "next_due_at": timezone.now(),
        "lease_owner": "",
        "lease_until": None,
    }


def claim_run(mirror: Mirror, *, owner: str) -> Run | None:
    """Take the run of one kind if it is due, and begin it or go on where it was."""
    with transaction.atomic():
        run = Run.objects.due().select_for_update().filter(kind=mirror.kind).first()
        if run is None:
            return None
        if not run.is_begun:
            _begin(run, mirror)
        elif run.unseen:
            # The last release has begun it, and what it keeps there is later than any row.
            replace_unseen(run.kind, run.unseen)
            run.unseen = []
        run.state = RunState.RUNNING
        run.attempts += 1
        run.lease_owner, run.lease_until = owner, timezone.now() + LEASE
        run.save()
        touch_areas("sync")
    return run


def _begin(run: Run, mirror: Mirror) -> None:
    for name, value in _beginning().items():
        setattr(run, name, value)
    run.started_at, run.compared_since = timezone.now(), run.finished_at
    replace_unseen(run.kind, mirror.known() if mirror.known else ())


def claimed_run(run: Run) -> Run | None:
    """Lock the row and say whether this worker still owns it. Call it in the transaction that writes."""
    return Run.objects.select_for_update().filter(pk=run.pk, lease_owner=run.lease_owner).first()


def finish(run: Run, *, again_after: timedelta | None = None) -> None:
    """The copy is complete: every object was seen, every row that was not seen was looked at.

    `again_after`: what was missing for the first time is looked for once more so soon.
    """
    run.state, run.error, run.attempts = RunState.DONE, "", 0
    run.cursor, run.trail, run.is_listed, run.restarts = "", {}, False, 0
    run.finished_at = timezone.now()
    # Jitter: tenants that were connected in one hour must not all compare in the same minute for ever.
    pause = again_after or BETWEEN_RUNS * random.uniform(0.8, 1.2)  # noqa: S311 - not a secret
    run.next_due_at = run.finished_at + pause
    run.lease_owner, run.lease_until = "", None
    run.save()


@transaction.atomic
def postpone(run: Run, wait: Wait, *, state: RunState, restart: bool = False) -> None:
    """Stop here for now; the next worker goes on where it was, or at the first page when the cursor was refused."""
    locked = claimed_run(run)
    if locked is None:
        return
    locked.state, locked.error = state, wait.description[:300]
    locked.next_due_at = timezone.now() + wait.delay
    locked.lease_owner, locked.lease_until = "", None
    if restart:
        locked.cursor, locked.trail, locked.seen, locked.nameless, locked.is_listed = "", {}, 0, 0, False
        locked.restarts += 1
    locked.save()
    touch_areas("sync")


@transaction.atomic
def hand_over(owner: str) -> None:
    """Give back what a worker did not finish in its time; it stays due."""
    if Run.objects.filter(~Q(lease_owner=""), lease_owner=owner).update(lease_owner="", lease_until=None):
        touch_areas("sync")
