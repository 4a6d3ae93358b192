"""Numbers as contracts write them: `72`, `seventy-two (72)`, `one hundred and twenty`, `2.5`."""

import re
from decimal import Decimal
from typing import Final

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
