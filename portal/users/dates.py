"""How a person reads dates and times: which comes first, day or month, and with which clock."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from datetime import UTC, date, datetime, tzinfo
from typing import Any

from django.db.models import TextChoices
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation.trans_real import parse_accept_lang_header

from portal.users.models import User


class Dates(TextChoices):
    """The forms that people choose from, each called by an example of it."""

    DAY_24 = "day-24", "25 Nov 2026, 14:03"
    DAY_12 = "day-12", "25 Nov 2026, 2:03 PM"
    MONTH_24 = "month-24", "Nov 25, 2026, 14:03"
    MONTH_12 = "month-12", "Nov 25, 2026, 2:03 PM"


OF_LANGUAGE = {
    **dict.fromkeys(("en-us", "es-us", "en-ca", "en-ph"), Dates.MONTH_12),
    **dict.fromkeys(("en-au", "en-nz", "en-in"), Dates.DAY_12),
}
"""Languages of browsers whose people read dates otherwise than with the day first and 24 hours."""
MONTH_FIRST = (("j F Y", "F j, Y"), ("j M Y", "M j, Y"), ("j F", "F j"), ("j M", "M j"))
TWELVE_HOURS = (("H:i:s", "g:i:s A"), ("H:i", "g:i A"))

_current: ContextVar[str] = ContextVar("dates", default="")


def as_read_by(user: User) -> AbstractContextManager[None]:
    """Write times as a person reads them, in their zone and in their form."""
    return _as_read(user.zone, user.dates)


def as_mailed() -> AbstractContextManager[None]:
    """Write times in UTC and in no person's form: whoever has an email sent is not its reader."""
    return _as_read(UTC, "")


@contextmanager
def _as_read(zone: tzinfo, dates: str) -> Iterator[None]:
    before = _current.set(dates)
    try:
        with timezone.override(zone):
            yield
    finally:
        _current.reset(before)


def in_form(pattern: str) -> str:
    """Turn a pattern with the day first and 24 hours into the reader's form. One that begins with the year is for machines."""
    if pattern.startswith("Y"):
        return pattern
    chosen = _current.get()
    changes = (*(MONTH_FIRST if chosen.startswith("month") else ()), *(TWELVE_HOURS if chosen.endswith("12") else ()))
    for shipped, theirs in changes:
        pattern = pattern.replace(shipped, theirs)
    return pattern


def stored(at: date | datetime) -> str:
    """Write a day, or a moment in UTC, for a text that is kept: its readers have different forms and zones."""
    return f"{at.astimezone(UTC):%Y-%m-%d %H:%M} UTC" if isinstance(at, datetime) else at.isoformat()


def take_from_browser(request: HttpRequest | None, user: User, **_: Any) -> None:
    """Note at the first sign-in which form the language of the browser asks for; it can be changed in the profile."""
    if user.dates:
        return
    spoken = parse_accept_lang_header(request.headers.get("Accept-Language", "")) if request else ()
    user.dates = OF_LANGUAGE.get(spoken[0][0] if spoken else "", Dates.DAY_24)
    user.save(update_fields=["dates"])
