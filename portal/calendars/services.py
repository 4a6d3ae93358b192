"""Every change of a tenant's office hours and holidays. Whoever counts in office time is told by a signal."""

from collections.abc import Mapping, Sequence
from datetime import date

from django.core.exceptions import PermissionDenied
from django.db import transaction

from portal.audit.services import record
from portal.calendars.models import Holiday, OfficeHours
from portal.calendars.office_time import Opening
from portal.calendars.signals import hours_changed
from portal.page_refresh.services import touch_areas
from portal.tenants.models import Membership, Role

MAX_NAME_LENGTH = 200


@transaction.atomic
def set_hours(*, zone: str, week: Sequence[Opening], member: Membership) -> OfficeHours:
    """Say when the tenant works."""
    _check(member)
    values = {"zone": zone, "week": [list(opening) if opening else None for opening in week]}
    before = OfficeHours.objects.values(*values).first()
    hours, _ = OfficeHours.objects.update_or_create(tenant=member.tenant, defaults=values)
    _note("set", f"Set the office hours, in {zone}.", member, {"before": before or {}, "after": values})
    return hours


@transaction.atomic
def add_holidays(days: Mapping[date, str], *, summary: str, member: Membership) -> int:
    """Add days on which nobody works; those that are there already keep their name. Return how many are new."""
    _check(member)
    known = set(Holiday.objects.filter(day__in=days).values_list("day", flat=True))
    new = [Holiday(day=day, name=name[:MAX_NAME_LENGTH]) for day, name in days.items() if day not in known]
    # Somebody else may add the same day at this moment.
    Holiday.objects.bulk_create(new, ignore_conflicts=True)
    if new:
        _note("add_holidays", summary, member, {"days": [f"{each.day} {each.name}" for each in new]})
    return len(new)


@transaction.atomic
def remove_holiday(holiday: Holiday, *, member: Membership) -> None:
    """Make a day a working day again."""
    _check(member)
    holiday.delete()
    _note("remove_holiday", f"Removed the holiday {holiday} on {holiday.day}.", member, {})


def _check(member: Membership) -> None:
    if not member.may(Role.ADMIN):
        raise PermissionDenied


def _note(verb: str, summary: str, member: Membership, details: Mapping[str, object]) -> None:
    record(f"calendar.{verb}", target=("calendar", "hours"), summary=summary, actor=member.user, details=dict(details))
    touch_areas("calendars")
    hours_changed.send(sender=OfficeHours)
