"""How long the law gives: rules over dates and numbers, without a database.

GDPR Art. 12(3) says "within one month of receipt". A month is a calendar month (Regulation 1182/71 Art. 3): it ends with the
day that bears the same number in the next month, or with that month's last day where there is none. That regulation moves an
end on a day off to the next working day; the clock here does not, so that it is never later than any reading of the law.
CCPA § 1798.130(a)(2) gives 45 days, whichever they are.
"""

from calendar import monthrange
from datetime import date, timedelta

from django.db import models

CCPA_DAYS = 45
USUAL_OWN_DAYS = 30
MAX_OWN_DAYS = 365
OLDEST = timedelta(days=3 * 366)
"""A received date before that is a slip of the pen."""
SOON = timedelta(days=7)
"""So long before its end a request counts as due soon."""


class Regulation(models.TextChoices):
    """Which law, or which promise, a request is answered under."""

    GDPR = "gdpr", "GDPR: one month"
    CCPA = "ccpa", "CCPA: 45 days"
    OWN = "own", "Own number of days"


def regulation_label(regulation: str, own_days: int | None) -> str:
    """Name the law, or say how many days."""
    if regulation == Regulation.OWN:
        return f"{own_days or USUAL_OWN_DAYS} days"
    return Regulation(regulation).label if regulation in Regulation.values else regulation


def a_month_after(day: date) -> date:
    """Return the last day of the calendar month that begins with a day's end."""
    year, months = divmod(day.year * 12 + day.month, 12)
    month = months + 1
    return date(year, month, min(day.day, monthrange(year, month)[1]))


def last_day(received_on: date, regulation: str, own_days: int | None) -> date:
    """Return the last day on which a request is answered in time. The day it came in does not count."""
    if regulation == Regulation.CCPA:
        return received_on + timedelta(days=CCPA_DAYS)
    if regulation == Regulation.OWN:
        return received_on + timedelta(days=own_days or USUAL_OWN_DAYS)
    return a_month_after(received_on)
