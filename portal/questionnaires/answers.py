"""What an answer is made of: the parts that a response's own JSON Schema describes, with the values they hold now."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from hashlib import sha256
from typing import Any

from portal.lib.line_breaks import unified
from portal.platform_api import models as remote
from portal.questionnaires.schemas import is_valid


class Kind(StrEnum):
    """How a part is filled in."""

    TEXT = "text"
    CHOICE = "choice"
    CHOICES = "choices"
    LINES = "lines"
    BOOLEAN = "boolean"
    NUMBER = "number"
    UNKNOWN = "unknown"


EMPTY: tuple[Any, ...] = (None, "", [])
EMPTY_TEXT = json.dumps("")
"""The JSON text of a choice that is an empty text: choosing it is an answer."""
NAMELESS = "(empty)"
"""What people read where a choice has neither title nor text."""
type Typed = str | list[str]
"""What stands in a control, as a browser sends it."""


@dataclass(frozen=True)
class Part:
    """One part of an answer: how it is filled in, and what it holds."""

    id: str
    kind: Kind
    label: str
    value: Any = None
    choices: Mapping[str, str] = field(default_factory=dict)
    """The choices of a closed question: their JSON text -> what people read."""
    help: str = ""
    is_required: bool = False
    schema: Mapping[str, Any] = field(default_factory=dict)

    @property
    def is_editable(self) -> bool:
        return self.kind is not Kind.UNKNOWN

    @property
    def fits(self) -> bool:
        """The value is one that this part can show; the platform may hold others, and they are shown beside it."""
        return self.is_empty(self.value) or is_shown_by(self.kind, self.value)

    @property
    def text(self) -> str:
        """The value as people read it."""
        return self.read(self.value)

    def is_empty(self, value: Any) -> bool:
        """Say whether a value of this part is no answer. An empty text is one where the schema offers it as a choice."""
        return value in EMPTY and not self.offers_empty_text(value)

    def is_same(self, held: Any, wanted: Any) -> bool:
        """Say whether two values of this part are the same answer, however the platform spells it.

        It may keep none as null, "" or [], lines with other ends, a whole number as 5.0, and choices in an order of its own.
        """
        if self.is_empty(held) or self.is_empty(wanted):
            return self.is_empty(held) and self.is_empty(wanted)
        return self._spelled(held) == self._spelled(wanted)

    def _spelled(self, value: Any) -> str:
        match value:
            case str():
                return json.dumps(unified(value))
            case float() if value.is_integer():
                return json.dumps(int(value))
            case list():
                items = [self._spelled(item) for item in value]
                return json.dumps(sorted(items) if self.kind is Kind.CHOICES else items)
        return json.dumps(value, sort_keys=True)

    def read(self, value: Any) -> str:
        """Write a value of this part as people read it."""
        return self.choices[EMPTY_TEXT] if self.offers_empty_text(value) else words(value)

    def offers_empty_text(self, value: Any) -> bool:
        return value == "" and self.kind is Kind.CHOICE and EMPTY_TEXT in self.choices


class Answer:
    """The answer of one response, read from its schema and values."""

    def __init__(self, response: remote.Response) -> None:
        self._response = response
        self.values: dict[str, Any] = dict(response.answer_parts_values or {})

    @cached_property
    def parts(self) -> list[Part]:
        """All parts in the order of the schema; values that it does not describe follow, read-only and never dropped."""
        schema = self._response.answer_parts_schema or {}
        described = schema.get("properties")
        described = described if isinstance(described, dict) else {}
        required = schema.get("required")
        required = required if isinstance(required, list) else []
        parts = [
            read_part(part_id, part_schema, value=self.values.get(part_id), is_required=part_id in required)
            for part_id, part_schema in described.items()
        ]
        rest = [part_id for part_id in self.values if part_id not in described]
        return parts + [Part(id=part_id, kind=Kind.UNKNOWN, label=part_id, value=self.values[part_id]) for part_id in rest]

    def part(self, part_id: str) -> Part:
        """Return one part; an id that the answer does not know is a part of unknown form."""
        return self._by_id.get(part_id) or Part(id=part_id, kind=Kind.UNKNOWN, label=part_id)

    @cached_property
    def _by_id(self) -> dict[str, Part]:
        return {part.id: part for part in self.parts}

    @property
    def legacy(self) -> list[tuple[str, str]]:
        """The deprecated `answer`: shown as a fallback, not editable through the API (platform-api 7.8)."""
        titles = {"multipleChoice": "Choice", "multipleChoiceCustom": "Choice in their words", "explanation": "Explanation"}
        answer = self._response.answer or {}
        return [(titles.get(key, key), words(value)) for key, value in answer.items() if value not in EMPTY]

    @property
    def given(self) -> list[tuple[str, str]]:
        """What is filled in, as people read it: the label of each part and its value."""
        parts = [(part.label, part.text) for part in self.parts if not part.is_empty(part.value)]
        return parts or self.legacy

    @property
    def is_given(self) -> bool:
        """Something is filled in. The deprecated form counts only where there are no parts."""
        if self._response.answer_parts_schema or self.values:
            return any(not part.is_empty(part.value) for part in self.parts)
        return bool(self.legacy)

    @property
    def digest(self) -> str:
        """Stands for what people read in the answer, and for nothing else of it."""
        text = json.dumps([text for _, text in self.given])
        return sha256(text.encode()).hexdigest()[:32]

    @property
    def fingerprint(self) -> str:
        """Stands for schema and values: a form whose fingerprint is another one was rendered from another answer."""
        text = json.dumps([self._response.answer_parts_schema, self.values], sort_keys=True)
        return sha256(text.encode()).hexdigest()


def read_part(part_id: str, schema: Any, *, value: Any, is_required: bool) -> Part:
    """Understand one part's schema; what is not understood is shown as it came, and never changed."""
    if not isinstance(schema, dict) or not is_valid(schema):
        return Part(id=part_id, kind=Kind.UNKNOWN, label=part_id, value=value)
    kind, choices = read_kind(schema)
    return Part(
        id=part_id,
        kind=kind,
        label=text_of(schema, "title") or part_id,
        value=value,
        choices=choices,
        help=text_of(schema, "description"),
        is_required=is_required,
        schema=schema,
    )


def read_kind(schema: Mapping[str, Any]) -> tuple[Kind, dict[str, str]]:
    """Choose how a part is filled in from the value types the platform allows (platform-api 4.1.6)."""
    types = schema.get("type")
    types = [name for name in (types if isinstance(types, list) else [types]) if name != "null"]
    if len(types) > 1:
        return Kind.UNKNOWN, {}
    (name,) = types or [None]
    if choices := read_choices(schema):
        return (Kind.CHOICE, choices) if name not in ("array", "object") else (Kind.UNKNOWN, {})
    if name == "array":
        items = schema.get("items")
        items = items if isinstance(items, dict) else {}
        if choices := read_choices(items):
            return Kind.CHOICES, choices
        return (Kind.LINES, {}) if items.get("type", "string") == "string" else (Kind.UNKNOWN, {})
    simple = {"string": Kind.TEXT, "boolean": Kind.BOOLEAN, "number": Kind.NUMBER, "integer": Kind.NUMBER}
    return simple.get(str(name), Kind.UNKNOWN), {}


def read_choices(schema: Mapping[str, Any]) -> dict[str, str]:
    """Read the choices of `enum`, or of `oneOf`/`anyOf` with a `const` and perhaps a title each."""
    if isinstance(options := schema.get("enum"), list):
        pairs = [(option, words(option) or NAMELESS) for option in options if option is not None]
    else:
        branches = schema.get("oneOf") or schema.get("anyOf")
        branches = branches if isinstance(branches, list) else []
        if not all(isinstance(branch, dict) and "const" in branch for branch in branches):
            return {}
        pairs = [(branch["const"], text_of(branch, "title") or words(branch["const"]) or NAMELESS) for branch in branches]
    if not all(isinstance(option, str | int | float) for option, _ in pairs):
        return {}
    return {json.dumps(option): label for option, label in pairs}


def is_shown_by(kind: Kind, value: Any) -> bool:
    """Say whether the control of this kind can hold the value without losing any of it."""
    if kind in (Kind.CHOICES, Kind.LINES):
        return isinstance(value, list) and all(isinstance(item, str) for item in value)
    if kind is Kind.BOOLEAN:
        return isinstance(value, bool)
    if kind is Kind.NUMBER:
        return isinstance(value, int | float) and not isinstance(value, bool)
    if kind is Kind.CHOICE:
        return isinstance(value, str | int | float)
    return kind is Kind.TEXT and isinstance(value, str)


def text_of(schema: Mapping[str, Any], key: str) -> str:
    value = schema.get(key)
    return value.strip() if isinstance(value, str) else ""


def words(value: Any) -> str:
    """Write a value for people; whatever has no everyday form is shown as JSON."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "Yes" if value else "No"
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return "\n".join(value)
    return json.dumps(value, ensure_ascii=False)


def person_name(person: remote.Actor | None) -> str:
    """Call somebody in the platform's logs by name; machines and applications have none (platform-api 4.1.3)."""
    if person is None:
        return ""
    full = " ".join(filter(None, [person.given_name, person.family_name]))
    return person.display_name or full or person.email or ""
