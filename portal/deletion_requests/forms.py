import re
from datetime import date
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import UploadedFile
from django.template.defaultfilters import filesizeformat
from django.utils import timezone

from portal.deletion_requests.file_intake import MAX_FILE_BYTES, readable
from portal.deletion_requests.legal_clock import MAX_OWN_DAYS, OLDEST, Regulation
from portal.deletion_requests.models import REFERENCE_LENGTH, REFERENCE_LETTERS, DeskSettings, Identity
from portal.deletion_requests.services import NewRequest
from portal.tenants.personal_data import fold

MAX_ADDRESS_LENGTH = 254
"""As long as an address can be that mail is sent to (RFC 5321)."""
MAX_NOTE_LENGTH = 300
MAX_RECHECK_DAYS = 90
REFERENCE = re.compile(f"[{REFERENCE_LETTERS}]{{{REFERENCE_LENGTH}}}")
# Browsers would otherwise offer the erased address to the next person at this machine.
TYPED_ONCE = {"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}


def address_field(**options: Any) -> forms.EmailField:
    return forms.EmailField(max_length=MAX_ADDRESS_LENGTH, widget=forms.EmailInput(attrs=TYPED_ONCE), **options)


def day_field(**options: Any) -> forms.DateField:
    return forms.DateField(
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"), initial=timezone.localdate, **options
    )


class WantedLater(forms.NumberInput):
    """Browsers do not ask for it: it is hidden while it does not count."""

    def use_required_attribute(self, initial: Any) -> bool:
        return False


class OwnDaysField(forms.IntegerField):
    """A number that counts for one choice only; the form says when it is missing."""

    def __init__(self, *, widget: type[forms.Widget] = WantedLater) -> None:
        super().__init__(label="Number of days", min_value=1, max_value=MAX_OWN_DAYS, widget=widget)

    def validate(self, value: Any) -> None:
        """Takes nothing for an answer."""


def past_day(day: date) -> date:
    """Refuse a day that is still to come, or too long ago to be meant."""
    today = timezone.localdate()
    if day > today:
        raise ValidationError("This date is in the future.")
    if day < today - OLDEST:
        raise ValidationError("This date is too long ago. Check the year.")
    return day


class AddressForm(forms.Form):
    """Whose data, as a search."""

    email = address_field(label="Email address of the person")


class RequestForm(AddressForm):
    """Whose data, since when, and which clock runs: what every request that is entered by hand begins with."""

    received_on = day_field(label="Received on", help_text="The day the person asked. The clock starts on that day.")
    regulation = forms.ChoiceField(label="Answer under", choices=Regulation.choices)
    own_days = OwnDaysField()
    note = forms.CharField(
        label="Reason or ticket",
        required=False,
        max_length=MAX_NOTE_LENGTH,
        help_text="Shown on the certificate. Don't include the person's name or address.",
    )
    reference = forms.CharField(widget=forms.HiddenInput)

    def clean_received_on(self) -> date:
        return past_day(self.cleaned_data["received_on"])

    def clean_reference(self) -> str:
        reference: str = self.cleaned_data["reference"]
        if not REFERENCE.fullmatch(reference):
            raise ValidationError("This form is no longer complete. Start again.")
        return reference

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if cleaned.get("regulation") == Regulation.OWN and not cleaned.get("own_days") and "own_days" not in self.errors:
            self.add_error("own_days", "Enter a number of days.")
        return cleaned

    def new_request(self) -> NewRequest:
        """What was typed, as the services take it."""
        cleaned = self.cleaned_data
        is_own = cleaned["regulation"] == Regulation.OWN
        return NewRequest(
            email=cleaned["email"],
            received_on=cleaned["received_on"],
            regulation=cleaned["regulation"],
            own_days=cleaned["own_days"] if is_own else None,
            note=cleaned["note"],
        )


class ConfirmationForm(RequestForm):
    """The second step of erasing at once: the address once more, and how it is known to be the right person."""

    field_order = ["email", "again", "identity_note", "note"]

    email = forms.EmailField(max_length=MAX_ADDRESS_LENGTH, widget=forms.HiddenInput)
    received_on = forms.DateField(widget=forms.HiddenInput)
    regulation = forms.ChoiceField(choices=Regulation.choices, widget=forms.HiddenInput)
    own_days = OwnDaysField(widget=forms.HiddenInput)
    again = address_field(
        label="Type the address again", help_text="The data can't be restored, so make sure this is the right person."
    )
    identity_note = forms.CharField(
        label="How the identity was checked",
        max_length=MAX_NOTE_LENGTH,
        help_text="For example: answered an email to the address. Don't include the person's name or address.",
    )

    def clean_again(self) -> str:
        again: str = self.cleaned_data["again"]
        if fold(again) != fold(self.cleaned_data.get("email", "")):
            raise ValidationError("This doesn't match the address from the first step. Nothing was sent.")
        return again


class SendForm(forms.Form):
    """The address once more, before it is sent and erased."""

    again = address_field(
        label="Type the address to confirm", help_text="The data can't be restored, so make sure this is the right person."
    )

    def __init__(self, data: Any = None, *, email: str) -> None:
        super().__init__(data, auto_id="send_%s")
        self.email = email

    def clean_again(self) -> str:
        again: str = self.cleaned_data["again"]
        if fold(again) != fold(self.email):
            raise ValidationError("This doesn't match the address of the request. Nothing was sent.")
        return again


class IdentityForm(forms.Form):
    """What came of checking who asks."""

    outcome = forms.ChoiceField(
        label="Does the address belong to this person?",
        choices=[(Identity.CONFIRMED, "Yes, confirmed"), (Identity.FAILED, "No, close the request and erase nothing")],
        widget=forms.RadioSelect,
    )
    note = forms.CharField(
        label="How it was checked",
        max_length=MAX_NOTE_LENGTH,
        help_text="Shown on the certificate. Don't include the person's name or address.",
    )
    checked_on = day_field(label="Checked on")

    def clean_checked_on(self) -> date:
        return past_day(self.cleaned_data["checked_on"])


class DeskSettingsForm(forms.Form):
    """Which clock runs by default, and when the desk looks again."""

    regulation = forms.ChoiceField(label="Answer requests under", choices=Regulation.choices)
    own_days = OwnDaysField()
    recheck_days = forms.IntegerField(
        label="Check again after",
        min_value=1,
        max_value=MAX_RECHECK_DAYS,
        help_text="Days after an erasure. The certificate shows the outcome.",
    )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if not cleaned.get("own_days") and "own_days" not in self.errors:
            if cleaned.get("regulation") == Regulation.OWN:
                self.add_error("own_days", "Enter a number of days.")
            cleaned["own_days"] = DeskSettings().own_days
        return cleaned


class FileForm(forms.Form):
    """A file of requests. It is read and forgotten."""

    file = forms.FileField(
        label="CSV file",
        widget=forms.FileInput(attrs={"accept": ".csv,text/csv"}),
        help_text=f"At most {MAX_FILE_BYTES // 1024} KB. It is read once and not kept.",
    )

    def clean_file(self) -> str:
        file: UploadedFile[Any] = self.cleaned_data["file"]
        size = file.size or 0
        if size > MAX_FILE_BYTES:
            most = filesizeformat(MAX_FILE_BYTES)
            raise ValidationError(f"This file is {filesizeformat(size)}; the limit is {most}.")
        return readable(file.read())


class RowsForm(forms.Form):
    """What was in the file, for the step after the dry run: nothing of it is kept here in between."""

    text = forms.CharField(widget=forms.HiddenInput, max_length=MAX_FILE_BYTES, strip=False)


class PublicForm(forms.Form):
    """What a person enters on the public page."""

    email = address_field(label="Your email address")
    is_own = forms.BooleanField(label="This is my own address, and I want the data about me erased.")
