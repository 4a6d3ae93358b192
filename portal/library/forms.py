"""What people type into the library."""

from collections.abc import Mapping
from datetime import date
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import UploadedFile
from django.utils import timezone

from portal.lib.spreadsheets import Unreadable
from portal.lib.storable import storable_text
from portal.lib.text_keys import key_of
from portal.library.import_rows import ImportRow, read_lines
from portal.library.models import MAX_ANSWER, MAX_LANGUAGE, MAX_QUESTION, MAX_SHORT, Entry, labels_of
from portal.library.services import EntryContent
from portal.library.typed import (
    REVIEW_AFTER,
    check_day,
    label_names,
    one_line,
    owners,
    questions_of,
    without_address,
)
from portal.tenants.models import Membership
from portal.ui.stored_lines import StoredLines

MAX_FILE_BYTES = 1024**2
REPLACE, LEAVE = "replace", "leave"


def _day(label: str, help_text: str = "") -> forms.DateField:
    widget = forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    return forms.DateField(label=label, required=False, help_text=help_text, widget=widget, validators=[check_day])


def _lines(label: str, help_text: str) -> forms.CharField:
    return forms.CharField(label=label, required=False, help_text=help_text, widget=forms.Textarea(attrs={"rows": 3}))


def _word(label: str, max_length: int, help_text: str = "") -> forms.CharField:
    widget = forms.TextInput(attrs={"autocomplete": "off"})
    return forms.CharField(label=label, required=False, max_length=max_length, help_text=help_text, widget=widget)


class EntryForm(forms.Form):
    """One entry of the library."""

    bound_field_class = StoredLines

    question = forms.CharField(label="Question", max_length=MAX_QUESTION, widget=forms.Textarea(attrs={"rows": 2}))
    short = _word("Short answer", MAX_SHORT, "For answers that are chosen or counted, such as Yes, No or 30 days.")
    text = forms.CharField(label="Answer", required=False, max_length=MAX_ANSWER, widget=forms.Textarea(attrs={"rows": 6}))
    variants = _lines("Also asked as", "Other ways to ask the same, one per line.")
    contraries = _lines("Asked the opposite way", "One per line. Where this entry says Yes, the answer to these is No.")
    tags = _word("Tags", 2000, "Separated by commas.")
    products = _word("Products", 2000, "Separated by commas. Leave empty if it applies to all of them.")
    language = _word("Language", MAX_LANGUAGE, "Leave empty for the language you usually answer in.")
    owner = forms.TypedChoiceField(label="Owner", required=False, coerce=int, empty_value=None)
    review_on = _day("Review by", "The entry counts as verified until then. Leave empty for no review.")
    expires_on = _day("Expires on", "The last day it can be used.")

    def __init__(
        self,
        data: Any = None,
        *,
        member: Membership,
        entry: Entry | None = None,
        begun: Mapping[str, Any] | None = None,
    ) -> None:
        self.entry = entry
        super().__init__(data, initial=_initial(entry) if entry else _at_first(member) | dict(begun or {}))
        self._owners = owners(filter(None, [entry.owner if entry else None]))
        people = [(key, str(user)) for key, user in self._owners.items()]
        self.fields["owner"].choices = [("", "Unassigned"), *people]  # type: ignore[attr-defined]

    def clean_question(self) -> str:
        question = one_line(self.cleaned_data["question"])
        if not key_of(question):
            raise forms.ValidationError("Write the question in words, so that it can be found.")
        return question

    def clean_short(self) -> str:
        return one_line(self.cleaned_data["short"])

    def clean_text(self) -> str:
        return storable_text(self.cleaned_data["text"]).strip()

    def clean_variants(self) -> list[str]:
        return questions_of(self.cleaned_data["variants"])

    def clean_contraries(self) -> list[str]:
        return questions_of(self.cleaned_data["contraries"])

    def clean_tags(self) -> list[str]:
        return label_names(self.cleaned_data["tags"])

    def clean_products(self) -> list[str]:
        return label_names(self.cleaned_data["products"])

    def clean_language(self) -> str:
        return without_address(one_line(self.cleaned_data["language"]))

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if not self.errors and not (cleaned["short"] or cleaned["text"]):
            self.add_error("text", "Enter an answer or a short answer.")
        if both := set(cleaned.get("variants", ())) & set(cleaned.get("contraries", ())):
            self.add_error("contraries", f"“{min(both)}” can't ask both the same and the opposite.")
        return cleaned

    @property
    def content(self) -> EntryContent:
        """What was typed, as the service takes it."""
        typed = self.cleaned_data
        variants = [(each, False) for each in typed["variants"]] + [(each, True) for each in typed["contraries"]]
        owner = self._owners[typed["owner"]] if typed["owner"] else None
        names = ("question", "short", "text", "language", "tags", "products", "expires_on")
        return EntryContent(variants=variants, owner=owner, **{name: typed[name] for name in names})

    @property
    def review_day(self) -> date | None:
        day: date | None = self.cleaned_data["review_on"]
        return day

    def differences(self) -> list[tuple[str, str, str]]:
        """Name what is stored now beside what was typed, where the two differ."""
        stored = _initial(self.entry) if self.entry else {}
        pairs = []
        for name, typed in self.cleaned_data.items():
            mine, theirs = self._in_words(name, typed), self._in_words(name, stored[name])
            if mine != theirs:
                pairs.append((str(self.fields[name].label), mine or "nothing", theirs or "nothing"))
        return pairs

    def _in_words(self, name: str, value: Any) -> str:
        if name == "owner":
            return str(self._owners[value]) if value in self._owners else ""
        if name in ("tags", "products"):
            return ", ".join(sorted(value if isinstance(value, list) else label_names(value)))
        if isinstance(value, list):
            return "\n".join(value)
        return "" if value is None else str(value)


def _at_first(member: Membership) -> dict[str, Any]:
    return {"owner": member.user_id, "review_on": timezone.localdate() + REVIEW_AFTER}


def _initial(entry: Entry) -> dict[str, Any]:
    variants, labels = list(entry.variants.all()), labels_of(entry)
    return {
        **{name: getattr(entry, name) for name in ("question", "short", "text", "language", "review_on", "expires_on")},
        "owner": entry.owner_id,
        "variants": "\n".join(each.question for each in variants if not each.is_reversed),
        "contraries": "\n".join(each.question for each in variants if each.is_reversed),
        **{name: ", ".join(names) for name, names in labels.items()},
    }


class ReviewForm(forms.Form):
    """Until when nobody has to look at an entry again."""

    review_on = _day("Next review", "Leave empty for no further review.")
    seen = forms.CharField(widget=forms.HiddenInput, required=False)

    def __init__(self, data: Any = None, *, entry: Entry) -> None:
        super().__init__(data, initial={"review_on": timezone.localdate() + REVIEW_AFTER, "seen": entry.version})

    def clean_review_on(self) -> date | None:
        day: date | None = self.cleaned_data["review_on"]
        if day and day <= timezone.localdate():
            raise ValidationError("Choose a day in the future.")
        return day


class ImportForm(forms.Form):
    """A file of entries."""

    file = forms.FileField(
        label="CSV file",
        widget=forms.FileInput(attrs={"accept": "text/csv,.csv"}),
        help_text="With the columns Question and Answer or Short answer, and any of: Tags, Products, Language, Owner email, "
        "Review by, Expires on. Other columns are ignored. At most 1 MB.",
    )
    same = forms.ChoiceField(
        label="Questions already in the library",
        choices=[(REPLACE, "Update the entry"), (LEAVE, "Skip the line")],
        initial=REPLACE,
        widget=forms.RadioSelect,
        help_text="Updating keeps what the file has no column or an empty cell for. A cell with a minus sign clears the field.",
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
