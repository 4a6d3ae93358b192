from collections.abc import Iterator
from datetime import time
from typing import Any
from zoneinfo import available_timezones

from django import forms
from django.forms import BoundField
from django.utils import timezone

from portal.calendars.countries import countries
from portal.calendars.models import WEEKDAYS, OfficeHours
from portal.calendars.office_time import DAY_MINUTES, FIRST, LAST, Opening


def time_field(label: str) -> forms.TimeField:
    return forms.TimeField(
        label=label, required=False, widget=forms.TimeInput(attrs={"type": "time", "aria-label": label}, format="%H:%M")
    )


class HoursForm(forms.Form):
    """Zone, and for each weekday from when until when. Both left empty: closed."""

    zone = forms.ChoiceField(
        label="Time zone", choices=[(name, name.replace("_", " ")) for name in sorted(available_timezones())]
    )

    def __init__(self, data: Any = None, *, hours: OfficeHours) -> None:
        initial: dict[str, Any] = {"zone": hours.zone}
        for number, opening in enumerate(hours.week):
            if opening:
                initial |= {f"from_{number}": as_time(opening[0]), f"to_{number}": as_time(opening[1])}
        super().__init__(data, initial=initial)
        for number, name in enumerate(WEEKDAYS):
            self.fields[f"from_{number}"] = time_field(f"{name} from")
            self.fields[f"to_{number}"] = time_field(f"{name} to")

    @property
    def days(self) -> Iterator[tuple[str, BoundField, BoundField]]:
        for number, name in enumerate(WEEKDAYS):
            yield name, self[f"from_{number}"], self[f"to_{number}"]

    def clean(self) -> dict[str, Any]:
        values = super().clean() or {}
        for number, name in enumerate(WEEKDAYS):
            opens, closes = values.get(f"from_{number}"), values.get(f"to_{number}")
            if (opens is None) != (closes is None) and not {f"from_{number}", f"to_{number}"} & set(self.errors):
                self.add_error(f"to_{number}", f"Enter both times for {name}, or leave both empty if you're closed.")
            elif opens is not None and closes is not None and minutes_of(opens) >= end_minutes_of(closes):
                self.add_error(f"to_{number}", f"On {name}, the end must be after the start.")
        return values

    @property
    def week(self) -> list[Opening]:
        values = self.cleaned_data
        days = [(values[f"from_{number}"], values[f"to_{number}"]) for number in range(len(WEEKDAYS))]
        return [(minutes_of(opens), end_minutes_of(closes)) if opens is not None else None for opens, closes in days]


class HolidayForm(forms.Form):
    """One day on which nobody works."""

    day = forms.DateField(label="Day", widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"))
    name = forms.CharField(label="Name", max_length=200)

    def clean_day(self) -> Any:
        day = self.cleaned_data["day"]
        if not FIRST.date() <= day < LAST.date():
            raise forms.ValidationError(f"Choose a day between {FIRST.year} and {LAST.year - 1}.")
        return day


class CountryForm(forms.Form):
    """The public holidays of a country in one year."""

    country = forms.ChoiceField(label="Country")
    year = forms.TypedChoiceField(label="Year", coerce=int)

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        this_year = timezone.localdate().year
        self.fields["country"].choices = [("", "Choose a country"), *countries()]  # type: ignore[attr-defined]
        self.fields["year"].choices = [(year, year) for year in range(this_year - 1, this_year + 5)]  # type: ignore[attr-defined]
        self.fields["year"].initial = this_year


def as_time(minutes: int) -> time:
    """Midnight at the end of a day is written as the one at its beginning."""
    return time(*divmod(minutes % DAY_MINUTES, 60))


def minutes_of(at: time) -> int:
    return at.hour * 60 + at.minute


def end_minutes_of(at: time) -> int:
    return minutes_of(at) or DAY_MINUTES
