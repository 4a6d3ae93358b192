"""Until when a request should be decided, in the office time of the tenant."""

from collections.abc import Callable
from datetime import datetime

from portal.access_requests.models import AccessRequest, DeskSettings
from portal.calendars.selectors import office_time


def deadlines() -> Callable[[AccessRequest], datetime | None]:
    """Return what tells until when a request should be decided; None for one that is decided, or without a deadline."""
    settings = DeskSettings.objects.first()
    amount = settings.deadline if settings else None
    hours = office_time() if amount is not None else None

    def due_at(request: AccessRequest) -> datetime | None:
        if amount is None or hours is None or not request.is_pending or request.gone_at:
            return None
        return hours.after(request.created_at, amount)

    return due_at


def overdue_count(now: datetime) -> int:
    """Count the waiting requests whose deadline has passed."""
    due_of = deadlines()
    rows = AccessRequest.objects.waiting().defer("payload", "search", "reason")
    return sum(1 for row in rows if (due_at := due_of(row)) and due_at < now)
