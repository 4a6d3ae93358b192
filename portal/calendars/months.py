"""The months of a calendar page, as its address writes them."""

from datetime import date, timedelta

from django.utils import timezone

EARLIEST, LATEST = 2000, 9990
"""Years that the pages go to: behind them there is nothing to be seen."""


def month_of(text: str) -> date:
    """Read a month such as 2026-04; anything else is the present one."""
    try:
        first = date.fromisoformat(f"{text}-01") if len(text) == 7 else None
    except ValueError:
        first = None
    if first and EARLIEST <= first.year <= LATEST:
        return first
    return timezone.localdate().replace(day=1)


def neighbours(month: date) -> tuple[str, str]:
    """The months before and after, as the address writes them."""
    return f"{month - timedelta(days=1):%Y-%m}", f"{month + timedelta(days=31):%Y-%m}"
