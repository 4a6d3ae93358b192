"""The office hours of the tenant in scope."""

from collections.abc import Callable
from datetime import date, datetime, time
from zoneinfo import ZoneInfo

from portal.calendars.models import Holiday, OfficeHours
from portal.calendars.office_time import OfficeTime


def office_hours() -> OfficeHours:
    """Return what the tenant has set, or the usual hours as a row that was never stored."""
    return OfficeHours.objects.first() or OfficeHours()


def office_time() -> OfficeTime:
    """Return the tenant's hours and holidays, to calculate with."""
    return office_hours().office_time(Holiday.objects.all())


def end_of_days() -> Callable[[date], datetime]:
    """Return what tells when a day is over where the office is."""
    zone = ZoneInfo(office_hours().zone)
    return lambda day: datetime.combine(day, time(23, 59, 59), tzinfo=zone)
