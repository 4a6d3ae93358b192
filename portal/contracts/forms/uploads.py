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
        widget=FilesInput(attrs={"accept": "application/pdf,.pdf", "multiple": True, "data-most": MAX_FILES}),
        help_text=f"One or several. {SIZE_HINT} each, at most {MAX_FILES} at a time.",
    )
    folder = FilesField(
        label="Or a folder",
        required=False,
        widget=FilesInput(attrs={"multiple": True, "webkitdirectory": True, "data-most": MAX_FILES}),
        help_text="With all that is below it; what is no PDF is left out. Chosen again later, it uploads only what is new.",
    )
    external_id = forms.CharField(
        label="External id",
        required=False,
        max_length=MAX_EXTERNAL_ID_LENGTH,
        help_text="For one document: how your own system calls it; the platform takes each id once. "
        "Left empty, it is made of the customer and the file's name.",
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
            raise ValidationError("This customer is not known here any more. Choose another one.")
        return account_id

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        files = self.files_chosen()
        if not files:
            self.add_error("file", "Choose a PDF, several, or a folder.")
        elif len(files) > 1 and cleaned.get("external_id"):
            self.add_error("external_id", "This is for one document only: each contract has an id of its own.")
        elif len(files) == 1:
            # Of many each has its own result; one alone is an error of the form, with everything else kept.
            problem = problem_of(files[0])
            if problem:
                self.add_error("file", problem)
            elif not self._id_of(files[0]):
                self.add_error("external_id", "Enter an id: this file has no name to take it from.")
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
                problem = "It has no name to take an external id from."
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
        help_text="The platform keeps both contracts. Each has an id of its own.",
    )

    def clean_external_id(self) -> str:
        return storable_text(self.cleaned_data["external_id"]).strip()


class DocumentForm(forms.Form):
    """The document of a contract that is on the platform already, for its text alone."""

    file = forms.FileField(
        label="PDF document",
        allow_empty_file=True,
        widget=forms.FileInput(attrs={"accept": "application/pdf,.pdf"}),
        help_text=f"{SIZE_HINT}. Its text is kept, the file is not.",
    )

    def clean_file(self) -> File:
        file: File = self.cleaned_data["file"]
        problem = problem_of(file)
        if problem:
            raise ValidationError(problem)
        return file
