"""The arithmetic of a contract's dates: when it ends or renews itself next, and the last day to give notice."""

from calendar import monthrange
from collections.abc import Mapping
from datetime import date, timedelta
from typing import Any

from portal.contracts.models import NoticeUnit, Terms

EARLIEST, LATEST = date(1970, 1, 1), date(2199, 12, 31)
"""What a person can mean by a date of a contract; beyond it, it was mistyped."""
MOST_MONTHS = 600
MOST_DAYS = 3650


def months_later(day: date, months: int) -> date:
    """The same day some months later, or before; where a month has no such day, its last one."""
    number = day.year * 12 + day.month - 1 + months
    year, month = divmod(number, 12)
    return date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))


def contradiction_in(values: Mapping[str, Any]) -> str:
    """Say what does not go together in the fields of a contract; empty where all does."""
    ends_on, renews_on = values["ends_on"], values["renews_on"]
    if values["renews_itself"] and not values["renewal_months"]:
        return "Say for how many months it renews by itself."
    if values["renews_itself"] and not (ends_on or renews_on):
        return "Say when it ends or renews first."
    if values["notice_number"] and values["notice_unit"] == NoticeUnit.MONTHS and values["notice_number"] > MOST_MONTHS:
        return f"A notice period has at most {MOST_MONTHS} months."
    if renews_on and ends_on and renews_on > ends_on + timedelta(days=366):
        return "The renewal is more than a year after the end."
    return ""


def next_turn(terms: Terms, today: date) -> date | None:
    """When the contract ends or, where it renews itself, renews next. A day that is over is the end."""
    if not terms.renews_itself or not terms.renewal_months:
        return terms.ends_on
    first = terms.renews_on or terms.ends_on
    if first is None or first >= today:
        return first
    # From the first day on, so that the 31st is the 31st again after a February.
    months = (today.year - first.year) * 12 + today.month - first.month
    times = max(months // terms.renewal_months, 1)
    while (day := months_later(first, times * terms.renewal_months)) < today:
        times += 1
    return day


def last_notice_day(terms: Terms, turn: date | None) -> date | None:
    """The last day on which notice still reaches the other side in time."""
    if turn is None or not terms.notice_number:
        return None
    if terms.notice_unit == NoticeUnit.DAYS:
        return turn - timedelta(days=terms.notice_number)
    return months_later(turn, -terms.notice_number)


def wind(terms: Terms, today: date) -> bool:
    """Work out what follows from the fields and from today; True when it is other than before. A new day is told of anew."""
    turn = next_turn(terms, today)
    notice = last_notice_day(terms, turn)
    if (terms.turns_on, terms.notice_on) == (turn, notice):
        return False
    if terms.turns_on != turn:
        terms.told_end_at = None
    if terms.notice_on != notice:
        terms.told_notice_at = None
    terms.turns_on, terms.notice_on = turn, notice
    return True
