from collections.abc import Sequence
from typing import Any

from django import forms


class TypeForm(forms.Form):
    """What a control does for a risk scenario."""

    use_required_attribute = False

    control_type = forms.ChoiceField(label="Type", required=False)

    def __init__(self, data: Any = None, *, types: Sequence[str], current: str = "", place: str = "") -> None:
        # A page with several of them tells them apart by their places.
        super().__init__(data, initial={"control_type": current}, auto_id=f"{place}-%s" if place else "id_%s")
        # One that nobody has chosen yet may be left out. The platform takes no type away again.
        nothing = [] if current else [("", "No type")]
        choices = [*nothing, *((each, each) for each in dict.fromkeys([*types, *filter(None, [current])]))]
        self.fields["control_type"].choices = choices  # type: ignore[attr-defined]

    @property
    def chosen(self) -> str:
        return str(self.cleaned_data["control_type"])
