"""The controls of an answer form: one for each kind of part, each handing back the value as the platform takes it."""

import json
import re
from math import isfinite
from typing import Any

from django import forms

from portal.lib.line_breaks import unified
from portal.questionnaires.answers import EMPTY, Kind, Part, words

RADIO_CHOICES = 7
"""Up to this many choices are seen at a glance; more go into a list to select from."""
MAX_NUMBER_LENGTH = 300
NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)


def untouched_value(part: Part) -> Any:
    """Return the value as its control hands it back when nobody touches it."""
    if not part.fits or part.is_empty(part.value):
        return None
    if part.kind is Kind.TEXT:
        return unified(part.value)
    if part.kind is Kind.LINES:
        return split_lines("\n".join(part.value)) or None
    if part.kind is Kind.CHOICES:
        # In the order of the choices, as a browser sends them.
        return [json.loads(text) for text, _ in with_present(part) if json.loads(text) in part.value]
    return part.value


def shown(part: Part, value: Any) -> Any:
    """Write a value as its control shows it."""
    if part.kind is Kind.CHOICES:
        return [json.dumps(item) for item in value or []]
    if value is None:
        return ""
    if part.kind is Kind.LINES:
        return "\n".join(value)
    return value if part.kind is Kind.TEXT else json.dumps(value)


def field_for(part: Part) -> forms.Field:
    """Choose the control of a part."""
    common: dict[str, Any] = {"label": part.label, "help_text": part.help, "required": False}
    match part.kind:
        case Kind.TEXT:
            return TextField(widget=text_area(words(part.value)), **common)
        case Kind.LINES:
            common["help_text"] = part.help or "One entry per line."
            return LinesField(widget=text_area(words(part.value)), **common)
        case Kind.NUMBER:
            whole = part.schema.get("type") == "integer"
            return NumberField(widget=forms.TextInput(attrs={"inputmode": "numeric" if whole else "decimal"}), **common)
        case Kind.BOOLEAN:
            choices = [("true", "Yes"), ("false", "No"), ("", "Not answered")]
            return JsonChoiceField(choices=choices, widget=forms.RadioSelect, **common)
        case Kind.CHOICES:
            return JsonChoicesField(choices=with_present(part), widget=forms.CheckboxSelectMultiple, **common)
    choices = [*with_present(part), ("", "Not answered")]
    widget = forms.RadioSelect if len(choices) <= RADIO_CHOICES else forms.Select
    return JsonChoiceField(choices=choices, widget=widget, **common)


def text_area(text: str) -> forms.Textarea:
    """Make a text area that shows the whole of a usual answer without scrolling."""
    lines = sum(1 + len(line) // 70 for line in text.split("\n"))
    return forms.Textarea(attrs={"rows": min(max(lines + 1, 3), 14)})


def with_present(part: Part) -> list[tuple[str, str]]:
    """Return the choices, and the present ones that are not among them: they are shown and can be kept."""
    choices = dict(part.choices)
    present = part.value if isinstance(part.value, list) else [part.value]
    for item in present if part.fits else []:
        if item not in EMPTY:
            choices.setdefault(json.dumps(item), f"{words(item)} (not an available choice)")
    return list(choices.items())


def split_lines(text: str) -> list[str]:
    return [line.strip() for line in unified(text).split("\n") if line.strip()]


class TextField(forms.CharField):
    """Text that keeps its spaces and its line ends."""

    def __init__(self, **options: Any) -> None:
        super().__init__(strip=False, **options)

    def to_python(self, value: Any) -> str:
        return unified(super().to_python(value) or "")


class LinesField(forms.CharField):
    """A list of texts, one a line."""

    def clean(self, value: Any) -> list[str]:
        return split_lines(super().clean(value))


class NumberField(forms.CharField):
    """A number as JSON has it: whole stays whole, and a decimal comma is understood."""

    def clean(self, value: Any) -> int | float | None:
        text = super().clean(value).replace(",", ".").strip()
        if not text:
            return None
        if not NUMBER.fullmatch(text) or len(text) > MAX_NUMBER_LENGTH:
            raise forms.ValidationError("Enter a number, for example 12 or 0.5.")
        number = int(text) if text.lstrip("+-").isdigit() else float(text)
        if not isfinite(number):
            raise forms.ValidationError("This number is too large.")
        return number


class JsonChoiceField(forms.ChoiceField):
    """One of the values of an enum; what the browser sends is its JSON text."""

    def clean(self, value: Any) -> Any:
        text = super().clean(value)
        return json.loads(text) if text else None


class JsonChoicesField(forms.MultipleChoiceField):
    """Several values of an enum."""

    def clean(self, value: Any) -> list[Any]:
        return [json.loads(text) for text in super().clean(value)]
