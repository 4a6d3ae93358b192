"""Whether the answers of two entries say the same: by Yes and No, by figures with their units, and by their words."""

import re
from typing import Final

from portal.lib.text_keys import key_of
from portal.library.models import Entry, PairKind

YES, NO = "yes", "no"
OPPOSITE: Final = {YES: NO, NO: YES}
HOURS: Final = {"minute": 1 / 60, "hour": 1, "day": 24, "week": 168, "month": 730, "year": 8760}
"""Spans of time are compared in hours: 72 hours are 3 days."""
FIGURE: Final = re.compile(
    r"(?P<number>\d+(?:[.,]\d+)?)[\s-]*(?:(?:business|working|calendar)[\s-]+)?"
    r"(?P<unit>%|(?:percent|minute|hour|day|week|month|year|character)(?=s?\b))",
    re.IGNORECASE,
)
WORD: Final = re.compile(r"\w+")


def pair_kind(one: Entry, other: Entry, *, is_reversed: bool) -> PairKind:
    """Say what the answers of two entries have in common; `is_reversed`: one asks for the contrary of the other."""
    if _contradict(one, other, is_reversed=is_reversed):
        return PairKind.CONFLICT
    if not is_reversed and key_of(one.answer) == key_of(other.answer):
        return PairKind.SAME_ANSWER
    return PairKind.OTHER_WORDS


def _contradict(one: Entry, other: Entry, *, is_reversed: bool) -> bool:
    mine, theirs = _verdict(one), _verdict(other)
    if mine and theirs:
        if mine != (OPPOSITE[theirs] if is_reversed else theirs):
            return True
    elif one.short and other.short and not (mine or theirs) and key_of(one.short) != key_of(other.short):
        return True
    ours, others = figures(one.answer), figures(other.answer)
    return any(not (ours[unit] <= others[unit] or others[unit] <= ours[unit]) for unit in ours.keys() & others.keys())


def _verdict(entry: Entry) -> str:
    """Return whether an answer begins with Yes or No."""
    words = WORD.findall(entry.answer[:40].casefold())
    return words[0] if words and words[0] in OPPOSITE else ""


def figures(text: str) -> dict[str, set[float]]:
    """Return the figures of a text that have a unit, by what is measured."""
    found: dict[str, set[float]] = {}
    for figure in FIGURE.finditer(text):
        value, unit = float(figure["number"].replace(",", ".")), figure["unit"].casefold()
        if unit in HOURS:
            found.setdefault("time", set()).add(round(value * HOURS[unit], 2))
        else:
            found.setdefault("%" if unit == "percent" else unit, set()).add(value)
    return found
