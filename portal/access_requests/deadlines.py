"""Until when a request should be decided, in the office time of the tenant."""

from bisect import bisect_left
from collections.abc import Callable, Collection, Mapping
from datetime import datetime, timedelta

from portal.access_requests.models import NEVER, AccessRequest, DeskSettings
from portal.calendars.office_time import OfficeTime
from portal.calendars.selectors import office_time, office_times
from portal.page_refresh.services import cached_by_version
from portal.tenants.scope import current_tenant_id

type DueAt = Callable[[AccessRequest], datetime | None]


def deadlines(tenant_ids: Collection[int]) -> DueAt:
    """Return what tells until when a request of these tenants should be decided.

    None for one that is decided, or without a deadline.
    """
    settings = DeskSettings.objects.filter(tenant__in=tenant_ids) if tenant_ids else ()
    amounts = {row.tenant_id: row.deadline for row in settings if row.deadline is not None}
    return _deadlines(amounts, office_times(amounts.keys()) if amounts else {})


def kept_deadlines() -> DueAt:
    """Return the same for the tenant in scope, of what is kept for its pages."""
    settings = cached_by_version("access_requests", "desk_settings", lambda: DeskSettings.objects.first() or DeskSettings())
    if settings.deadline is None:
        return lambda request: None
    tenant_id = current_tenant_id()
    return _deadlines({tenant_id: settings.deadline}, {tenant_id: office_time()})


def _deadlines(amounts: Mapping[int, timedelta], hours: Mapping[int, OfficeTime]) -> DueAt:
    def due_at(request: AccessRequest) -> datetime | None:
        amount = amounts.get(request.tenant_id)
        if amount is None or not request.is_pending or request.gone_at:
            return None
        return hours[request.tenant_id].after(request.created_at, amount)

    return due_at


def overdue_count(now: datetime) -> int:
    """Count the waiting requests whose deadline has passed."""
    settings = DeskSettings.objects.first()
    amount = settings.deadline if settings else None
    if amount is None:
        return 0
    hours = office_time()
    moments = AccessRequest.objects.waiting().order_by("created_at").values_list("created_at", flat=True)
    # Who has waited longer is due earlier: only the last one that is late is looked for.
    return bisect_left(list(moments), now, key=lambda at: hours.after(at, amount) or NEVER)
