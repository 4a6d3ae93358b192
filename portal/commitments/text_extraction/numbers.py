"""Numbers and lengths of time as contracts write them: `72`, `seventy-two (72) hours`, `thirty days’`, `one calendar year`."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from portal.commitments.models.terms import Unit
from portal.lib.numbers_in_text import NUMBER, decimal, value

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


def shortened(number: Decimal) -> Decimal:
    """Round to what a column holds, without zeros behind the point."""
    rounded = number.quantize(Decimal("0.001"))
    return rounded.to_integral_value() if rounded == rounded.to_integral_value() else rounded.normalize()
