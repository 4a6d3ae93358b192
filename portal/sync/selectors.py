from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Min, Q

from portal.connections.models import Connection, State
from portal.connections.services import connection_of_tenant
from portal.page_refresh.services import cached_by_version
from portal.sync.mirrors import names_of
from portal.sync.models import MissedChange, Run, RunState, StaleMark
from portal.sync.readiness import all_runs
from portal.tenants.models import Tenant
from portal.tenants.scope import all_tenants
from portal.ui.navigation import Status

TONES = {
    RunState.DONE: "good",
    RunState.RUNNING: "info",
    RunState.QUEUED: "muted",
    RunState.PAUSED: "info",
    RunState.BLOCKED: "warn",
    RunState.FAILED: "bad",
}


@dataclass(frozen=True)
class Progress:
    """How far the copy of one kind is, in words."""

    title: str
    state: str
    label: str
    tone: str
    description: str
    seen: int
    changed: int
    missed: int
    finished_at: datetime | None
    is_running: bool


def kinds_read() -> frozenset[str]:
    """Return the kinds whose whole list was read at least once: of the others nothing can be said to be none (guarantee R3)."""
    return frozenset(run.kind for run in all_runs() if run.finished_at is not None)


def progress() -> list[Progress]:
    """Return how far each kind's comparison is, in the order of the desks."""
    connection, unread = connection_of_tenant(), unreadable_numbers()
    is_connected = connection is not None and connection.is_active
    return [_progress(run, is_connected=is_connected, unread=unread[run.kind]) for run in all_runs()]


def _progress(run: Run, *, is_connected: bool, unread: int) -> Progress:
    # Without a connection nothing is compared: what stands here is how it was (guarantee R3).
    return Progress(
        title=run.title,
        state=run.state,
        label=run.get_state_display() if is_connected else "Stopped",
        tone=TONES.get(RunState(run.state), "muted") if is_connected else "muted",
        description=_words(run, unread=unread) if is_connected else _stopped_words(run),
        seen=run.seen,
        changed=run.changed,
        missed=run.missed,
        finished_at=run.finished_at,
        is_running=is_connected and run.state in (RunState.QUEUED, RunState.RUNNING, RunState.PAUSED),
    )


def _words(run: Run, *, unread: int) -> str:
    match run.state:
        case RunState.QUEUED:
            return "Waiting to start"
        case RunState.RUNNING:
            return f"{run.seen} fetched so far"
        case RunState.PAUSED:
            return f"{run.seen} fetched so far. {run.error} It continues automatically."
        case RunState.BLOCKED:
            return run.error
        case RunState.FAILED:
            return f"{run.error} It is retried automatically."
        case _:
            return _done_words(run, unread=unread)


def _done_words(run: Run, *, unread: int) -> str:
    if unread:
        return f"{run.seen} checked; {unread} could not be read"
    if run.missed:
        return f"{run.seen:,} synced, {run.missed:,} change{'s' if run.missed > 1 else ''} found by polling"
    return f"{run.seen:,} synced"


def _stopped_words(run: Run) -> str:
    return run.error or ("Not synced since the connection ended" if run.finished_at else "Never fully synced")


NEW = "Not in the portal yet"


@dataclass(frozen=True)
class Unreadable:
    """What of some kinds could not be read: so many, and the first of them by their ids."""

    count: int
    named: list[StaleMark]
    nameless: int

    @property
    def said(self) -> list[tuple[str, str]]:
        """What the first of them are called, and why they could not be read. An id tells people nothing."""
        kinds = {mark.kind for mark in self.named}
        names = {kind: names_of(kind, [mark.object_id for mark in self.named if mark.kind == kind]) for kind in kinds}
        return [(names[mark.kind].get(mark.object_id, NEW), mark.problem) for mark in self.named]

    @property
    def others(self) -> int:
        return self.count - self.nameless - len(self.named)


def unreadable(kinds: Collection[str], *, limit: int = 10) -> Unreadable:
    """Return what of these kinds could not be read, on their lists or by itself."""
    nameless = sum(run.nameless for run in all_runs() if run.kind in kinds)
    count = sum(unreadable_numbers()[kind] for kind in kinds)
    if count == nameless:
        return Unreadable(count, [], nameless)
    marks = StaleMark.objects.unreadable().filter(kind__in=kinds).order_by("kind", "object_id")
    return Unreadable(count, list(marks[:limit]), nameless)


def unreadable_numbers() -> Counter[str]:
    """Count what could not be read, by kind. Kept: nearly always there is none, and the page of each list asks."""
    numbers = Counter(cached_by_version("sync", "unreadable", _marks_by_kind))
    numbers.update({run.kind: run.nameless for run in all_runs()})
    return numbers


def _marks_by_kind() -> dict[str, int]:
    rows = StaleMark.objects.unreadable().order_by().values("kind").annotate(number=Count("pk"))
    return dict(rows.values_list("kind", "number"))


def last_compared_at() -> datetime | None:
    """Return since when every kind of the tenant in scope has been complete; None while one is still to be made."""
    finished = [run.finished_at for run in all_runs()]
    return min(finished) if finished and None not in finished else None  # type: ignore[type-var]


def waiting_objects() -> int:
    """Return how many single objects have yet to be fetched."""
    return StaleMark.objects.waiting().count()


def status(tenant: Tenant) -> Status | None:
    """Say in one line how the tenant's copy is, for the foot of the navigation."""
    connection = connection_of_tenant()
    if connection is None or connection.connected_at is None:
        return Status("muted", "Not connected yet")
    if not connection.is_active:
        return Status("bad", connection.get_state_display())
    runs = all_runs()
    if not runs or any(run.is_first and run.state in (RunState.QUEUED, RunState.RUNNING, RunState.PAUSED) for run in runs):
        return Status("info", "Fetching the first copy")
    blocked = [run for run in runs if run.state in (RunState.BLOCKED, RunState.FAILED)]
    oldest = min((run.finished_at for run in runs if run.finished_at), default=None)
    if blocked:
        return Status("warn", f"{blocked[0].title} not up to date")
    return Status("good", "Synced", at=oldest)


def tenants_with_due_marks() -> list[int]:
    """Return the tenants whose marks wait for a worker, the longest waiting first."""
    with all_tenants("the sweep looks for every tenant's marks"):
        # Grouped: the hundred thousand marks of one tenant must not hide those of another (guarantee Q6).
        rows = StaleMark.objects.due().order_by().values("tenant_id").annotate(first=Min("due_at")).order_by("first")
        return list(rows.values_list("tenant_id", flat=True))


def tenants_to_reconcile(kinds: int) -> list[int]:
    """Return the connected tenants that have a comparison due, or fewer than there are kinds."""
    with all_tenants("the sweep looks for every tenant's comparisons"):
        active = set(Connection.objects.filter(state=State.ACTIVE).values_list("tenant_id", flat=True))
        complete = Run.objects.order_by().values("tenant_id").annotate(kinds=Count("pk")).filter(kinds__gte=kinds)
        begun = set(complete.values_list("tenant_id", flat=True))
        due = list(Run.objects.due().order_by("next_due_at").values_list("tenant_id", flat=True))
    return [tenant_id for tenant_id in dict.fromkeys([*due, *sorted(active - begun)]) if tenant_id in active]


def missed_report(*, since: datetime, limit: int = 50) -> list[MissedChange]:
    """Return the latest changes that events should have told of: those that have happened after `since`."""
    return list(MissedChange.objects.filter(compared_since__gte=since)[:limit])


def missed_changes(*, since: datetime) -> int:
    """Return how many changes the last comparisons found that events should have told of, from `since` on."""
    return sum(Run.objects.filter(~Q(missed=0), compared_since__gte=since).values_list("missed", flat=True))
