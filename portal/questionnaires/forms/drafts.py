from collections.abc import Iterable
from typing import Any

from django import forms

from portal.questionnaires.models import DEFAULT_LEAST


class DraftAllForm(forms.Form):
    """How sure a draft has to be, and whether the language model may rewrite it."""

    least = forms.TypedChoiceField(label="Minimum confidence", coerce=int, widget=forms.RadioSelect, initial=DEFAULT_LEAST)
    rewrites = forms.BooleanField(
        label="Rewrite answers to similar questions with the language model",
        help_text="The question and the earlier answers are sent to it, without customers' names.",
        required=False,
    )

    def __init__(self, data: Any = None, *, choices: Iterable[tuple[int, str]], has_model: bool) -> None:
        super().__init__(data, auto_id="draft-%s")
        if not has_model:
            del self.fields["rewrites"]
        field: Any = self.fields["least"]
        field.choices = list(choices)
