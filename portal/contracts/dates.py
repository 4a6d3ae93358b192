"""The arithmetic of a contract's dates: when it ends or renews itself next, and the last day to give notice."""

import re
from calendar import monthrange
from collections.abc import Mapping
from datetime import date, timedelta
from typing import Any

from django.utils import timezone
from django.utils.formats import date_format

from portal.contracts.models import NoticeUnit, Terms
from portal.users.dates import in_form

EARLIEST, LATEST = date(1970, 1, 1), date(2199, 12, 31)
"""What a person can mean by a date of a contract; beyond it, it was mistyped."""
MAX_MONTHS = 600
MAX_DAYS = 3650
MONTH_DAYS = 31
LIKELY_NOTICE_DAYS = 12 * MONTH_DAYS
LIKELY_TERM = timedelta(days=20 * 365)
"""What is longer is asked about: it was mostly mistyped, or counted in the wrong unit."""
DOUBTED = ("notice_number", "notice_unit", "renews_itself", "renewal_months", "ends_on")
"""The fields that can be unlikely; what was noted before is not asked about again."""
LENGTH = re.compile(r"(?P<number>\d{1,4})\s*(?P<unit>days?|weeks?|months?|years?)?", re.IGNORECASE)
UNITS = {
    **dict.fromkeys(("day", "days"), (NoticeUnit.DAYS.value, 1)),
    **dict.fromkeys(("week", "weeks"), (NoticeUnit.DAYS.value, 7)),
    **dict.fromkeys(("month", "months"), (NoticeUnit.MONTHS.value, 1)),
    **dict.fromkeys(("year", "years"), (NoticeUnit.MONTHS.value, 12)),
}


def months_later(day: date, months: int) -> date:
    """The same day some months later, or before; where a month has no such day, its last one."""
    number = day.year * 12 + day.month - 1 + months
    year, month = divmod(number, 12)
    return date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))


def contradiction_in(values: Mapping[str, Any]) -> str:
    """Say what does not go together in the fields of a contract; empty where all does."""
    ends_on, renews_on = values["ends_on"], values["renews_on"]
    if values["renews_itself"] and not values["renewal_months"]:
        return "Enter how many months it renews for."
    if values["renews_itself"] and not (ends_on or renews_on):
        return "Enter when it ends or first renews."
    if values["notice_number"] and not values["notice_unit"]:
        return "Choose days or months for the notice period."
    if values["notice_number"] and values["notice_unit"] == NoticeUnit.MONTHS and values["notice_number"] > MAX_MONTHS:
        return f"A notice period can be at most {MAX_MONTHS} months."
    if renews_on and ends_on and renews_on > ends_on + timedelta(days=366):
        return "The renewal is more than a year after the end."
    return ""


def doubt_in(values: Mapping[str, Any], *, executed_on: date | None) -> str:
    """Say what is possible but unlikely in the fields of a contract, as a question; empty where nothing is."""
    number, unit = values["notice_number"], values["notice_unit"]
    notice_days = (number or 0) * (1 if unit == NoticeUnit.DAYS else MONTH_DAYS)
    if notice_days > LIKELY_NOTICE_DAYS:
        return f"A notice period of {length_words(number, unit)} is longer than a year."
    if values["renews_itself"] and notice_days > (values["renewal_months"] or 0) * MONTH_DAYS:
        return f"A notice period of {length_words(number, unit)} is longer than the renewal term."
    ends_on = values["ends_on"]
    if ends_on and executed_on and ends_on < executed_on:
        return f"The end is before the day it was executed, {date_format(executed_on, in_form('j F Y'))}."
    if ends_on and ends_on > timezone.localdate() + LIKELY_TERM:
        return f"The end is more than {LIKELY_TERM.days // 365} years from now."
    return ""


def length_words(number: int, unit: str) -> str:
    """Write a length of time: `60 months (5 years)`."""
    words = f"{number} {unit.removesuffix('s') if number == 1 else unit}"
    years, rest = divmod(number, 12) if unit == NoticeUnit.MONTHS else (0, 1)
    return f"{words} ({years} years)" if years > 1 and not rest else words


def read_length(text: str) -> tuple[int, str]:
    """Read a notice period as people write it: number and unit, `60 days`; without a unit `60` alone. Raises ValueError."""
    found = LENGTH.fullmatch(text.strip())
    if not found:
        raise ValueError(text)
    unit, factor = UNITS.get((found["unit"] or "").lower(), ("", 1))
    return int(found["number"]) * factor, unit


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
    if turn is None or not terms.notice_number or not terms.notice_unit:
        return None
    if terms.notice_unit == NoticeUnit.DAYS:
        return turn - timedelta(days=terms.notice_number)
    return months_later(turn, -terms.notice_number)


def recalculate_dates(terms: Terms, today: date) -> bool:
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
