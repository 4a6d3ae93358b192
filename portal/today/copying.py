"""Office hours and holidays of one tenant, copied to others of the same person: what each would become, and doing it."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from itertools import groupby
from zlib import crc32

from django.db import transaction

from portal.calendars.models import WEEKDAYS, Holiday, OfficeHours
from portal.calendars.selectors import office_hours
from portal.calendars.services import add_holidays, set_hours
from portal.lib.counted import counted
from portal.tenants.models import Membership, Role
from portal.tenants.scope import tenant_scope

SHORT = 3
"""Letters of a weekday."""


@dataclass(frozen=True)
class Calendar:
    """When a tenant works."""

    zone: str
    week: tuple[tuple[int, int] | None, ...]
    holidays: dict[date, str]

    @property
    def words(self) -> str:
        """The week in one line: "Mon to Fri 09:00-17:00, Europe/Berlin"."""
        days = [
            f"{_days([number for number, _ in group])} {_time(opening[0])}\N{EN DASH}{_time(opening[1])}"
            for opening, group in groupby(enumerate(self.week), key=lambda each: each[1])
            if opening
        ]
        return f"{', '.join(days) or 'never open'}, {self.zone.replace('_', ' ')}"


@dataclass(frozen=True)
class Copy:
    """What one tenant would become."""

    membership: Membership
    before: Calendar
    new_holidays: dict[date, str]
    is_same_week: bool
    value: str
    """Names the tenant and what was shown of both: somebody may change either while the page is open."""

    @property
    def is_needed(self) -> bool:
        return not self.is_same_week or bool(self.new_holidays)

    @property
    def holiday_words(self) -> str:
        return f"{counted(len(self.new_holidays), 'holiday')} more" if self.new_holidays else "no holiday more"


def calendar_of(membership: Membership) -> Calendar:
    """Read when the tenant of a membership works."""
    with tenant_scope(membership.tenant_id):
        return _read(office_hours())


def copies_to(source: Membership, memberships: Iterable[Membership]) -> list[Copy]:
    """Say what each other tenant would become in which this person may change the hours."""
    given = calendar_of(source)
    targets = [each for each in memberships if each.tenant_id != source.tenant_id and each.may(Role.ADMIN)]
    return [_copy(given, each) for each in sorted(targets, key=lambda each: each.tenant.name.casefold())]


def copy_to(source: Membership, target: Membership, *, value: str) -> bool:
    """Copy the hours, and the holidays that are missing, as they were shown; False when either was changed meanwhile."""
    given = calendar_of(source)
    with tenant_scope(target.tenant_id), transaction.atomic():
        OfficeHours.objects.select_for_update().first()
        copy = _copy(given, target)
        if copy.value != value:
            return False
        if not copy.is_same_week:
            set_hours(zone=given.zone, week=given.week, member=target)
        if copy.new_holidays:
            summary = f"Added {counted(len(copy.new_holidays), 'holiday')} of {source.tenant}."
            add_holidays(copy.new_holidays, summary=summary, member=target)
    return True


def _copy(given: Calendar, target: Membership) -> Copy:
    before = calendar_of(target)
    new = {day: name for day, name in given.holidays.items() if day not in before.holidays}
    is_same = (given.zone, given.week) == (before.zone, before.week)
    value = f"{target.tenant.slug}:{crc32(repr((given, before)).encode()):x}"
    return Copy(target, before, new, is_same, value)


def _read(hours: OfficeHours) -> Calendar:
    week = tuple((opening[0], opening[1]) if opening else None for opening in hours.week)
    return Calendar(hours.zone, week, dict(Holiday.objects.values_list("day", "name")))


def _days(numbers: list[int]) -> str:
    first, last = WEEKDAYS[numbers[0]][:SHORT], WEEKDAYS[numbers[-1]][:SHORT]
    return first if first == last else f"{first}\N{EN DASH}{last}"


def _time(minutes: int) -> str:
    return f"{minutes // 60:02}:{minutes % 60:02}"
