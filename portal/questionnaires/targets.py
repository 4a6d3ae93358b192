"""Which target counts for a questionnaire, and how it stands, in words."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from portal.accounts.tags import Tag, tags_in
from portal.calendars.office_time import NOTHING, OfficeTime
from portal.questionnaires.clocks import Turn, turn_of
from portal.questionnaires.models import Questionnaire, Target, TargetKind
from portal.ui.times import exact_words, relative_words

HOUR = timedelta(hours=1)
ORDER = [*TargetKind]
"""The most specific first. Of several that fit alike, the shortest counts."""


@dataclass(frozen=True)
class Said:
    """How a target stands: words that stand without the colour, the tone of a due date, the exact moment."""

    description: str
    tone: str = ""
    exact: str = ""


def in_order(targets: Iterable[Target]) -> list[Target]:
    """Sort as they are tried."""
    return sorted(targets, key=lambda target: (ORDER.index(TargetKind(target.kind)), -target.priority, target.hours, target.pk))


def target_for(questionnaire: Questionnaire, targets: Iterable[Target]) -> Target | None:
    """Choose the target of a questionnaire: of its account, else of a tag, else of its priority, else of everything."""
    tags = tags_of(questionnaire)
    found = [target for target in targets if _fits(target, questionnaire, tags)]
    return min(found, key=lambda target: (ORDER.index(TargetKind(target.kind)), target.hours, target.pk), default=None)


def tags_of(questionnaire: Questionnaire) -> set[Tag]:
    """Return its tags as pairs of category and tag."""
    return set(tags_in(questionnaire.remote.tag_and_category_ids))


def _fits(target: Target, questionnaire: Questionnaire, tags: set[Tag]) -> bool:
    if target.kind == TargetKind.ACCOUNT:
        return target.account_id == questionnaire.account_id
    if target.kind == TargetKind.TAG:
        return (target.category_id, target.tag_id) in tags
    return target.kind == TargetKind.EVERYTHING or target.priority == questionnaire.priority


def said_of(questionnaire: Questionnaire, hours: OfficeTime, *, now: datetime) -> Said | None:
    """Say how the target stands; nothing where there is none."""
    if questionnaire.target_id is None:
        return None
    at, left = questionnaire.target_at, timedelta(seconds=questionnaire.target_left or 0)
    if questionnaire.is_over:
        return Said("Target missed", "late", exact_words(at)) if at else Said("Target met")
    if at and at <= now:
        return Said(f"Target missed {relative_words(at, now=now)}", "late", exact_words(at))
    if turn_of(questionnaire.status) == Turn.HOLD:
        return Said(f"Target paused, {office_words(left)} left", "none")
    if at is None:
        return Said("Target never due: no office hours", "none")
    tone = "soon" if questionnaire.warn_at and questionnaire.warn_at <= now else ""
    return Said(f"Target: in {office_words(hours.between(now, at))}", tone, exact_words(at))


def office_left(questionnaire: Questionnaire, hours: OfficeTime, *, now: datetime) -> timedelta | None:
    """Return the office time that is left, less than nothing once the target is missed; None where nobody can tell."""
    at = questionnaire.target_at
    if at is None:
        return None if questionnaire.target_left is None else timedelta(seconds=questionnaire.target_left)
    return hours.between(now, at) if at > now else -hours.between(at, now)


def office_words(length: timedelta) -> str:
    """Write an amount of office time, rather too little than too much."""
    unit, name = (HOUR, "hour") if length >= HOUR else (timedelta(minutes=1), "minute")
    number = max(length, NOTHING) // unit
    if not number:
        return "less than an office minute"
    return f"{number:,} office {name}{'' if number == 1 else 's'}"
