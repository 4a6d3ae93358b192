"""What the pages about clocks and targets show."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from django.db import models

from portal.calendars.office_time import OfficeTime
from portal.lib.counts import count_together
from portal.lib.keyset import KeysetPage, keyset_page
from portal.page_refresh.services import cached_by_version
from portal.questionnaires.account_names import account_names
from portal.questionnaires.clocks import Spent, Turn, shares, spent, turn_of
from portal.questionnaires.models import ACCOUNT, TAG, Label, Priority, Questionnaire, QuestionnaireQuerySet, Target, TargetKind
from portal.questionnaires.services.clocks import history_of, seen_of
from portal.questionnaires.stages import PAUSED
from portal.questionnaires.targets import Said, in_order, office_left, office_words, said_of
from portal.work_items.selectors import MAX_COUNTED, Count

CLOCK_ORDER = ("target_sort", "id")
SOON = timedelta(days=1)
LABEL = "label"
"""Stands for an account or a tag in the form of a target."""
MAX_NAMES = 500
"""In one select; more help nobody."""
BAR_WIDTH = 120
SHOWS = (("", "All"), ("missed", "Target missed"), ("day", "Due within a day"), ("paused", "Paused"))


@dataclass(frozen=True)
class Piece:
    """One piece of the bar that shows where the time went."""

    turn: Turn
    percent: int
    x: float
    width: float


@dataclass(frozen=True)
class ClockRow:
    """One questionnaire on the page of clocks."""

    questionnaire: Questionnaire
    account: str
    said: Said | None
    """Never nothing here but in the moment in which a target goes."""
    left: str
    pieces: list[Piece]


def clocks_shown(show: str, *, now: datetime) -> QuestionnaireQuerySet:
    """The questionnaires behind one of the chips."""
    rows = Questionnaire.objects.present().with_clock()
    if show == "missed":
        return rows.filter(target_sort__lte=now)
    if show == "day":
        return rows.filter(target_sort__gt=now, target_sort__lte=now + SOON)
    return rows.filter(status__in=PAUSED) if show == "paused" else rows


def clock_tabs(show: str, *, now: datetime) -> list[dict[str, Any]]:
    counts = count_together({key: clocks_shown(key, now=now) for key, _ in SHOWS}, limit=MAX_COUNTED + 1)
    return [
        {
            "label": label,
            "count": Count(counts[key]),
            "url": f"?show={key}" if key else "?",
            "is_current": key == show,
        }
        for key, label in SHOWS
    ]


def clock_page(
    show: str, hours: OfficeTime, *, now: datetime, cursor: str | None
) -> tuple[KeysetPage[Questionnaire], list[ClockRow]]:
    """A page of clocks, most pressing first, and its rows as they are shown."""
    rows = clocks_shown(show, now=now).defer("payload", "search").select_related("target")
    page = keyset_page(rows, order_by=CLOCK_ORDER, cursor=cursor)
    names = account_names(row.account_id for row in page.rows)
    return page, [clock_row(row, hours, account=names.get(row.account_id, ""), now=now) for row in page.rows]


def clock_row(row: Questionnaire, hours: OfficeTime, *, account: str, now: datetime) -> ClockRow:
    left = office_left(row, hours, now=now)
    is_missed = row.target_at is not None and row.target_at <= now
    words = "" if left is None else f"{office_words(abs(left))}{' over' if is_missed else ''}"
    return ClockRow(row, account, said_of(row, hours, now=now), words, pieces(time_of(row, now)))


def time_of(row: Questionnaire, now: datetime) -> dict[Turn, Spent]:
    """Whose turn it was for how long on the wall, from what the row keeps and the status that lasts."""
    found = {Turn(turn): Spent(timedelta(seconds=seconds)) for turn, seconds in row.time_spent.items()}
    if row.status_since:
        turn = turn_of(row.status)
        before = found.get(turn, Spent())
        found[turn] = replace(before, real=before.real + max(now - row.status_since, timedelta(0)))
    return {turn: found[turn] for turn in Turn if turn in found}


def pieces(found: dict[Turn, Spent]) -> list[Piece]:
    """Lay the bar out; what lasted at all is never drawn as nothing."""
    parts = [(turn, percent) for turn, percent in shares(found) if found[turn].real]
    widths = [max(percent * BAR_WIDTH / 100, 2.0) for _, percent in parts]
    scale, x, drawn = BAR_WIDTH / sum(widths) if widths else 1, 0.0, []
    for (turn, percent), width in zip(parts, widths, strict=True):
        drawn.append(Piece(turn, percent, round(x, 1), round(width * scale, 1)))
        x += width * scale
    return drawn


def time_in_state(questionnaire: Questionnaire, hours: OfficeTime, *, now: datetime) -> dict[str, Any]:
    """Where the time of one questionnaire went: by whose turn it was, and step by step."""
    spans = history_of(questionnaire, seen_of([questionnaire]).get(questionnaire.pk, [])).spans(now)
    found = spent(spans, hours, now=now)
    return {
        "totals": [(turn, each) for turn, each in found.items()],
        "pieces": pieces(found),
        "steps": [(span, span.length(now), hours.between(span.start, span.end or now)) for span in reversed(spans)],
    }


def targets_shown() -> list[tuple[Target, int]]:
    """All targets in the order in which they are tried, with how many open questionnaires each governs."""
    numbers = cached_by_version("questionnaires", "governed", governed)
    return [(target, numbers.get(target.pk, 0)) for target in in_order(Target.objects.all())]


def governed() -> dict[int, int]:
    rows = Questionnaire.objects.present().with_clock().exclude(target=None).order_by()
    return {row["target"]: row["number"] for row in rows.values("target").annotate(number=models.Count("id"))}


def condition_choices() -> list[tuple[str, list[tuple[str, str]]]]:
    """Everything that a target can ask for, in groups."""
    names = {
        kind: [(f"{LABEL}:{each.pk}", each.name) for each in Label.objects.filter(kind=kind)[:MAX_NAMES]]
        for kind in (ACCOUNT, TAG)
    }
    groups = [
        ("Priority", [(f"{TargetKind.PRIORITY}:{each.value}", str(each.label)) for each in reversed(Priority)]),
        ("Account", names[ACCOUNT]),
        ("Tag", names[TAG]),
        ("All others", [(str(TargetKind.EVERYTHING), str(TargetKind.EVERYTHING.label))]),
    ]
    return [(label, options) for label, options in groups if options]
