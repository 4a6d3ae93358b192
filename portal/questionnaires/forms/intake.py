"""The form of a new questionnaire: a file or an address, and what the platform is told of it."""

import re
from datetime import date, datetime
from typing import Any
from urllib.parse import urlsplit

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import UploadedFile
from django.core.validators import URLValidator
from django.template.defaultfilters import filesizeformat
from django.utils import timezone

from portal.connections.error_messages import error_message
from portal.lib.text_keys import address_key
from portal.platform_api.errors import ValidationFailed
from portal.questionnaires import files
from portal.questionnaires.form_choices import account_called, name_offered, offers
from portal.questionnaires.forms.steps import END_OF_DAY, MAX_PEOPLE
from portal.questionnaires.models import AssignableUser
from portal.questionnaires.services import NewQuestionnaire
from portal.ui.pairs import PairsField
from portal.ui.platform_forms import PlatformForm

MAX_NAME_LENGTH = 500
MAX_TAGS = 50
MAX_METADATA = 30
METADATA_TEXT = re.compile(r"[A-Za-z0-9._-]+")
TELLS_APART = "/"
"""Between the two ids of a tag in a form; no id that can stand in an address holds it."""
NOT_READ_YET = "The list of people is still being read from the platform. Reload the page in a moment."


class WebAddressField(forms.URLField):
    """An address of the web, with nothing secret in it."""

    default_validators = [URLValidator(schemes=["http", "https"], message="Enter an address such as https://example.com.")]

    def __init__(self, **options: Any) -> None:
        super().__init__(assume_scheme="https", max_length=2000, required=False, **options)
        self.error_messages["invalid"] = "Enter an address such as https://example.com."

    def clean(self, value: Any) -> str:
        url: str = super().clean(value)
        parts = urlsplit(url)
        if parts.username or parts.password:
            raise ValidationError("Remove the user name and password from the address.")
        return url


class IntakeForm(PlatformForm):
    """What a person hands in. Exactly one of file and address is needed; everything else may be left out."""

    field_of = {
        "displayName": "name",
        "url": "url",
        "file": "file",
        "customerTrustAccountId": "account_id",
        "dueDate": "due_on",
        "ownerAssignment": "owner",
        "approverAssignment": "approver",
        "description": "description",
        "companyUrl": "company_url",
        "metadata": "metadata",
        "tagAndCategoryIds": "more_tags",
    }

    file = forms.FileField(
        label="File",
        required=False,
        allow_empty_file=True,
        widget=forms.FileInput(attrs={"accept": ",".join(files.KIND_OF), "data-most-bytes": settings.MAX_UPLOAD_BYTES}),
        help_text=f"Excel (.xlsx), Word (.docx) or PDF, at most {settings.MAX_UPLOAD_BYTES // 1024**2} MB.",
    )
    url = WebAddressField(
        label="Or the address of the requester's portal", help_text="The page where you fill in the questionnaire."
    )
    name = forms.CharField(
        label="Name",
        required=False,
        max_length=MAX_NAME_LENGTH,
        help_text="If left empty: the name of the file, or the site of the address.",
    )
    account_id = forms.CharField(
        label="Account",
        required=False,
        max_length=200,
        widget=forms.TextInput(attrs={"list": "known-accounts", "autocomplete": "off", "spellcheck": "false"}),
        help_text="The customer's name. Known accounts are suggested. You can also enter an account id.",
    )
    due_on = forms.DateField(
        label="Due date",
        required=False,
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
        help_text="At the end of that day.",
    )
    owner = forms.ChoiceField(label="Owner", required=False)
    approver = forms.ChoiceField(label="Approver", required=False)
    description = forms.CharField(
        label="Description",
        required=False,
        max_length=5000,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text="What the platform should know when it writes answers: the product, the customer, the deal.",
    )
    company_url = WebAddressField(label="Requester's website")
    tags = forms.MultipleChoiceField(
        label="Tags",
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text="Tags used on your questionnaires.",
    )
    more_tags = PairsField(label="Other tags", labels=("Category id", "Tag id"), most=MAX_TAGS)
    metadata = PairsField(
        label="Metadata",
        labels=("Key", "Value"),
        most=MAX_METADATA,
        text=METADATA_TEXT,
        help_text="Letters from A to Z, digits, - _ and . only.",
    )

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        for name, people in (("owner", AssignableUser.objects.owners()), ("approver", AssignableUser.objects.approvers())):
            choices = list(people.values_list("platform_id", "name")[:MAX_PEOPLE])
            field = self.fields[name]
            field.choices = [("", "Unassigned"), *choices]  # type: ignore[attr-defined]
            field.help_text = "" if choices else NOT_READ_YET
        offered = offers()
        self.known_accounts = [name for _, name in offered.accounts]
        if account_id := self.initial.get("account_id"):
            self.initial["account_id"] = name_offered(account_id)
        known = [(TELLS_APART.join(pair), name) for pair, name in offered.tags]
        if known:
            self.fields["tags"].choices = known  # type: ignore[attr-defined]
        else:
            del self.fields["tags"]
            self.fields["more_tags"].label = "Tags"

    def clean_file(self) -> "UploadedFile[Any] | None":
        file: UploadedFile[Any] | None = self.cleaned_data["file"]
        if file is None:
            return None
        size = file.size or 0
        if size > settings.MAX_UPLOAD_BYTES:
            most = filesizeformat(settings.MAX_UPLOAD_BYTES)
            raise ValidationError(f"This file is {filesizeformat(size)}; the limit is {most}.")
        try:
            files.check(file, files.clean_name(file.name or ""))
        except files.NotTaken as problem:
            raise ValidationError(str(problem)) from None
        return file

    def clean_account_id(self) -> str:
        try:
            return account_called(self.cleaned_data["account_id"].strip())
        except LookupError:
            raise ValidationError("Several accounts have this name. Choose the right one from the list.") from None

    def clean_due_on(self) -> date | None:
        day: date | None = self.cleaned_data["due_on"]
        if day and day < timezone.localdate():
            raise ValidationError("This date has passed. Enter a later one, or leave it empty.")
        return day

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        file, url = cleaned.get("file"), cleaned.get("url")
        if file and url:
            self.add_error("url", "Choose a file or enter an address, not both.")
        if not file and not url and not self.errors.keys() & {"file", "url"}:
            self.add_error("file", "Choose a file, or enter the address of the portal.")
        if not cleaned.get("name") and "name" not in self.errors:
            cleaned["name"] = files.name_from(file.name) if file else urlsplit(url or "").netloc
        return cleaned

    def new_questionnaire(self) -> NewQuestionnaire:
        """What was handed in, as the service takes it."""
        told, file = self.cleaned_data, self.cleaned_data["file"]
        due_at = timezone.make_aware(datetime.combine(told["due_on"], END_OF_DAY)) if told["due_on"] else None
        common: dict[str, Any] = {
            "name": told["name"],
            "account_id": told["account_id"],
            "due_at": due_at,
            "origin": self._origin(),
            "typed": self._typed(),
        }
        if not file:
            url = told["url"]
            return NewQuestionnaire(kind="WEBSITE", url=url, fingerprint=address_key(url), **common)
        filename = files.clean_name(file.name)
        kind = files.KIND_OF[filename[filename.rindex(".") :]]
        mark = files.fingerprint(file)
        return NewQuestionnaire(kind=kind, file=file, filename=filename, size=file.size, fingerprint=mark, **common)

    def show_objections(self, error: ValidationFailed) -> bool:
        """Show what the platform does not take, too, where it names no field but can only mean the account."""
        shown = super().show_objections(error)
        if not error.fields and self.cleaned_data["account_id"]:
            # An id that it does not know is refused without a word on which one it is.
            self.add_error("account_id", f"{error_message(error)} Check that this account exists.")
            shown = True
        return shown

    def _origin(self) -> dict[str, Any]:
        told = self.cleaned_data
        tags = [*(tuple(tag.split(TELLS_APART, 1)) for tag in told.get("tags", [])), *told["more_tags"]]
        origin: dict[str, Any] = {
            "owner_assignment": {"type": "User", "id": told["owner"]} if told["owner"] else None,
            "approver_assignment": {"type": "User", "id": told["approver"]} if told["approver"] else None,
            "description": told["description"],
            "company_url": told["company_url"],
            "metadata": [{"key": key, "value": value} for key, value in told["metadata"]],
            "tag_and_category_ids": [{"categoryId": category, "tagId": tag} for category, tag in dict.fromkeys(tags)],
        }
        return {name: value for name, value in origin.items() if value}

    def _typed(self) -> dict[str, Any]:
        told = self.cleaned_data
        return {name: value for name, value in told.items() if name not in ("file", "due_on") and value} | (
            {"due_on": told["due_on"].isoformat()} if told["due_on"] else {}
        )
