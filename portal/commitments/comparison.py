"""How one promise stands against another of the same term: which one is harder to keep. Knows no database.

Lengths of time are taken as what they last at least and at most: a business day is 24 hours, or 72 over a weekend. Where one
is never longer than the other, that is an order. Where neither is, the worst case counts: there is a day on which the promise
is the harder one. Public holidays are left out: they only make business days longer.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from math import ceil
from typing import Final, Protocol

from portal.commitments.models.terms import Term, Unit, Verdict, promise_words
from portal.commitments.units import LENGTHS

SHORTER_IS_HARDER: Final = (Term.BREACH_NOTICE, Term.DELETION)
MORE_IS_HARDER: Final = (Term.SUBPROCESSOR_NOTICE, Term.AUDIT_RIGHTS, Term.AVAILABILITY)
"""Of the other terms nobody can say: whoever keeps something for longer may have promised more or less."""
OPPOSITE: Final = {Verdict.HARDER: Verdict.EASIER, Verdict.EASIER: Verdict.HARDER}
HOURS_A_DAY = 24


class Promised(Protocol):
    """Anything that says what was promised: a commitment, a standard, a suggestion."""

    @property
    def amount(self) -> Decimal | None: ...
    @property
    def unit(self) -> str: ...
    @property
    def words(self) -> str: ...


@dataclass(frozen=True)
class Promise:
    """A promise by itself."""

    amount: Decimal | None = None
    unit: str = ""
    words: str = ""


@dataclass(frozen=True)
class Comparison:
    """How a promise stands against another one."""

    verdict: Verdict
    description: str = ""
    """Why, where the verdict does not say it all."""
    is_order: bool = True
    """False: it is the worst case that decides, so that each of the two may be the harder one."""


@dataclass(frozen=True)
class Length:
    """How many hours a length of time lasts at least and at most."""

    least: Decimal
    most: Decimal


def compare(term: str, promise: Promised, standard: Promised | None) -> Comparison:
    """Compare a promise with another one, mostly with our standard, from the view of whoever has to keep it."""
    if standard is None:
        return Comparison(Verdict.NONE)
    if promise.amount is None or standard.amount is None:
        return _by_words(promise, standard)
    if promise.unit == standard.unit:
        return _by_amount(term, promise.amount, standard.amount)
    if promise.unit in LENGTHS and standard.unit in LENGTHS:
        return _by_length(term, promise, standard)
    return Comparison(Verdict.UNKNOWN, f"{_label(promise)} and {_label(standard)} cannot be compared.", is_order=False)


def strictest[P: Promised](term: str, promises: Iterable[P]) -> P | None:
    """Find the hardest one to keep. Numbers come before words, whose strictness nobody can tell."""
    return min(promises, key=lambda each: _ease(term, each), default=None)


def _by_words(promise: Promised, standard: Promised) -> Comparison:
    if promise.amount is None and standard.amount is None:
        if _folded(promise.words) == _folded(standard.words):
            return Comparison(Verdict.EQUAL)
        return Comparison(Verdict.UNKNOWN, "Both are in words, so a person has to judge.", is_order=False)
    return Comparison(Verdict.UNKNOWN, "One is in words and the other is a number, so a person has to judge.", is_order=False)


def _by_amount(term: str, amount: Decimal, other: Decimal) -> Comparison:
    if amount == other:
        return Comparison(Verdict.EQUAL)
    return _judge(term, is_shorter=amount < other)


def _judge(term: str, *, is_shorter: bool, description: str = "") -> Comparison:
    if term not in (*SHORTER_IS_HARDER, *MORE_IS_HARDER):
        reason = "It's unclear whether more or less of this is stricter."
        return Comparison(Verdict.UNKNOWN, reason, is_order=False)
    is_harder = is_shorter == (term in SHORTER_IS_HARDER)
    return Comparison(Verdict.HARDER if is_harder else Verdict.EASIER, description)


def _by_length(term: str, promise: Promised, standard: Promised) -> Comparison:
    one, other = length_of(promise), length_of(standard)
    if one == other:
        return Comparison(Verdict.EQUAL)
    said = " ".join(dict.fromkeys(words for each in (promise, standard) if (words := _spread(each))))
    if one.most <= other.least:
        return _judge(term, is_shorter=True, description=said)
    if other.most <= one.least:
        return _judge(term, is_shorter=False, description=said)
    judged = _judge(term, is_shorter=term in SHORTER_IS_HARDER)
    if judged.verdict == Verdict.UNKNOWN:
        return judged
    # Some days the one is longer, some days the other: a promise that can be the harder one is taken for it.
    return Comparison(Verdict.HARDER, f"Compared by the worst case. {said}".strip(), is_order=False)


def length_of(promise: Promised) -> Length:
    """Return how long an amount of time lasts at least and at most."""
    amount = promise.amount or Decimal(0)
    match promise.unit:
        case Unit.HOURS:
            return Length(amount, amount)
        case Unit.MONTHS:
            return Length(*(_month_days(amount, longest=longest) * HOURS_A_DAY for longest in (False, True)))
        case Unit.BUSINESS_DAYS:
            # Begun on a Friday, one has a weekend in it, and so has each five.
            return Length(_least_business_days(amount) * HOURS_A_DAY, (amount + 2 * ceil(amount / 5)) * HOURS_A_DAY)
        case _:
            return Length(amount * HOURS_A_DAY, amount * HOURS_A_DAY)


def _least_business_days(amount: Decimal) -> Decimal:
    """From a Sunday evening on: five business days end before the next weekend, six behind it."""
    return amount + 2 * int((amount - 1) // 5) if amount > 0 else amount


def _month_days(amount: Decimal, *, longest: bool) -> Decimal:
    """Months have 28 to 31 days, and several of them about what the calendar has on average, give or take three days."""
    if amount <= 1:
        return amount * (31 if longest else 28)
    usual = amount * Decimal("30.4375")
    return min(amount * 31, usual + 3) if longest else max(amount * 28, usual - 3)


def _spread(promise: Promised) -> str:
    """Say how long something lasts that is not always equally long."""
    length = length_of(promise)
    if length.least == length.most:
        return ""
    verb = "lasts" if promise.amount == 1 else "last"
    least, most = (f"{hours.quantize(Decimal(1)):f}" for hours in (length.least, length.most))
    if length.least >= 72:
        least, most = (f"{(hours / HOURS_A_DAY).quantize(Decimal(1)):f}" for hours in (length.least, length.most))
        return f"{_label(promise)} {verb} {least} to {most} days."
    return f"{_label(promise)} {verb} at least {least} hours, and {most} over a weekend."


def _ease(term: str, promise: Promised) -> tuple[int, Decimal, Decimal]:
    """Sort by how easy a promise is to keep, the hardest one first."""
    if promise.amount is None:
        return 2, Decimal(0), Decimal(0)
    if promise.unit not in LENGTHS:
        return 0, (promise.amount if term in SHORTER_IS_HARDER else -promise.amount), Decimal(0)
    length = length_of(promise)
    if term in MORE_IS_HARDER:
        return 1, -length.most, -length.least
    return 1, length.least, length.most


def _label(promise: Promised) -> str:
    return promise_words(promise.amount, promise.unit, promise.words)


def _folded(words: str) -> str:
    return " ".join(words.casefold().replace("’", "'").strip(" .").split())
