from pathlib import PurePath
from typing import Any

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import UploadedFile
from django.template.defaultfilters import filesizeformat

from portal.contracts.services import NewUpload

SIGNATURE = b"%PDF-"
LONGEST_EXTERNAL_ID = 256
LONGEST_STEM = 250


class UploadForm(forms.Form):
    """A document, and what the platform is told of it."""

    file = forms.FileField(
        label="PDF document",
        widget=forms.FileInput(attrs={"accept": "application/pdf,.pdf"}),
        help_text=f"At most {settings.LARGEST_CONTRACT // 1024**2} MB.",
    )
    external_id = forms.CharField(
        label="External id",
        required=False,
        max_length=LONGEST_EXTERNAL_ID,
        help_text="How your own system calls this contract; the platform takes each id once. Left empty: the file's name.",
    )
    executed_on = forms.DateField(
        label="Executed on", required=False, widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    )

    def clean_file(self) -> "UploadedFile[Any]":
        file: UploadedFile[Any] = self.cleaned_data["file"]
        size = file.size or 0
        if size > settings.LARGEST_CONTRACT:
            most = filesizeformat(settings.LARGEST_CONTRACT)
            raise ValidationError(f"This file has {filesizeformat(size)}; at most {most} can be uploaded.")
        file.seek(0)
        if file.read(len(SIGNATURE)) != SIGNATURE:
            raise ValidationError("This is not a PDF. The platform takes contracts as PDF only.")
        file.seek(0)
        return file

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        file = cleaned.get("file")
        if file and not cleaned.get("external_id") and "external_id" not in self.errors:
            cleaned["external_id"] = stem(file.name).strip()[:LONGEST_EXTERNAL_ID]
            if not cleaned["external_id"]:
                self.add_error("external_id", "Enter an id: this file has no name to take it from.")
        return cleaned

    def new_upload(self) -> NewUpload:
        """What was handed in, as the service takes it."""
        file = self.cleaned_data["file"]
        return NewUpload(
            file=file,
            # The platform tells a PDF by the end of its name as well.
            filename=f"{stem(file.name).strip()[:LONGEST_STEM] or 'contract'}.pdf",
            external_id=self.cleaned_data["external_id"],
            executed_on=self.cleaned_data["executed_on"],
        )


def stem(filename: str) -> str:
    """Take `.pdf` off a name; any other ending is a part of it."""
    path = PurePath(filename)
    if filename.lower() == ".pdf":
        return ""
    return path.stem if path.suffix.lower() == ".pdf" else filename
