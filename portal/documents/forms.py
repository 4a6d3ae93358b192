from typing import Any

from django import forms
from django.core.validators import URLValidator

from portal.documents.models import Document
from portal.documents.models.documents import MAX_URL_LENGTH
from portal.documents.services import NewFile, NewLink
from portal.lib.fetched_files import safe_file_name
from portal.lib.storable import storable_text
from portal.trust_center.forms import FileForm
from portal.ui.platform_forms import PlatformForm

MAX_TITLE_LENGTH, MAX_TEXT_LENGTH = 200, 2000
BAD_ADDRESS = "Enter an address such as https://example.com."


def _day(help_text: str) -> forms.DateField:
    widget = forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    return forms.DateField(label="Effective date", required=False, widget=widget, help_text=help_text)


def _description() -> forms.CharField:
    return forms.CharField(
        label="Description", required=False, max_length=MAX_TEXT_LENGTH, widget=forms.Textarea(attrs={"rows": 3})
    )


class UploadForm(FileForm):
    """A file for a document."""

    field_of = {"file": "file", "effectiveAtDate": "effective_on", "description": "description"}

    effective_on = _day("The date from which the file counts as evidence. Leave empty for today.")
    description = _description()

    def __init__(self, data: Any = None, files: Any = None, *, document: Document) -> None:
        super().__init__(data, files)
        self.document = document

    @property
    def new_file(self) -> NewFile:
        said = self.cleaned_data
        return NewFile(
            content=said["file"],
            name=safe_file_name(said["file"].name or "", str(self.document)),
            effective_on=said["effective_on"],
            description=storable_text(said["description"]),
        )


class LinkForm(PlatformForm):
    """An address that proves a document."""

    field_of = {"url": "url", "title": "title", "effectiveDate": "effective_on", "description": "description"}

    url = forms.URLField(
        label="Address", max_length=MAX_URL_LENGTH, assume_scheme="https", widget=forms.URLInput(attrs={"autocomplete": "off"})
    )
    title = forms.CharField(label="Title", max_length=MAX_TITLE_LENGTH, widget=forms.TextInput(attrs={"autocomplete": "off"}))
    effective_on = _day("The date from which the page counts as evidence.")
    description = _description()

    def __init__(self, data: Any = None, *, document: Document) -> None:
        super().__init__(data)
        self.document = document
        self.fields["url"].validators = [URLValidator(schemes=["http", "https"], message=BAD_ADDRESS)]
        self.fields["url"].error_messages["invalid"] = BAD_ADDRESS

    @property
    def new_link(self) -> NewLink:
        said = self.cleaned_data
        return NewLink(
            url=said["url"],
            title=storable_text(said["title"]),
            description=storable_text(said["description"]),
            effective_on=said["effective_on"],
        )
