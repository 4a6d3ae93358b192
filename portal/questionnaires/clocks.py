"""Where the time of a questionnaire went, and how much its target leaves. Knows statuses and office time, no database."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final

from portal.calendars.office_time import NOTHING, OfficeTime
from portal.questionnaires.stages import stage_of, status_label

BARELY = timedelta(minutes=1)
"""A log that begins so soon after the questionnaire was made begins with it."""
NOT_TOLD: Final = ""
"""The status of a time that nobody tells about."""


class Turn(StrEnum):
    """Whose turn it was."""

    OURS = "ours"
    OTHERS = "others"
    PLATFORM = "platform"
    HOLD = "hold"
    DONE = "done"

    @property
    def label(self) -> str:
        return TURN_LABELS[self]

    @property
    def runs(self) -> bool:
        """Say whether the clock runs: it stands still on hold, and has ended once it is done or declined."""
        return self not in (Turn.HOLD, Turn.DONE)


TURN_LABELS: Final = {
    Turn.OURS: "Ours",
    Turn.OTHERS: "Waiting on others",
    Turn.PLATFORM: "Platform",
    Turn.HOLD: "On hold",
    Turn.DONE: "Done or declined",
}
TURN_OF_STAGE: Final = {
    "new": Turn.PLATFORM,
    "processing": Turn.PLATFORM,
    "on-hold": Turn.HOLD,
    "done": Turn.DONE,
    "refused": Turn.DONE,
}


def turn_of(status: str) -> Turn:
    """Say whose turn a status makes it; of those that nobody knows it is ours to find out."""
    if status == "WAITING_ON_ANSWERS":
        return Turn.OTHERS
    return TURN_OF_STAGE.get(stage_of(status).key, Turn.OURS)


@dataclass(frozen=True)
class Step:
    """The questionnaire has this status from a moment on."""

    status: str
    at: datetime


@dataclass(frozen=True)
class Seen:
    """A change of the status as the portal came to see it."""

    before: str
    status: str
    at: datetime


@dataclass(frozen=True)
class Span:
    """One stretch in one status. The one that lasts has no end."""

    status: str
    start: datetime
    end: datetime | None = None

    @property
    def turn(self) -> Turn:
        return turn_of(self.status)

    @property
    def label(self) -> str:
        return status_label(self.status) if self.status else "Not known"

    def length(self, now: datetime) -> timedelta:
        return max((self.end or now) - self.start, NOTHING)


@dataclass(frozen=True)
class History:
    """What is known of the statuses of a questionnaire. The log is the platform's, newest first as it comes."""

    status: str
    created_at: datetime
    updated_at: datetime
    log: Sequence[Step]
    seen: Sequence[Seen] = ()

    def spans(self, now: datetime) -> list[Span]:
        """Tell the stretches in their order. The log is right wherever it has the time."""
        spans: list[Span] = []
        for step in _without_repeats(self._steps(), self.created_at, now):
            if spans:
                spans[-1] = Span(spans[-1].status, spans[-1].start, step.at)
            spans.append(Span(step.status, step.at))
        return spans

    def _steps(self) -> list[Step]:
        # Of two with the same time the one that stands higher came later.
        log = sorted(self.log, key=lambda step: step.at, reverse=True)[::-1]
        seen = sorted(self.seen, key=lambda each: each.at)
        steps = [*self._before(log, seen), *log]
        if log and log[-1].status == self.status:
            return steps
        later = [each for each in seen if not log or each.at > log[-1].at]
        if later and not log:
            steps = [Step(later[0].before, self.created_at)]
        steps += [Step(each.status, each.at) for each in later]
        if not steps:
            return [Step(self.status, self.created_at)]
        return steps if steps[-1].status == self.status else [*steps, Step(self.status, self.updated_at)]

    def _before(self, log: Sequence[Step], seen: Sequence[Seen]) -> list[Step]:
        """What was before the log begins: what the portal saw, else nobody tells."""
        if not log or log[0].at - self.created_at <= BARELY:
            return []
        early = [each for each in seen if each.at < log[0].at]
        first = Step(early[0].before if early else NOT_TOLD, self.created_at)
        return [first, *(Step(each.status, each.at) for each in early)]


def _without_repeats(steps: Iterable[Step], first: datetime, last: datetime) -> list[Step]:
    """Leave out what lasts no time and what changes nothing; nothing is before the beginning or in the future."""
    kept: list[Step] = []
    for step in steps:
        at = max(min(step.at, last), first) if kept else first
        while kept and kept[-1].at >= at and len(kept) > 1:
            kept.pop()
        if kept and kept[-1].at >= at:
            kept[-1] = Step(step.status, kept[-1].at)
        elif not kept or kept[-1].status != step.status:
            kept.append(Step(step.status, at))
    return kept


@dataclass(frozen=True)
class Spent:
    """Time on the wall and in the office."""

    real: timedelta = NOTHING
    office: timedelta = NOTHING


def spent(spans: Iterable[Span], hours: OfficeTime, *, now: datetime) -> dict[Turn, Spent]:
    """Add up whose turn it was for how long."""
    found: dict[Turn, Spent] = {}
    for span in spans:
        before = found.get(span.turn, Spent())
        office = hours.between(span.start, span.end or now)
        found[span.turn] = Spent(before.real + span.length(now), before.office + office)
    return {turn: found[turn] for turn in Turn if turn in found}


@dataclass(frozen=True)
class Clock:
    """How a target stands. Without `target_at` the clock stands still, or there is no office time it could run in."""

    target_at: datetime | None
    warn_at: datetime | None
    left: timedelta
    """Office time that is left at this moment; less than nothing once the target is missed."""


def clock_of(spans: Sequence[Span], hours: OfficeTime, *, target: timedelta, warn_percent: int, now: datetime) -> Clock:
    """Run the clock of a target over the stretches in which it runs."""
    running = [span for span in spans if span.turn.runs]
    used = sum((hours.between(span.start, span.end or now) for span in running), NOTHING)
    early = target * (100 - warn_percent) / 100
    return Clock(_used_up(running, target, hours), _used_up(running, early, hours), target - used)


def _used_up(running: Iterable[Span], amount: timedelta, hours: OfficeTime) -> datetime | None:
    for span in running:
        used = hours.between(span.start, span.end) if span.end else None
        if used is None or used >= amount:
            return hours.after(span.start, amount)
        amount -= used
    return None


def shares(found: Mapping[Turn, Spent]) -> list[tuple[Turn, int]]:
    """Whole percents of the time on the wall, in which the greatest part takes what rounding leaves."""
    total = sum((each.real for each in found.values()), NOTHING)
    if not total:
        return []
    parts = {turn: round(100 * each.real / total) for turn, each in found.items()}
    greatest = max(parts, key=lambda turn: found[turn].real)
    parts[greatest] += 100 - sum(parts.values())
    return [*parts.items()]
