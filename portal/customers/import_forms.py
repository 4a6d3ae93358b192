from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import UploadedFile

from portal.customers.import_rows import ImportRow, read_lines
from portal.lib.spreadsheets import Unreadable

MAX_FILE_BYTES = 1024**2


class ImportForm(forms.Form):
    """A file of customers."""

    file = forms.FileField(
        label="CSV file",
        widget=forms.FileInput(attrs={"accept": "text/csv,.csv"}),
        help_text="With the columns Name and Email domain, as in the export of this page. At most 1 MB.",
    )
    lines: list[ImportRow]

    def clean_file(self) -> "UploadedFile[Any]":
        file: UploadedFile[Any] = self.cleaned_data["file"]
        if (file.size or 0) > MAX_FILE_BYTES:
            raise ValidationError("This file is larger than 1 MB.")
        try:
            self.lines = read_lines(file.read())
        except Unreadable as error:
            raise ValidationError(str(error)) from error
        return file
