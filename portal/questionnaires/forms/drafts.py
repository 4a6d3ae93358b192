from collections.abc import Iterable
from typing import Any

from django import forms

from portal.questionnaires.models import DEFAULT_LEAST


class DraftAllForm(forms.Form):
    """How sure a draft has to be."""

    least = forms.TypedChoiceField(label="Least confidence", coerce=int, widget=forms.RadioSelect, initial=DEFAULT_LEAST)

    def __init__(self, data: Any = None, *, choices: Iterable[tuple[int, str]]) -> None:
        super().__init__(data, auto_id="draft-%s")
        field: Any = self.fields["least"]
        field.choices = list(choices)
