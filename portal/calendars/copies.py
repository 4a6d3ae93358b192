"""Office hours and holidays, as they are copied to another tenant."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from itertools import groupby

from portal.calendars.models import WEEKDAYS, Holiday, OfficeHours
from portal.calendars.selectors import office_hours
from portal.calendars.services import add_holidays, set_hours
from portal.lib.counted import counted
from portal.tenants.copied_settings import CopiedSettings, register_copied_settings
from portal.tenants.models import Membership

SHORT = 3
"""Letters of a weekday."""


@dataclass(frozen=True)
class Calendar:
    """When a tenant works."""

    zone: str
    week: tuple[tuple[int, int] | None, ...]
    holidays: dict[date, str]

    @property
    def description(self) -> str:
        """The week in one line: "Mon to Fri 09:00-17:00, Europe/Berlin"."""
        days = [
            f"{_days([number for number, _ in group])} {_time(opening[0])}\N{EN DASH}{_time(opening[1])}"
            for opening, group in groupby(enumerate(self.week), key=lambda each: each[1])
            if opening
        ]
        return f"{', '.join(days) or 'always closed'}, {self.zone.replace('_', ' ')}"

    def is_same_week(self, other: "Calendar") -> bool:
        return (self.zone, self.week) == (other.zone, other.week)

    def holidays_beside(self, other: "Calendar") -> dict[date, str]:
        """Return the holidays that the other one does not have."""
        return {day: name for day, name in self.holidays.items() if day not in other.holidays}


def read(member: Membership) -> Calendar:
    hours = office_hours()
    week = tuple((opening[0], opening[1]) if opening else None for opening in hours.week)
    return Calendar(hours.zone, week, dict(Holiday.objects.values_list("day", "name")))


def describe(calendar: Calendar) -> Sequence[str]:
    return (calendar.description, counted(len(calendar.holidays), "holiday"))


def plan(given: Calendar, before: Calendar) -> Sequence[str]:
    """Say the week where it is another one, and how many holidays come to those that are there."""
    new = given.holidays_beside(before)
    week = () if given.is_same_week(before) else (given.description,)
    return (*week, f"{counted(len(new), 'holiday')} more") if new else week


def apply(given: Calendar, member: Membership) -> None:
    before = read(member)
    if not given.is_same_week(before):
        set_hours(zone=given.zone, week=given.week, member=member)
    if new := given.holidays_beside(before):
        add_holidays(new, summary=f"Added {counted(len(new), 'holiday')} from another tenant.", member=member)


def register() -> None:
    register_copied_settings(
        "hours",
        CopiedSettings(
            label="Office hours",
            note="Replaces the week and time zone. Adds holidays; removes none.",
            read=read,
            describe=describe,
            plan=plan,
            apply=apply,
            lock=lambda: OfficeHours.objects.select_for_update().first(),
        ),
    )


def _days(numbers: list[int]) -> str:
    first, last = WEEKDAYS[numbers[0]][:SHORT], WEEKDAYS[numbers[-1]][:SHORT]
    return first if first == last else f"{first}\N{EN DASH}{last}"


def _time(minutes: int) -> str:
    return f"{minutes // 60:02}:{minutes % 60:02}"
