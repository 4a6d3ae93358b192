"""The office hours of the tenant in scope, or of several."""

from collections import defaultdict
from collections.abc import Callable, Collection, Mapping
from datetime import date, datetime, time
from functools import cache, partial
from zoneinfo import ZoneInfo

from portal.calendars.models import Holiday, OfficeHours
from portal.calendars.office_time import OfficeTime
from portal.lib.platform_days import day_of
from portal.page_refresh.services import cached_by_version


def office_hours() -> OfficeHours:
    """Return what the tenant has set, or the usual hours as a row that was never stored."""
    return OfficeHours.objects.first() or OfficeHours()


def office_time() -> OfficeTime:
    """Return the tenant's hours and holidays, to calculate with. Kept: whatever shows a deadline asks."""
    return cached_by_version("calendars", "office_time", _office_time)


def _office_time() -> OfficeTime:
    return office_hours().office_time(Holiday.objects.values_list("day", flat=True))


def office_times(tenant_ids: Collection[int]) -> Mapping[int, OfficeTime]:
    """Return the same of each of these tenants."""
    stored = {row.tenant_id: row for row in OfficeHours.objects.filter(tenant__in=tenant_ids)}
    holidays: dict[int, list[date]] = defaultdict(list)
    for tenant_id, day in Holiday.objects.filter(tenant__in=tenant_ids).values_list("tenant_id", "day"):
        holidays[tenant_id].append(day)
    return {each: stored.get(each, OfficeHours()).office_time(holidays[each]) for each in tenant_ids}


def end_of_days(tenant_ids: Collection[int]) -> Callable[[int, date], datetime]:
    """Return what tells when a day is over where the office of a tenant is."""
    stored = OfficeHours.objects.filter(tenant__in=tenant_ids).values_list("tenant_id", "zone")
    zones = {tenant_id: ZoneInfo(zone) for tenant_id, zone in stored} if tenant_ids else {}
    usual = ZoneInfo(OfficeHours().zone)
    return lambda tenant_id, day: datetime.combine(day, time(23, 59, 59), tzinfo=zones.get(tenant_id, usual))


def ends_of_due_dates(tenant_ids: Collection[int]) -> Callable[[int, datetime], datetime]:
    """Return what tells until when there is time for something that the platform has due: a day lasts to its end.

    Where no day is met, the zones of the offices are not read.
    """
    ends = cache(partial(end_of_days, tenant_ids))

    def end(tenant_id: int, due_at: datetime) -> datetime:
        day = day_of(due_at)
        return due_at if day is None else ends()(tenant_id, day)

    return end
