from collections.abc import Sequence
from typing import Any

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import UploadedFile

from portal.accounts.models import Account
from portal.contracts.documents import MAX_EXTERNAL_ID_LENGTH, name_of, offered_id, problem_of
from portal.contracts.services import NewUpload, Outcome, Result
from portal.lib.storable import storable_text

MAX_FILES = settings.DATA_UPLOAD_MAX_NUMBER_FILES or 1000
SIZE_HINT = f"At most {settings.MAX_CONTRACT_BYTES // 1024**2} MB"
MAX_AT_A_TIME = f"{MAX_FILES} files and {settings.MAX_UPLOAD_BYTES // 1024**2} MB at a time"
LIMITS = {"multiple": True, "data-most": MAX_FILES, "data-most-bytes": settings.MAX_UPLOAD_BYTES}
"""What one request may carry: the proxy takes no more of it."""

type File = UploadedFile[Any]


class FilesInput(forms.FileInput):
    """Takes several files at once, or a whole folder where the browser can choose one."""

    allow_multiple_selected = True

    def value_from_datadict(self, data: Any, files: Any, name: str) -> list[File]:
        found: list[File] = files.getlist(name) if hasattr(files, "getlist") else [files[name]] if name in files else []
        return found


class FilesField(forms.Field):
    """Files in the order in which they were chosen."""

    widget = FilesInput

    def clean(self, value: list[File]) -> list[File]:
        if self.required and not value:
            raise ValidationError(self.error_messages["required"], code="required")
        return value


class UploadForm(forms.Form):
    """Documents, and what the platform is told of them."""

    file = FilesField(
        label="PDF documents",
        required=False,
        widget=FilesInput(attrs={"accept": "application/pdf,.pdf", **LIMITS}),
        help_text=f"One or more. {SIZE_HINT} each, {MAX_AT_A_TIME}.",
    )
    folder = FilesField(
        label="Or a folder",
        required=False,
        widget=FilesInput(attrs={"webkitdirectory": True, **LIMITS}),
        help_text=f"Includes subfolders, at most {MAX_AT_A_TIME}. Files that aren't PDFs are skipped. "
        "If you choose the folder again later, only new files are uploaded.",
    )
    external_id = forms.CharField(
        label="External id",
        required=False,
        max_length=MAX_EXTERNAL_ID_LENGTH,
        help_text="For a single document: its id in your own system. The platform accepts each id once. "
        "If empty, we use the customer and the file name.",
    )
    executed_on = forms.DateField(
        label="Executed on",
        required=False,
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
        help_text="Applies to all files.",
    )
    account_id = forms.CharField(required=False, max_length=200, widget=forms.HiddenInput)

    def clean_account_id(self) -> str:
        account_id: str = self.cleaned_data["account_id"]
        if account_id and not Account.objects.present().filter(platform_id=account_id).exists():
            raise ValidationError("This customer is no longer in the portal. Choose another one.")
        return account_id

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        files = self.files_chosen()
        if not files:
            self.add_error("file", "Choose one or more PDFs, or a folder.")
        elif len(files) > 1 and cleaned.get("external_id"):
            self.add_error("external_id", "Use this for a single document only; each contract has its own id.")
        elif len(files) == 1:
            # Of many each has its own result; one alone is an error of the form, with everything else kept.
            problem = problem_of(files[0])
            if problem:
                self.add_error("file", problem)
            elif not self._id_of(files[0]):
                self.add_error("external_id", "Enter an id; this file has no name to create one from.")
        return cleaned

    def files_chosen(self) -> list[File]:
        """All documents; what a folder holds besides is none."""
        folder: Sequence[File] = self.cleaned_data.get("folder") or ()
        of_folder = [file for file in folder if (file.name or "").lower().endswith(".pdf")]
        return [*(self.cleaned_data.get("file") or ()), *of_folder]

    def sorted_out(self) -> tuple[list[NewUpload], list[Result]]:
        """The documents as the service takes them, and those that cannot be taken."""
        good, bad = list[NewUpload](), list[Result]()
        for file in self.files_chosen():
            problem = problem_of(file)
            external_id = self._id_of(file)
            if not problem and not external_id:
                problem = "This file has no name to create an external id from."
            if problem:
                bad.append(Result(name_of(file.name or ""), Outcome.REFUSED, problem))
            else:
                good.append(self._new(file, external_id))
        return good, bad

    def _id_of(self, file: File) -> str:
        told = self.cleaned_data
        return told.get("external_id") or offered_id(file.name or "", told.get("account_id") or "")

    def _new(self, file: File, external_id: str) -> NewUpload:
        return NewUpload(
            file=file,
            filename=name_of(file.name or ""),
            external_id=external_id,
            executed_on=self.cleaned_data["executed_on"],
            account_id=self.cleaned_data["account_id"],
        )


class OtherIdForm(forms.Form):
    """Another external id for a document whose own one is in use."""

    external_id = forms.CharField(
        label="New external id",
        max_length=MAX_EXTERNAL_ID_LENGTH,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
        help_text="The platform keeps both contracts. Each has its own id.",
    )

    def clean_external_id(self) -> str:
        return storable_text(self.cleaned_data["external_id"]).strip()


class DocumentForm(forms.Form):
    """The document of a contract that is on the platform already, for its text alone."""

    file = forms.FileField(
        label="PDF document",
        allow_empty_file=True,
        widget=forms.FileInput(attrs={"accept": "application/pdf,.pdf"}),
        help_text=f"{SIZE_HINT}. We keep its text, not the file.",
    )

    def clean_file(self) -> File:
        file: File = self.cleaned_data["file"]
        problem = problem_of(file)
        if problem:
            raise ValidationError(problem)
        return file
