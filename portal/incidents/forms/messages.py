"""Messages to customers, and the templates that they begin with."""

from django import forms
from django.core.exceptions import ValidationError

from portal.incidents.forms.fields import text_field
from portal.incidents.placeholders import PLACEHOLDERS, unknown_in
from portal.incidents.services import Message
from portal.lib.storable import storable_text

MAX_TEXT_LENGTH, MAX_SUBJECT_LENGTH = 20_000, 300
ONE_LINE = {"autocomplete": "off"}


class MessageForm(forms.Form):
    """A message to a customer."""

    subject = forms.CharField(label="Subject", max_length=MAX_SUBJECT_LENGTH, widget=forms.TextInput(attrs=ONE_LINE))
    text = text_field("Text", rows=16, max_length=MAX_TEXT_LENGTH)
    seen = forms.IntegerField(widget=forms.HiddenInput)

    def clean_subject(self) -> str:
        return " ".join(storable_text(self.cleaned_data["subject"]).split())

    def clean_text(self) -> str:
        return storable_text(self.cleaned_data["text"])

    def message(self) -> Message:
        return Message(self.cleaned_data["subject"], self.cleaned_data["text"])


class TemplateForm(MessageForm):
    """A template: a message with placeholders."""

    name = forms.CharField(label="Name", max_length=120, widget=forms.TextInput(attrs=ONE_LINE))
    field_order = ["name", "subject", "text", "seen"]

    def clean_name(self) -> str:
        return " ".join(storable_text(self.cleaned_data["name"]).split())

    def clean_subject(self) -> str:
        return _checked(super().clean_subject())

    def clean_text(self) -> str:
        return _checked(super().clean_text())


def _checked(text: str) -> str:
    unknown = [f"{{{name}}}" for name in unknown_in(text)]
    if unknown:
        there = ", ".join(f"{{{name}}}" for name in PLACEHOLDERS)
        raise ValidationError(f"Unknown placeholder {' and '.join(unknown)}. Available: {there}.")
    return text
