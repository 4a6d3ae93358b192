import re
from collections.abc import Mapping
from typing import Any

from django import forms

from portal.lib.storable import storable_text
from portal.people.filters import names_of_groups
from portal.people.services import GroupText
from portal.platform_api.errors import ValidationFailed

MAX_NAME_LENGTH, MAX_TEXT_LENGTH = 200, 2000
FIELD_OF = {"name": "name", "description": "description", "pointOfContactEmail": "contact"}


class GroupForm(forms.Form):
    """A new group."""

    use_required_attribute = False

    name = forms.CharField(label="Name", max_length=MAX_NAME_LENGTH, widget=forms.TextInput(attrs={"autocomplete": "off"}))
    description = forms.CharField(
        label="Description", required=False, max_length=MAX_TEXT_LENGTH, widget=forms.Textarea(attrs={"rows": 3})
    )
    contact = forms.EmailField(
        label="Contact",
        required=False,
        help_text="The email of an active administrator on the platform.",
        widget=forms.EmailInput(attrs={"autocomplete": "off"}),
    )

    @property
    def text(self) -> GroupText:
        said = {name: storable_text(value) for name, value in self.cleaned_data.items()}
        return GroupText(name=said["name"], description=said["description"], contact=said["contact"])

    def show_objections(self, error: ValidationFailed) -> bool:
        """Show what the platform does not take beside its field; False when it names none of them."""
        shown = False
        for path, words in error.fields.items():
            # It begins with a name of the platform's own (platform-api 1.4).
            field = next((FIELD_OF[part] for part in re.split(r"[.\[]", path) if part in FIELD_OF), "")
            if field:
                self.add_error(field, f"The platform does not take this: {words}")
                shown = True
        return shown


class GroupChoiceForm(forms.Form):
    """The group that people are put into."""

    use_required_attribute = False

    group = forms.ChoiceField(label="Group")

    def __init__(self, data: Any = None, *, options: Mapping[str, str], chosen: str) -> None:
        super().__init__(data, initial={"group": chosen})
        more = names_of_groups([chosen]) if chosen and chosen not in options else {}
        self.fields["group"].choices = [("", "Choose a group"), *{**more, **options}.items()]  # type: ignore[attr-defined]
