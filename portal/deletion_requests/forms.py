import re
from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from portal.deletion_requests.models import REFERENCE_LENGTH, REFERENCE_LETTERS
from portal.tenants.personal_data import fold

LONGEST_ADDRESS = 254
"""As long as an address can be that mail is sent to (RFC 5321)."""
REFERENCE = re.compile(f"[{REFERENCE_LETTERS}]{{{REFERENCE_LENGTH}}}")
# Browsers would otherwise offer the erased address to the next person at this machine.
TYPED_ONCE = {"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}


def address_field(**options: Any) -> forms.EmailField:
    return forms.EmailField(max_length=LONGEST_ADDRESS, widget=forms.EmailInput(attrs=TYPED_ONCE), **options)


class AddressForm(forms.Form):
    """Whose data, as the first step and as a search."""

    email = address_field(label="E-mail address of the person")


class ConfirmationForm(forms.Form):
    """The second step: the address once more, and why."""

    email = forms.EmailField(max_length=LONGEST_ADDRESS, widget=forms.HiddenInput)
    reference = forms.CharField(widget=forms.HiddenInput)
    again = address_field(
        label="Type the address again", help_text="Nothing brings the data back, so it has to be the right person."
    )
    note = forms.CharField(
        label="Reason or ticket",
        required=False,
        max_length=300,
        help_text="Stays on the certificate. Leave the person's name and address out of it.",
    )

    def clean_reference(self) -> str:
        reference: str = self.cleaned_data["reference"]
        if not REFERENCE.fullmatch(reference):
            raise ValidationError("This form is not complete any more. Start again.")
        return reference

    def clean_again(self) -> str:
        again: str = self.cleaned_data["again"]
        if fold(again) != fold(self.cleaned_data.get("email", "")):
            raise ValidationError("This is not the address of the first step. Nothing was sent.")
        return again
