"""What a page may claim of the tenant's copy (guarantee R3): a figure stands only for what was looked at."""

from dataclasses import dataclass
from datetime import datetime

from portal.connections.models import Connection
from portal.connections.services import connection_of_tenant
from portal.page_refresh.services import read_once
from portal.sync.models import Run, RunState

UNFINISHED = (RunState.BLOCKED, RunState.FAILED)


@dataclass(frozen=True)
class Readiness:
    """What stands between the tenant and the platform's objects of some kinds, and since when the copy is complete."""

    is_connected: bool
    was_connected: bool
    has_trust_center: bool
    """True as well where these kinds need none."""
    is_fetching: bool
    seen: int
    """Objects of a first copy that were fetched so far."""
    problems: tuple[str, ...]
    as_of: datetime | None
    """When the oldest of the complete copies was made; None while one of the kinds was never complete."""

    @property
    def problem(self) -> str:
        """The first thing that stands in the way; empty when there is none."""
        return self.problems[0] if self.problems else ""

    @property
    def is_known(self) -> bool:
        """A count of these rows says something: the platform's whole list was read at least once."""
        return self.as_of is not None

    @property
    def is_current(self) -> bool:
        """A count of these rows needs no reservation."""
        return self.is_known and self.is_connected and self.has_trust_center and not self.problems

    @property
    def reservation(self) -> str:
        """Say in a few words why a figure is missing or old; empty when it needs no reservation."""
        if self.is_current:
            return ""
        if not self.was_connected:
            return "Not connected"
        if not self.is_connected:
            return "Disconnected" if self.is_known else "Not checked yet"
        if not self.has_trust_center:
            return "Not known: enter the Trust Center id"
        if self.problems:
            return "Could not be updated" if self.is_known else "Could not be fetched"
        return "Not checked yet"


def all_runs() -> list[Run]:
    """Return the comparisons of every kind of the tenant in scope, in the order of the desks; read once for a page."""
    return read_once("runs", lambda: list(Run.objects.defer("cursor", "trail", "unseen")))


def readiness(*kinds: str, needs_trust_center: bool = False) -> Readiness:
    """Return what can be said of the copy of these kinds in the tenant in scope."""
    runs = [run for run in all_runs() if run.kind in kinds]
    return readiness_of(connection_of_tenant(), runs, kinds, needs_trust_center)


def readiness_of(
    connection: Connection | None, runs: list[Run], kinds: tuple[str, ...], needs_trust_center: bool = False
) -> Readiness:
    """Return the same from rows that were read already."""
    is_connected = connection is not None and connection.is_active
    broken = [run for run in runs if is_connected and run.state in UNFINISHED]
    finished = [run.finished_at for run in runs if run.finished_at is not None]
    return Readiness(
        is_connected=is_connected,
        was_connected=connection is not None and connection.connected_at is not None,
        has_trust_center=not needs_trust_center or bool(connection and connection.slug_id),
        is_fetching=is_connected and (not runs or any(run.is_first and run not in broken for run in runs)),
        seen=sum(run.seen for run in runs if run.is_first),
        problems=tuple(f"{run.title}: {run.error}" if len(kinds) > 1 else run.error for run in broken),
        as_of=min(finished) if len(finished) == len(kinds) else None,
    )
