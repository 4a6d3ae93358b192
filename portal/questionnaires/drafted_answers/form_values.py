"""Putting what was said before into the parts of a form. What does not fit stays empty; no sentence is cut."""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from portal.lib.sentences import sentences
from portal.library.lexicon import stems
from portal.questionnaires.answers import Kind, Part
from portal.questionnaires.drafted_answers.meaning import (
    RESTRICTION,
    Meaning,
    folded,
    meaning_of_label,
    without_opening,
)
from portal.questionnaires.drafted_answers.sources import Source
from portal.questionnaires.schemas import problems

EXPLAINS: Final = {
    *("explanation", "response", "answer", "details", "detail", "description", "comment", "comments"),
    *("justification", "notes", "narrative", "text", "remarks"),
}
"""Words in the label of a part that takes an answer in sentences."""
NUMBER: Final = re.compile(r"([+-]?\d+(?:\.\d+)?)(?:\s+([a-z]+))?", re.IGNORECASE)
SHORT: Final = {Kind.CHOICE, Kind.CHOICES, Kind.BOOLEAN, Kind.NUMBER}


def fit(parts: Sequence[Part], source: Source) -> dict[str, Any]:
    """Return the values, by part id, that a source gives a form. Every one of them passes the schema of its part."""
    open_parts = [part for part in parts if part.is_editable]
    explanation = explanation_among(open_parts)
    has_choice = any(part.kind in SHORT for part in open_parts)
    values = {}
    for part in open_parts:
        value = value_for(part, source, is_explanation=part is explanation, has_choice=has_choice)
        if not part.is_empty(value) and not problems(value, part.schema):
            values[part.id] = value
    return values


def explanation_among(parts: Sequence[Part]) -> Part | None:
    """Return the part that takes an answer in sentences: the only text, or the only one whose label says so."""
    texts = [part for part in parts if part.kind is Kind.TEXT]
    if len(texts) == 1:
        return texts[0]
    named = [part for part in texts if EXPLAINS & {*folded(part.label).split()}]
    return named[0] if len(named) == 1 else None


def value_for(part: Part, source: Source, *, is_explanation: bool, has_choice: bool) -> Any:
    """Return what a source says in one part; nothing where it does not say it for sure."""
    if part.kind in SHORT and not source.is_whole:
        return None
    if not source.is_reversed and (twin := _twin(part, source)) is not None:
        return twin
    match part.kind:
        case Kind.BOOLEAN:
            return {Meaning.YES: True, Meaning.NO: False}.get(source.meaning) if source.meaning else None
        case Kind.CHOICE:
            return chosen(part.choices, source)
        case Kind.CHOICES:
            return None if source.is_reversed else several_chosen(part.choices, source.short)
        case Kind.NUMBER:
            return None if source.is_reversed else number_of(source.short, part)
        case Kind.TEXT if is_explanation:
            return shortened(text_of(source, has_choice=has_choice), part.schema.get("maxLength"))
    return None


def _twin(part: Part, source: Source) -> Any:
    """Return the value of the part that has the same label and form in the earlier answer, if its value is one here as well."""
    for other in source.parts:
        if other.kind is part.kind and folded(other.label) == folded(part.label):
            held = other.value if isinstance(other.value, list) else [other.value]
            if part.kind not in (Kind.CHOICE, Kind.CHOICES) or all(json.dumps(item) in part.choices for item in held):
                return other.value
    return None


def chosen(choices: Mapping[str, str], source: Source) -> Any:
    """Return the choice of the same words, or else the only one that means the same."""
    same = [value for value, label in choices.items() if source.short and folded(label) == folded(source.short)]
    if len(same) == 1 and not source.is_reversed:
        return json.loads(same[0])
    fitting = [value for value, label in choices.items() if source.meaning and meaning_of_label(label) == source.meaning]
    return json.loads(fitting[0]) if len(fitting) == 1 else None


def several_chosen(choices: Mapping[str, str], short: str) -> list[Any] | None:
    """Return the choices that a list of words names, if each of its words is one."""
    wanted = [folded(each) for each in re.split(r"[,;\n]", short) if folded(each)]
    labels = {folded(label): value for value, label in choices.items()}
    if not wanted or not all(each in labels for each in wanted):
        return None
    return [json.loads(value) for label, value in labels.items() if label in wanted]


def number_of(short: str, part: Part) -> int | float | None:
    """Return a number, where the part asks for its unit."""
    found = NUMBER.fullmatch(short.strip())
    if found is None or (found[2] and not {*stems(found[2])} <= {*stems(f"{part.label} {part.help}")}):
        return None
    return float(found[1]) if "." in found[1] else int(found[1])


def text_of(source: Source, *, has_choice: bool) -> str:
    """Return the sentences; where the form has no other place for it, with the short answer before them."""
    keeps_opening = source.is_whole and not source.is_reversed
    text = source.text.strip() if keeps_opening else without_opening(source.text)
    short = "" if has_choice or not source.is_whole else source.short.strip()
    if source.is_reversed and short:
        short = source.meaning.value.capitalize() if source.meaning in (Meaning.YES, Meaning.NO) else ""
    if not short or folded(text).startswith(folded(short)):
        return text
    return f"{short.rstrip('.')}. {text}".strip()


def shortened(text: str, limit: Any) -> str | None:
    """Return the first sentences, as many as a part takes; nothing where one that is left out takes something back."""
    if not isinstance(limit, int) or len(text) <= limit:
        return text or None
    kept, place = 0, 0
    for sentence in sentences(text):
        place = text.index(sentence, place) + len(sentence)
        if place > limit:
            break
        kept = place
    return None if not kept or RESTRICTION.search(text[kept:]) else text[:kept]
