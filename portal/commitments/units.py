"""Which promises make sense: the units that a term is counted in, and the numbers that can be meant."""

from decimal import Decimal
from typing import Final

from portal.commitments.models.terms import Term, Unit

LENGTHS: Final = (Unit.HOURS, Unit.DAYS, Unit.BUSINESS_DAYS, Unit.MONTHS)
"""Units of time; the others are not comparable with them."""
UNITS: Final[dict[str, tuple[Unit, ...]]] = {
    Term.BREACH_NOTICE: (Unit.HOURS, Unit.DAYS, Unit.BUSINESS_DAYS),
    Term.SUBPROCESSOR_NOTICE: (Unit.DAYS, Unit.BUSINESS_DAYS, Unit.MONTHS),
    Term.DELETION: LENGTHS,
    Term.AUDIT_RIGHTS: (Unit.TIMES_A_YEAR,),
    Term.DATA_LOCATION: (),
    Term.RETENTION: LENGTHS,
    Term.AVAILABILITY: (Unit.PERCENT,),
    Term.OTHER: (*LENGTHS, Unit.TIMES_A_YEAR, Unit.PERCENT),
}
WHOLE: Final = (Unit.DAYS, Unit.BUSINESS_DAYS, Unit.MONTHS)
"""Nobody promises half a business day; when it would end is anybody's guess."""
MAX_AMOUNT: Final = Decimal(100_000)


def validation_error(term: str, amount: Decimal, unit: str) -> tuple[str, str]:
    """Say what is wrong with a number: the field, and words for people; two empty ones when nothing is."""
    fitting = UNITS[term]
    if unit not in fitting:
        if not fitting:
            return "unit", "This is promised in words, not as a number."
        return "unit", f"{Term(term).label} is counted in {_or([str(each.label) for each in fitting])}."
    if not 0 < amount <= MAX_AMOUNT:
        return "amount", f"Enter a number above 0, at most {MAX_AMOUNT:,}."
    if unit == Unit.PERCENT and amount > 100:
        return "amount", "You can't promise more than 100 percent."
    if unit in WHOLE and amount != amount.to_integral_value():
        return "amount", f"Enter a whole number of {Unit(unit).label}."
    return "", ""


def _or(words: list[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"
