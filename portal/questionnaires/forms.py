"""The answer form, built from the schema of the answer it is for, and the small forms of the desk."""

import json
from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from django import forms

from portal.questionnaires.answers import EMPTY, Answer, Part
from portal.questionnaires.controls import field_for, held, shown
from portal.questionnaires.schemas import problems
from portal.questionnaires.stages import SETTABLE


class AnswerForm(forms.Form):
    """One control for each part of an answer that can be edited.

    Every control has a hidden companion that says what was shown in it, so that a part which was never shown, or was not
    touched, is not written: the platform may have changed it meanwhile, and others may hold values no control can show.
    """

    seen = forms.CharField(widget=forms.HiddenInput, max_length=64, required=False)

    def __init__(self, answer: Answer, *, data: Any = None, mine: Mapping[str, Any] | None = None) -> None:
        """`mine`: values to put into the controls instead of the present ones, by part id."""
        super().__init__(data, initial={"seen": answer.fingerprint}, auto_id="answer-%s")
        self.answer = answer
        self.mine = mine or {}
        self.parts = {name_of(part.id): part for part in answer.parts if part.is_editable}
        for name, part in self.parts.items():
            self.fields[name] = field_for(part)
            self.initial[name] = shown(part, self.mine.get(part.id, held(part)))

    def rows(self) -> list["PartRow"]:
        """All parts in the order of the schema, editable or not."""
        return [PartRow(self, part) for part in self.answer.parts]

    def clean(self) -> dict[str, Any]:
        for name, part in self.parts.items():
            value = self.cleaned_data.get(name)
            if name in self.errors or value in EMPTY or not self.is_touched(name):
                continue
            for problem in problems(value, part.schema):
                self.add_error(name, problem)
        return self.cleaned_data

    def is_touched(self, name: str) -> bool:
        """Say whether the person changed this part, compared with what stood in its control."""
        companion = self.data.get(f"{name}-shown")
        return companion is not None and companion != digest(self.cleaned_data.get(name))

    @property
    def changes(self) -> dict[str, Any]:
        """Return the parts that the person changed, as the platform takes them; None clears one."""
        cleared = {name: None if self.cleaned_data[name] in EMPTY else self.cleaned_data[name] for name in self.parts}
        return {part.id: cleared[name] for name, part in self.parts.items() if self.is_touched(name)}


class PartRow:
    """One part as the page draws it."""

    def __init__(self, form: AnswerForm, part: Part) -> None:
        self.part = part
        name = name_of(part.id)
        self.field = form[name] if name in form.parts else None
        self.companion = f"{name}-shown"
        self.shown = digest(held(part))
        self.is_conflict = part.id in form.mine and digest(form.mine[part.id]) != self.shown

    @property
    def json(self) -> str:
        """The value as it came, for parts that no control can show."""
        value = self.part.value
        return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, indent=2)


def name_of(part_id: str) -> str:
    """Name the control of a part: ids of parts are any text, and their order may change between two requests."""
    return "part-" + sha256(part_id.encode()).hexdigest()[:16]


def digest(value: Any) -> str:
    text = "" if value in EMPTY else json.dumps(value, sort_keys=True)
    return sha256(text.encode()).hexdigest()[:16]


class StatusForm(forms.Form):
    """Which of the statuses that people may set comes next."""

    status = forms.ChoiceField(choices=list(SETTABLE.items()), label="Status")


class ApprovalForm(forms.Form):
    """The word that goes with an approval."""

    message = forms.CharField(
        label="Note",
        required=False,
        max_length=1000,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text="Stands in the platform's history of this questionnaire.",
    )


class CompletionForm(forms.Form):
    """What becomes of the answers once a questionnaire is complete."""

    keep_answers = forms.BooleanField(
        label="Keep the approved answers in the answer library",
        required=False,
        initial=True,
        help_text="The platform takes answers in English only.",
    )
