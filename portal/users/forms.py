from typing import ClassVar
from zoneinfo import available_timezones

from django import forms

from portal.users.models import User


class ProfileForm(forms.ModelForm):  # type: ignore[type-arg]
    """What a person says of themself."""

    timezone = forms.ChoiceField(
        label="Time zone", choices=[(name, name.replace("_", " ")) for name in sorted(available_timezones())]
    )

    class Meta:
        model = User
        fields: ClassVar = ["name", "timezone"]
