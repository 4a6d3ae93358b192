from typing import Any

from django import forms

from portal.risks.models.choices import CONTROL_TYPES, type_label


class TypeForm(forms.Form):
    """What a control does for a risk scenario."""

    use_required_attribute = False

    control_type = forms.ChoiceField(label="Type")

    def __init__(self, data: Any = None, *, current: str = "", place: str = "") -> None:
        # A page with several of them tells them apart by their places.
        super().__init__(data, initial={"control_type": current}, auto_id=f"{place}-%s" if place else "id_%s")
        # The platform takes no other type, but a scenario may have one already.
        kept = {current: type_label(current)} if current else {}
        self.fields["control_type"].choices = list((CONTROL_TYPES | kept).items())  # type: ignore[attr-defined]

    @property
    def chosen(self) -> str:
        return str(self.cleaned_data["control_type"])
