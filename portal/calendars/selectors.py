"""The office hours of the tenant in scope."""

from portal.calendars.models import Holiday, OfficeHours
from portal.calendars.office_time import OfficeTime


def office_hours() -> OfficeHours:
    """Return what the tenant has set, or the usual hours as a row that was never stored."""
    return OfficeHours.objects.first() or OfficeHours()


def office_time() -> OfficeTime:
    """Return the tenant's hours and holidays, to calculate with."""
    return office_hours().office_time(Holiday.objects.all())
