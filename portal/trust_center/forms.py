from typing import Any

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import UploadedFile
from django.template.defaultfilters import filesizeformat

from portal.lib.fetched_files import safe_file_name
from portal.lib.storable import storable_text
from portal.trust_center.models import ControlCategory, Faq, FaqCategory, Renewal, RenewalRule, Resource, ShownControl
from portal.trust_center.services import FaqText, NewResource, ResourceChange, faqs, resource_version, version_of_choice
from portal.trust_center.services.resources import said_by
from portal.ui.platform_forms import PlatformForm

MAX_TITLE_LENGTH, MAX_QUESTION_LENGTH, MAX_TEXT_LENGTH = 300, 1000, 20_000
PUBLIC, ON_REQUEST = "public", "on-request"
ACCESS = [
    (ON_REQUEST, "On request: visitors request it, and you decide"),
    (PUBLIC, "Public: everyone who opens the Trust Center"),
]

SIZE_HINT = f"At most {settings.MAX_UPLOAD_BYTES // 1024**2} MB. The platform decides which file types it accepts."


class FileForm(PlatformForm):
    """A form with a file for the platform."""

    file = forms.FileField(
        label="File",
        allow_empty_file=True,
        widget=forms.FileInput(attrs={"data-most-bytes": settings.MAX_UPLOAD_BYTES}),
        help_text=SIZE_HINT,
    )

    def clean_file(self) -> "UploadedFile[Any]":
        file: UploadedFile[Any] = self.cleaned_data["file"]
        size = file.size or 0
        if not size:
            raise ValidationError("This file is empty.")
        if size > settings.MAX_UPLOAD_BYTES:
            most = filesizeformat(settings.MAX_UPLOAD_BYTES)
            raise ValidationError(f"This file is {filesizeformat(size)}; the limit is {most}.")
        return file


class NewResourceForm(FileForm):
    """A document for the Trust Center; `like` is one that it is a new version of. Who may see it is an admin's to say."""

    field_of = {"file": "file", "title": "title", "description": "description", "isPublic": "access"}

    title = forms.CharField(label="Title", max_length=MAX_TITLE_LENGTH, widget=forms.TextInput(attrs={"autocomplete": "off"}))
    description = forms.CharField(
        label="Description", required=False, max_length=MAX_TEXT_LENGTH, widget=forms.Textarea(attrs={"rows": 3})
    )
    access = forms.ChoiceField(label="Who can see it", choices=ACCESS, widget=forms.RadioSelect)

    def __init__(self, data: Any = None, files: Any = None, *, may_set_access: bool, like: Resource | None = None) -> None:
        access = PUBLIC if like and like.is_public else ON_REQUEST
        initial = said_by(like) if like else {}
        super().__init__(data, files, initial=initial | {"access": access})
        self.like = like
        if not may_set_access:
            del self.fields["access"]

    @property
    def new_resource(self) -> NewResource:
        said = self.cleaned_data
        title = storable_text(said["title"])
        return NewResource(
            content=said["file"],
            file_name=safe_file_name(said["file"].name or "", title),
            title=title,
            description=storable_text(said["description"]),
            is_public=said.get("access") == PUBLIC,
        )


class ResourceForm(PlatformForm):
    """What can be changed of a document. Who may see it is an admin's to change."""

    field_of = {"title": "title", "description": "description", "isPublic": "access"}

    title = forms.CharField(label="Title", max_length=MAX_TITLE_LENGTH, widget=forms.TextInput(attrs={"autocomplete": "off"}))
    description = forms.CharField(
        label="Description", required=False, max_length=MAX_TEXT_LENGTH, widget=forms.Textarea(attrs={"rows": 3})
    )
    access = forms.ChoiceField(label="Who can see it", choices=ACCESS, widget=forms.RadioSelect)
    seen = forms.CharField(required=False, max_length=16, widget=forms.HiddenInput)
    """Stands for what the document said when the form was opened."""

    def __init__(self, data: Any = None, *, resource: Resource, may_set_access: bool) -> None:
        access = PUBLIC if resource.is_public else ON_REQUEST
        self.version = resource_version(resource)
        super().__init__(data, initial=said_by(resource) | {"access": access, "seen": self.version})
        self.resource = resource
        if not may_set_access:
            del self.fields["access"]

    @property
    def change(self) -> ResourceChange:
        said = self.cleaned_data
        return ResourceChange(
            title=storable_text(said["title"]),
            description=storable_text(said["description"]),
            is_public=said["access"] == PUBLIC if "access" in said else None,
        )


class RenewalForm(forms.Form):
    """When a document has to be renewed."""

    rule = forms.ChoiceField(label="Renew it", choices=RenewalRule.choices, widget=forms.RadioSelect)
    renew_on = forms.DateField(
        label="Date", required=False, widget=forms.DateInput(attrs={"type": "date"}), help_text="Only with “On a date”."
    )

    def __init__(self, data: Any = None, *, resource: Resource) -> None:
        renewal = Renewal.objects.filter(resource_id=resource.platform_id).first()
        initial = {
            "rule": renewal.rule if renewal else RenewalRule.AUTOMATIC,
            "renew_on": renewal.renew_on if renewal else None,
        }
        super().__init__(data, initial=initial)

    def clean(self) -> dict[str, Any]:
        said: dict[str, Any] = super().clean() or self.cleaned_data
        if said.get("rule") == RenewalRule.DAY and not said.get("renew_on") and "renew_on" not in self.errors:
            raise ValidationError({"renew_on": "Choose the date."})
        return said


class FaqForm(PlatformForm):
    """What a FAQ says."""

    field_of = {"question": "question", "answer": "answer", "categoryId": "category"}

    question = forms.CharField(
        label="Question", max_length=MAX_QUESTION_LENGTH, widget=forms.TextInput(attrs={"autocomplete": "off"})
    )
    answer = forms.CharField(label="Answer", max_length=MAX_TEXT_LENGTH, widget=forms.Textarea(attrs={"rows": 6}))
    category = forms.ChoiceField(label="Category", required=False)
    seen = forms.CharField(required=False, max_length=16, widget=forms.HiddenInput)
    """Stands for what the FAQ said when the form was opened."""

    def __init__(self, data: Any = None, *, faq: Faq | None = None) -> None:
        said = faqs.text_of(faq) if faq else None
        initial = {"question": said.question, "answer": said.answer, "category": said.category_id or ""} if said else {}
        self.version = said.version if said else ""
        super().__init__(data, initial=initial | {"seen": self.version})
        present = {row.platform_id: str(row) for row in FaqCategory.objects.present().defer("payload")}
        own = {faq.category_id: faq.category_label} if faq and faq.category_id else {}
        self.fields["category"].choices = [("", "Uncategorized"), *(own | present).items()]  # type: ignore[attr-defined]

    @property
    def text(self) -> FaqText:
        said = self.cleaned_data
        return FaqText(
            question=storable_text(said["question"]),
            answer=storable_text(said["answer"]),
            category_id=said["category"] or None,
        )


class CategoryForm(PlatformForm):
    """What a category is called."""

    field_of = {"name": "name"}

    name = forms.CharField(label="Name", max_length=MAX_TITLE_LENGTH, widget=forms.TextInput(attrs={"autocomplete": "off"}))

    def __init__(self, data: Any = None, *, row: Any = None, auto_id: str = "id_%s") -> None:
        # As it stands on the platform: our column may be shorter.
        super().__init__(data, auto_id=auto_id, initial={"name": row.payload.get("name", row.name)} if row else {})

    @property
    def category_name(self) -> str:
        return storable_text(self.cleaned_data["name"])


class PlacementForm(PlatformForm):
    """Which categories a control stands in: at least one."""

    field_of = {"categoryIds": "categories"}

    categories = forms.MultipleChoiceField(
        label="Categories", widget=forms.CheckboxSelectMultiple, error_messages={"required": "Choose at least one category."}
    )
    seen = forms.CharField(required=False, max_length=16, widget=forms.HiddenInput)
    """Stands for the categories that were chosen when the form was opened."""

    def __init__(self, data: Any = None, *, control: ShownControl | None = None) -> None:
        own = dict(control.placements.values_list("category_id", "category_name")) if control else {}
        self.version = version_of_choice(own) if control else ""
        super().__init__(data, initial={"categories": [*own], "seen": self.version})
        present = {row.platform_id: str(row) for row in ControlCategory.objects.present().defer("payload")}
        choices = own | present
        self.fields["categories"].choices = [*choices.items()]  # type: ignore[attr-defined]
        self.has_choices = bool(choices)

    @property
    def category_ids(self) -> list[str]:
        chosen: list[str] = self.cleaned_data["categories"]
        return chosen
