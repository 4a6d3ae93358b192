"""Fields that several forms have."""

from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo, available_timezones

from django import forms
from django.core.exceptions import ValidationError
from django.utils import timezone

from portal.calendars.office_time import FIRST, LAST

A_MOMENT = timedelta(minutes=2)
"""Clocks of people differ."""


class MomentField(forms.MultiValueField):
    """A time on the wall, and where: in the night in which the clocks go back one time comes twice, but not in UTC."""

    def __init__(self, **options: Any) -> None:
        zones = [(name, name.replace("_", " ")) for name in sorted(available_timezones())]
        fields = (forms.DateTimeField(), forms.ChoiceField(choices=zones))
        self.widget = MomentWidget(zones)
        super().__init__(fields=fields, **options)

    def compress(self, values: list[Any]) -> datetime | None:
        if not values:
            return None
        # The first field reads it in the reader's zone; what counts is what stood on the wall.
        return values[0]  # type: ignore[no-any-return]

    def clean(self, value: Any) -> Any:
        zone = value[1] if value and value[1] in available_timezones() else str(timezone.get_current_timezone())
        try:
            with timezone.override(ZoneInfo(zone)):
                return super().clean(value)
        except ValidationError as error:
            if any(each.code == "ambiguous_timezone" for each in error.error_list):
                words = f"This time occurs twice, or not at all, in {zone} that night. Enter it in UTC."
                raise ValidationError(words) from error
            raise


class MomentWidget(forms.MultiWidget):
    """The time and its zone side by side."""

    def __init__(self, zones: list[tuple[str, str]]) -> None:
        at = forms.DateTimeInput(attrs={"type": "datetime-local", "aria-label": "Date and time"}, format="%Y-%m-%dT%H:%M")
        super().__init__([at, forms.Select(choices=zones, attrs={"aria-label": "Time zone"})], attrs={"class": "moment"})

    def decompress(self, value: datetime | None) -> list[Any]:
        zone = timezone.get_current_timezone()
        return [value and timezone.localtime(value), str(zone)]


def past_moment(at: datetime) -> datetime:
    """Refuse a moment that is still to come, or that no calendar here knows."""
    if at > timezone.now() + A_MOMENT:
        raise ValidationError("This time is in the future.")
    if not FIRST <= at < LAST:
        raise ValidationError("Check the year.")
    return at


def text_field(label: str, rows: int = 3, **options: Any) -> forms.CharField:
    return forms.CharField(label=label, widget=forms.Textarea(attrs={"rows": rows}), **options)
