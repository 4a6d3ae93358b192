"""The file that somebody outside may send with an answer."""

from typing import IO, Any

from django import forms
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import UploadedFile

from portal.questionnaires.attachments import MARKS, MAX_FILE_BYTES, TAKEN, check_attachment
from portal.questionnaires.files import NotTaken

MEGABYTES = f"{MAX_FILE_BYTES / 1024**2:g} MB"


class AttachmentForm(forms.Form):
    """One file, which may be left out."""

    file = forms.FileField(
        label="Attachment",
        required=False,
        widget=forms.FileInput(attrs={"accept": ",".join(MARKS)}),
        help_text=f"{TAKEN}, up to {MEGABYTES}.",
    )

    def clean_file(self) -> tuple[str, IO[Any]] | None:
        """Return the name to keep it under, and its content."""
        sent: UploadedFile[Any] | None = self.cleaned_data["file"]
        if sent is None:
            return None
        if (sent.size or 0) > MAX_FILE_BYTES:
            raise ValidationError(f"This file is too large. Send one of up to {MEGABYTES}.")
        try:
            return check_attachment(sent, sent.name or ""), sent
        except NotTaken as refusal:
            raise ValidationError(str(refusal)) from None

    def refuse_more(self) -> None:
        self.add_error("file", "You have reached the file limit for this question. Send the answer without it.")
