"""Forms of what stands in plain lists of the Trust Center."""

from typing import Any

from django import forms

from portal.lib.storable import storable_text
from portal.lib.web_addresses import web_address
from portal.trust_center.forms import MAX_TEXT_LENGTH, MAX_TITLE_LENGTH, SIZE_HINT, FileForm
from portal.trust_center.models.lists import MAX_URL_LENGTH
from portal.trust_center.services import FRAMEWORKS, SUBPROCESSORS, Family
from portal.trust_center.standards import STANDARDS
from portal.ui.platform_forms import PlatformForm

OWN = "Your own"


def _text(label: str, **options: Any) -> forms.CharField:
    widget = forms.Textarea(attrs={"rows": 3})
    return forms.CharField(label=label, required=False, max_length=MAX_TEXT_LENGTH, widget=widget, **options)


class EntryForm(PlatformForm):
    """What an entry says. It carries what it said when the form was opened."""

    family: Family
    name = forms.CharField(label="Name", max_length=MAX_TITLE_LENGTH, widget=forms.TextInput(attrs={"autocomplete": "off"}))
    seen = forms.CharField(required=False, max_length=16, widget=forms.HiddenInput)

    def __init__(self, data: Any = None, *, row: Any = None) -> None:
        said = self.family.said(row) | {"seen": self.family.version(row)} if row else {}
        super().__init__(data, initial=said)
        for name in self.family.fixed if row else ():
            self.fields[name].disabled = True
            self.fields[name].help_text = "The platform does not allow changes to this."

    @property
    def values(self) -> dict[str, str]:
        return {name: storable_text(self.cleaned_data[name]) for name in self.family.fields}


class SubprocessorForm(EntryForm):
    """A company that processes data for the tenant."""

    family = SUBPROCESSORS
    field_of = {name: name for name in SUBPROCESSORS.fields}

    url = forms.CharField(
        label="Website", required=False, max_length=MAX_URL_LENGTH, widget=forms.TextInput(attrs={"autocomplete": "off"})
    )
    purpose = _text("Purpose", help_text="What it does for you, in words your customers understand.")
    location = forms.CharField(
        label="Location", required=False, max_length=MAX_TITLE_LENGTH, help_text="Where it processes the data."
    )
    description = _text("Description")
    field_order = ("name", "url", "purpose", "location", "description")

    def clean_url(self) -> str:
        url = str(self.cleaned_data["url"])
        if url and not self.fields["url"].disabled and not web_address(url):
            raise forms.ValidationError("Enter an address that begins with https://.")
        return url


class FrameworkForm(EntryForm):
    """A compliance framework that visitors see."""

    family = FRAMEWORKS
    field_of = {name: name for name in FRAMEWORKS.fields}

    standard = forms.ChoiceField(
        label="Standard", required=False, help_text="The platform shows the badge of a published standard."
    )
    description = _text("Description")
    field_order = ("name", "standard", "description")

    def __init__(self, data: Any = None, *, row: Any = None) -> None:
        super().__init__(data, row=row)
        now = self.initial.get("standard", "")
        unheard = {now: now} if now not in ("", *STANDARDS) else {}
        choices = {"": OWN} | unheard | STANDARDS
        self.fields["standard"].choices = [*choices.items()]  # type: ignore[attr-defined]


class BadgeForm(FileForm):
    """The image that visitors see beside a framework."""

    field_of = {"file": "file"}

    def __init__(self, data: Any = None, files: Any = None) -> None:
        super().__init__(data, files, auto_id="badge_%s")
        self.fields["file"].label = "Image"
        self.fields["file"].help_text = f"It replaces the current badge. {SIZE_HINT}"
