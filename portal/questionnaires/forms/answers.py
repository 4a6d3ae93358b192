"""The answer form, built from the schema of the answer it is for."""

import json
import re
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from hashlib import sha256
from typing import Any

from django import forms
from django.utils.datastructures import MultiValueDict

from portal.lib.line_breaks import unified
from portal.questionnaires.answers import EMPTY, Answer, Part, Typed
from portal.questionnaires.controls import field_for, shown, split_lines, untouched_value
from portal.questionnaires.models import Draft
from portal.questionnaires.schemas import problems

SHOWN = "-shown"
"""What the companion of a control is called behind the control's name."""
COMPANION = re.compile(r"part-[0-9a-f]{16}-shown")


class AnswerForm(forms.Form):
    """One control for each part of an answer that can be edited.

    Every control has a hidden companion that says what was shown in it, so that a part which was never shown, or was not
    touched, is not written: the platform may have changed it meanwhile, and others may hold values no control can show.
    """

    seen = forms.CharField(widget=forms.HiddenInput, max_length=64, required=False)
    drafted = forms.CharField(widget=forms.HiddenInput, max_length=20, required=False)

    def __init__(
        self,
        answer: Answer,
        *,
        data: Any = None,
        mine: Mapping[str, Any] | None = None,
        draft: Draft | None = None,
        compares: bool = True,
        continues: bool = False,
        drafted_id: str = "",
    ) -> None:
        """`mine`: values to put into the controls instead of the present ones, by part id; `draft`: what was typed.

        `drafted_id`: the draft of the portal that is put into the controls.
        `compares`: beside a control that shows another value the present one is shown, for somebody who works on the platform.
        `continues`: `mine` is what this person sent before, so a part that they leave alone stays as they sent it.
        """
        super().__init__(data, initial={"seen": answer.fingerprint, "drafted": drafted_id}, auto_id="answer-%s")
        self.answer = answer
        self.mine, self.draft, self.compares, self.continues = mine or {}, draft, compares, continues
        typed: Mapping[str, Typed] = draft.typed if draft else {}
        self.restored: set[str] = set()
        """The parts whose control shows what was typed and not saved."""
        self.parts = {name_of(part.id): part for part in answer.parts if part.is_editable}
        for name, part in self.parts.items():
            self.fields[name] = field_for(part)
            present = shown(part, untouched_value(part))
            key = part.id if part.id in typed else name
            self.initial[name] = typed.get(key, shown(part, self.mine.get(part.id, untouched_value(part))))
            if typed.get(key, present) != present:
                self.restored.add(part.id)
        self.is_late = bool(draft and self.restored and draft.seen != answer.fingerprint)
        """The answer is another one than the one that the draft was written to."""

    def rows(self) -> list["PartRow"]:
        """All parts in the order of the schema, editable or not."""
        return [PartRow(self, part) for part in self.answer.parts]

    def clean(self) -> dict[str, Any]:
        for name, part in self.parts.items():
            value = self.cleaned_data.get(name)
            if name in self.errors or part.is_empty(value) or not self.is_touched(name):
                continue
            for problem in problems(value, part.schema):
                self.add_error(name, problem)
        return self.cleaned_data

    def is_touched(self, name: str) -> bool:
        """Say whether the person changed this part, compared with what stood in its control."""
        companion = self.data.get(name + SHOWN)
        return companion is not None and companion != digest(self.parts[name], self.cleaned_data.get(name))

    @property
    def changes(self) -> dict[str, Any]:
        """Return the parts that the person changed, as the platform takes them; None clears one."""
        touched = [(part, self.cleaned_data[name]) for name, part in self.parts.items() if self.is_touched(name)]
        return {part.id: None if part.is_empty(value) else value for part, value in touched}

    @property
    def typed(self) -> dict[str, Typed]:
        """Return what stands in the touched controls, whether it is an answer already or not."""
        touched = [name for name in self.parts if name in self.errors or self.is_touched(name)]
        return {self.parts[name].id: self.fields[name].widget.value_from_datadict(self.data, {}, name) for name in touched}

    @property
    def orphans(self) -> dict[str, Typed]:
        """Return what was typed into controls of parts that the answer has no more, by the names of these controls."""
        found: dict[str, Typed] = {}
        for companion in filter(COMPANION.fullmatch, self.data):
            name = companion.removesuffix(SHOWN)
            sent = [
                text for text in forms.SelectMultiple().value_from_datadict(self.data, MultiValueDict(), name) or [] if text
            ]
            if sent and name not in self.parts and not was_left_alone(sent, self.data[companion]):
                found[name] = sent if len(sent) > 1 else sent[0]
        return found

    def unseen(self, typed: Mapping[str, Typed]) -> dict[str, Typed]:
        """Return what of an earlier draft this form had no control for: whoever sent it has dropped nothing of that."""
        return {key: text for key, text in typed.items() if not {key + SHOWN, name_of(key) + SHOWN} & self.data.keys()}

    def untouched(self, part: Part) -> Any:
        """Return the value that a part has for as long as nobody touches its control."""
        return self.mine.get(part.id, untouched_value(part)) if self.continues else untouched_value(part)

    def shown_parts(self, part_ids: Collection[str]) -> dict[str, Typed]:
        """Return what stands in the controls of these parts before anybody touches them."""
        return {part.id: self.initial[name] for name, part in self.parts.items() if part.id in part_ids}


class PartRow:
    """One part as the page draws it."""

    def __init__(self, form: AnswerForm, part: Part) -> None:
        self.part = part
        name = name_of(part.id)
        self.field = form[name] if name in form.parts else None
        self.companion = name + SHOWN
        self.shown = digest(part, form.untouched(part))
        is_mine_another = part.id in form.mine and digest(part, form.mine[part.id]) != digest(part, untouched_value(part))
        is_late = form.is_late and part.id in form.restored
        self.is_conflict = form.compares and (is_mine_another or is_late)

    @property
    def json(self) -> str:
        """The value as it came, for parts that no control can show."""
        value = self.part.value
        return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, indent=2)


def name_of(part_id: str) -> str:
    """Name the control of a part: ids of parts are any text, and their order may change between two requests."""
    return "part-" + sha256(part_id.encode()).hexdigest()[:16]


def digest(part: Part, value: Any) -> str:
    return digest_of("" if part.is_empty(value) else json.dumps(value, sort_keys=True))


def digest_of(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:16]


def was_left_alone(sent: Sequence[str], companion: str) -> bool:
    """Say whether a control still held what was shown in it. Of which kind it was is not known once its part is gone."""
    readings: list[Any] = [unified(sent[-1]), split_lines(sent[-1])]
    with suppress(ValueError, RecursionError):
        values = [json.loads(text) for text in sent]
        readings += [values, values[-1]]
    return companion in {digest_of(json.dumps(value, sort_keys=True)) for value in readings}


def orphaned(typed: Mapping[str, Any], answer: Answer) -> dict[str, Any]:
    """Return what was typed for parts that the form of an answer does not have: the platform may make another meanwhile."""
    ids = {part.id for part in answer.parts if part.is_editable}
    here = ids | {name_of(part_id) for part_id in ids}
    return {key: value for key, value in typed.items() if key not in here and value not in EMPTY}
