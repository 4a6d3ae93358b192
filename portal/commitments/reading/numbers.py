"""Numbers and lengths of time as contracts write them: `72`, `seventy-two (72) hours`, `thirty days’`, `one calendar year`."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from portal.commitments.models.terms import Unit

# fmt: off
ONES: Final = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen",
    "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)
TENS: Final = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
# fmt: on
VALUES: Final = {word: number for number, word in enumerate(ONES)} | {
    word: (number + 2) * 10 for number, word in enumerate(TENS)
}
_WORD = "|".join(sorted(VALUES, key=len, reverse=True))
_HUNDRED = r"(?:one|two|three|a)\s+hundred"
SPELLED: Final = rf"(?:(?:{_HUNDRED}(?:\s+(?:and\s+)?)?)?(?:{_WORD})(?:[\s-]+(?:{'|'.join(ONES[1:10])}))?|{_HUNDRED})"
DIGITS: Final = r"\d{1,4}(?:[.,]\d{1,3})?"
NUMBER: Final = (
    rf"(?:(?P<spelled>{SPELLED})(?:\s*[(\[]\s*{DIGITS}\s*[)\]])?|(?P<digits>{DIGITS})(?:\s*[(\[]\s*[a-z -]+\s*[)\]])?)"
)
"""In words, in digits, or in both."""
UNITS: Final = {
    "minute": (Unit.HOURS, Decimal(1) / 60),
    "hour": (Unit.HOURS, Decimal(1)),
    "hr": (Unit.HOURS, Decimal(1)),
    "day": (Unit.DAYS, Decimal(1)),
    "week": (Unit.DAYS, Decimal(7)),
    "fortnight": (Unit.DAYS, Decimal(14)),
    "month": (Unit.MONTHS, Decimal(1)),
    "year": (Unit.MONTHS, Decimal(12)),
}
"""Minutes, weeks and years are written in the units that a promise has."""
LENGTH: Final = re.compile(
    rf"(?<![\w.,/-]){NUMBER}[\s-]*(?P<business>(?:business|working|banking|office)[\s-]+)?"
    r"(?:(?:calendar|consecutive|full|clear|additional)[\s-]+)?(?P<unit>minute|hour|hr|day|week|fortnight|month|year)s?\b",
    re.IGNORECASE,
)
PERCENT: Final = re.compile(r"(?<![\w.,])(?P<digits>\d{1,3}(?:[.,]\d{1,4})?)\s?(?:%|per\s?cent\b|percent\b)", re.IGNORECASE)


@dataclass(frozen=True)
class Amount:
    """A number with its unit, and where it stands."""

    amount: Decimal
    unit: str
    start: int
    end: int


def lengths(text: str) -> Iterator[Amount]:
    """Walk the lengths of time in a text. One that no promise can have, such as zero days, is left out."""
    for match in LENGTH.finditer(text):
        unit, factor = UNITS[match["unit"].lower()]
        is_business = bool(match["business"])
        if is_business and unit != Unit.DAYS:
            # Nobody can say how long a business hour or month is.
            continue
        number = value(match) * factor
        if number > 0:
            yield Amount(shortened(number), Unit.BUSINESS_DAYS if is_business else unit, match.start(), match.end())


def percentages(text: str) -> Iterator[Amount]:
    """Walk the percentages in a text."""
    for match in PERCENT.finditer(text):
        yield Amount(shortened(decimal(match["digits"])), Unit.PERCENT, match.start(), match.end())


def value(match: re.Match[str]) -> Decimal:
    """Return the number of a match of `NUMBER`. Where words and digits differ the words count, as courts read it."""
    if match["spelled"]:
        return Decimal(spelled(match["spelled"]))
    return decimal(match["digits"])


def decimal(digits: str) -> Decimal:
    """Read digits. Three behind a comma are thousands, fewer are a fraction."""
    whole, comma, rest = digits.partition(",")
    return Decimal(f"{whole}{rest}" if comma and len(rest) == 3 else digits.replace(",", "."))


def spelled(words: str) -> int:
    """Read a number in words."""
    total = 0
    for word in re.split(r"[\s-]+", words.lower()):
        if word == "hundred":
            total = max(total, 1) * 100
        elif word == "a":
            total = 1
        elif word != "and":
            total += VALUES.get(word, 0)
    return total


def shortened(number: Decimal) -> Decimal:
    """Round to what a column holds, without zeros behind the point."""
    rounded = number.quantize(Decimal("0.001"))
    return rounded.to_integral_value() if rounded == rounded.to_integral_value() else rounded.normalize()
