from typing import Any, ClassVar
from zoneinfo import available_timezones

from allauth.account.forms import SignupForm
from allauth.core import context
from django import forms

from portal.users.models import User

SUGGESTED_EMAIL = "suggested_email"
"""In the session: the address that whoever signs up next probably has. Not in an address, where it would be logged."""


class SignUpForm(SignupForm):  # type: ignore[misc] # allauth ships no types
    """A new account, with the address filled in where a link has named one."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["email"].initial = context.request.session.get(SUGGESTED_EMAIL, "")


class ProfileForm(forms.ModelForm):  # type: ignore[type-arg]
    """What a person says of themself."""

    timezone = forms.ChoiceField(
        label="Time zone", choices=[(name, name.replace("_", " ")) for name in sorted(available_timezones())]
    )

    class Meta:
        model = User
        fields: ClassVar = ["name", "timezone"]
