"""Recalculating the clocks: what a questionnaire's row says of its target, whenever something that it goes by has changed."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.utils import timezone

from portal.calendars.office_time import OfficeTime
from portal.calendars.selectors import office_time
from portal.lib.database import insert_each, save_each
from portal.questionnaires.clocks import Clock, History, Seen, Step, Turn, clock_of, spent, turn_of
from portal.questionnaires.models import (
    NO_DUE_DATE,
    PAUSED_CLOCK,
    ClockSettings,
    Questionnaire,
    StatusSeen,
    Target,
)
from portal.questionnaires.targets import target_for
from portal.sync.copies import locked_in_order
from portal.tenants.scope import current_tenant_id

COLUMNS = (
    "target", "target_at", "target_sort", "target_left", "warn_at", "remind_at", "time_spent", "status_since",
)  # fmt: skip
MAX_AGE_TO_TELL = timedelta(days=1)
"""What passed longer ago when a clock is recalculated is told on the page alone: a new target mails nobody about last year."""


@dataclass(frozen=True)
class Rules:
    """What the clocks of a tenant go by. Without targets nothing else is read: no clock needs it."""

    targets: list[Target]
    hours: OfficeTime
    warn_percent: int

    @classmethod
    def read(cls) -> "Rules":
        targets = list(Target.objects.all())
        if not targets:
            return cls([], OfficeTime(), 0)
        settings = ClockSettings.objects.first() or ClockSettings()
        return cls(targets, office_time(), settings.warn_percent)


def recalculate_clocks_for(pks: Collection[int], *, rules: Rules | None = None) -> int:
    """Work the clocks of these questionnaires out anew, and return how many have changed. Runs in the caller's transaction.

    Which holds the rows, or the rules: else they could change in between, and the older ones would be written last.
    """
    rules = rules or Rules.read()
    rows = Questionnaire.objects.filter(pk__among=pks)
    if not rules.targets:
        rows = rows.exclude(target_sort=NO_DUE_DATE, target_at=None, target=None)
    # In the order of the events: two of us wait for each other, and do not stand in each other's way.
    return recalculate_clocks(list(locked_in_order(rows)), rules)


def recalculate_clocks(rows: Collection[Questionnaire], rules: Rules | None = None) -> int:
    """Work out the clocks of rows that are held, and store those that have changed."""
    rules, now = rules or Rules.read(), timezone.now()
    if not rules.targets:
        rows = [row for row in rows if row.target_sort != NO_DUE_DATE or row.target_at or row.target_id]
    if not rows:
        return 0
    seen = seen_of(rows) if rules.targets else {}
    changed = [row for row in rows if _set(row, rules, seen.get(row.pk, []), now)]
    for row in changed:
        row.touched_at = now
    save_each(changed, [*COLUMNS, "touched_at"])
    return len(changed)


def seen_of(rows: Iterable[Questionnaire]) -> dict[int, list[Seen]]:
    """Return what the portal saw of the statuses of these questionnaires."""
    found: dict[int, list[Seen]] = {}
    for each in StatusSeen.objects.filter(questionnaire__in=[row.pk for row in rows]):
        found.setdefault(each.questionnaire_id, []).append(Seen(each.before, each.status, each.seen_at))
    return found


def history_of(row: Questionnaire, seen: Iterable[Seen]) -> History:
    log = [Step(entry.status[:80], entry.updated_at) for entry in row.remote.status_log]
    return History(row.status, row.created_at, row.updated_at, log, list(seen))


def note_status(row: Questionnaire, *, before: str) -> None:
    """Keep that the mirror found another status, where the platform's log does not tell of it."""
    log = row.remote.status_log
    newest = max(log, key=lambda entry: entry.updated_at, default=None)
    if before != row.status and (newest is None or newest.status[:80] != row.status):
        StatusSeen.objects.create(questionnaire=row, before=before, status=row.status)


def note_statuses(changes: Iterable[tuple[int, str, str]]) -> None:
    """Keep what events stated: keys of questionnaires, the status before, the status they have now."""
    pks, befores, statuses = zip(*changes, strict=True)
    columns = {"questionnaire_id": pks, "before": befores, "status": statuses}
    insert_each(StatusSeen, columns, tenant_id=current_tenant_id(), seen_at=timezone.now())


def _set(row: Questionnaire, rules: Rules, seen: list[Seen], now: datetime) -> bool:
    """Set the columns of a clock; True when one of them has changed."""
    before = [getattr(row, name if name != "target" else "target_id") for name in COLUMNS]
    target = target_for(row, rules.targets)
    row.target, row.target_at, row.target_sort, row.target_left, row.warn_at = target, None, NO_DUE_DATE, None, None
    row.time_spent, row.status_since = {}, None
    if target:
        spans = history_of(row, seen).spans(now)
        clock = clock_of(spans, rules.hours, target=target.length, warn_percent=rules.warn_percent, now=now)
        row.target_at, row.warn_at = clock.target_at, clock.warn_at
        row.status_since = spans[-1].start
        row.time_spent = {
            turn: round(each.real.total_seconds()) for turn, each in spent(spans[:-1], rules.hours, now=now).items()
        }
        _stand_still(row, clock)
    row.remind_at = next_mail(row, now)
    return before != [getattr(row, name if name != "target" else "target_id") for name in COLUMNS]


def _stand_still(row: Questionnaire, clock: Clock) -> None:
    """Keep what is left while the clock stands still; a missed target stays where it was missed."""
    turn = turn_of(row.status)
    if not turn.runs:
        row.target_left = round(clock.left.total_seconds())
    if turn != Turn.DONE:
        row.target_sort = clock.target_at or PAUSED_CLOCK


def next_mail(row: Questionnaire, now: datetime) -> datetime | None:
    """Say when the next mail about the target is due: one as a warning, one when it is missed, none while it stands still."""
    if row.target_at is None or row.told_missed_at or not turn_of(row.status).runs or row.target_at <= now - MAX_AGE_TO_TELL:
        return None
    if row.warned_at or row.warn_at is None or row.target_at <= now or row.warn_at <= now - MAX_AGE_TO_TELL:
        return row.target_at
    return row.warn_at
