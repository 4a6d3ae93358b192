from typing import Any, ClassVar
from zoneinfo import available_timezones

from allauth.account.forms import SignupForm
from django import forms
from django.contrib.auth.hashers import make_password
from django.http import HttpRequest

from portal.users.dates import Dates
from portal.users.models import User
from portal.users.zones import choices


class ZoneField(forms.CharField):
    """The time zone of the browser, filled in by static/js/timezone.js. Nobody types it: an unknown one is no mistake."""

    def __init__(self, **options: Any) -> None:
        super().__init__(required=False, widget=forms.HiddenInput({"data-timezone": ""}), **options)

    def clean(self, value: Any) -> str:
        zone = str(super().clean(value))
        return zone if zone in available_timezones() else "UTC"


class NameField(forms.CharField):
    """A name, in one line: it stands in the mails to others, and may not bring a paragraph of its own there."""

    def __init__(self, **options: Any) -> None:
        super().__init__(max_length=120, **options)

    def to_python(self, value: Any) -> str:
        return " ".join(str(super().to_python(value)).split())


class PersonNameField(NameField):
    """One's own name, as a browser may fill it in."""

    def __init__(self, **options: Any) -> None:
        super().__init__(label="Your name", widget=forms.TextInput({"autocomplete": "name"}), **options)


class SignUpForm(SignupForm):  # type: ignore[misc] # allauth ships no types
    """A new account: address, name and password, and the time zone of the browser."""

    name = PersonNameField()
    timezone = ZoneField()
    field_order: ClassVar = ["email", "name", "password1"]

    def try_save(self, request: HttpRequest) -> Any:
        """Make the account. Where there is one already a mail says so, and the answer takes as long: hashing is slow."""
        if self.account_already_exists:
            make_password(self.cleaned_data["password1"])
        return super().try_save(request)

    def signup(self, request: HttpRequest, user: User) -> None:
        """Keep what allauth does not: called once the account is there."""
        user.name, user.timezone = self.cleaned_data["name"], self.cleaned_data["timezone"]
        user.save(update_fields=["name", "timezone"])


class ProfileForm(forms.ModelForm):  # type: ignore[type-arg]
    """What a person says of themself."""

    name = NameField(required=False)
    timezone = forms.ChoiceField(label="Time zone")
    dates = forms.ChoiceField(label="Dates", choices=Dates.choices)

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["timezone"].choices = choices(self.instance.timezone)  # type: ignore[attr-defined]

    class Meta:
        model = User
        fields: ClassVar = ["name", "timezone", "dates"]
