from decimal import Decimal

from django.db import models


class Term(models.TextChoices):
    """What a contract can promise."""

    BREACH_NOTICE = "breach-notice", "Breach notice"
    SUBPROCESSOR_NOTICE = "subprocessor-notice", "Subprocessor notice"
    DELETION = "deletion", "Deletion after termination"
    AUDIT_RIGHTS = "audit-rights", "Audit rights"
    DATA_LOCATION = "data-location", "Data location"
    RETENTION = "retention", "Retention"
    AVAILABILITY = "availability", "Availability"
    OTHER = "other", "Other"


class Unit(models.TextChoices):
    """What the amount of a promise counts. Empty: it is a promise in words alone."""

    NONE = "", "no number"
    HOURS = "hours", "hours"
    DAYS = "days", "days"
    BUSINESS_DAYS = "business-days", "business days"
    MONTHS = "months", "months"
    TIMES_A_YEAR = "times-a-year", "times a year"
    PERCENT = "percent", "percent"


class Verdict(models.TextChoices):
    """How a promise stands against another one, mostly against our standard. Empty: there is nothing to compare it with."""

    NONE = "", "No standard"
    HARDER = "harder", "Stricter than our standard"
    EQUAL = "equal", "Same as our standard"
    EASIER = "easier", "Looser than our standard"
    UNKNOWN = "unknown", "Not comparable"


TONES = {"harder": "warn", "equal": "good", "easier": "info", "unknown": "muted", "": "muted"}
COMPARED = (Verdict.HARDER.value, Verdict.EQUAL.value, Verdict.EASIER.value)
"""Of these somebody can say how they stand against our standard."""
NOTICES = (Term.BREACH_NOTICE.value, Term.SUBPROCESSOR_NOTICE.value)
"""Promises to tell somebody: they say whom, and of which data."""


def promise_words(amount: Decimal | None, unit: str, words: str) -> str:
    """Write a promise: `24 hours`, `1 business day`, `without undue delay`."""
    if amount is None:
        return words
    if unit == Unit.TIMES_A_YEAR and amount in (1, 2):
        return "once a year" if amount == 1 else "twice a year"
    label = Unit(unit).label
    return f"{amount.normalize():f} {label.removesuffix('s') if amount == 1 else label}"
