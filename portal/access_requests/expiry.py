"""When access ends: by a preset, on a day, or never. The same question whoever asks it."""

from collections.abc import Iterable
from datetime import date, datetime, time, timedelta
from typing import Any

from django import forms
from django.utils import timezone

NEVER, ON_A_DAY = "never", "date"
"""Choices that the style sheet knows too: it shows the field that belongs to one."""
PRESETS = {
    "30": "In 30 days",
    "90": "In 90 days",
    "180": "In 180 days",
    "365": "In one year",
    NEVER: "Never",
    ON_A_DAY: "On a date you choose",
}
DEFAULT_PRESET = "365"


def choices(pairs: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    return list(pairs)


class ExpiryForm(forms.Form):
    """Asks when access ends."""

    # Fields that a choice makes needless are hidden, and a browser cannot point at one of those.
    use_required_attribute = False

    expiry = forms.ChoiceField(label="Access ends", choices=choices(PRESETS.items()), initial=DEFAULT_PRESET)
    expires_on = forms.DateField(
        label="End date",
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
        error_messages={"required": "Choose a date."},
    )

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        if self.is_bound:
            self.fields["expires_on"].required = self["expiry"].value() == ON_A_DAY

    def clean_expires_on(self) -> date | None:
        day: date | None = self.cleaned_data["expires_on"]
        if day and self.fields["expires_on"].required and day <= timezone.localdate():
            raise forms.ValidationError("Choose a date after today.")
        return day

    @property
    def expires_at(self) -> datetime | None:
        expiry = self.cleaned_data["expiry"]
        return end_of(self.cleaned_data["expires_on"]) if expiry == ON_A_DAY else end_of_preset(expiry)


def end_of_preset(expiry: str) -> datetime | None:
    return None if expiry == NEVER else end_of(timezone.localdate() + timedelta(days=int(expiry)))


def end_of(day: date) -> datetime:
    """Access ends with the last minute of a day where the person is who decides."""
    return timezone.make_aware(datetime.combine(day, time(23, 59)))
