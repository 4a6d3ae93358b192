from collections.abc import Mapping
from typing import Any

from django import forms

from portal.lib.storable import storable_text
from portal.people.filters import names_of_groups
from portal.people.services import GroupText
from portal.ui.platform_forms import PlatformForm

MAX_NAME_LENGTH, MAX_TEXT_LENGTH = 200, 2000


class GroupForm(PlatformForm):
    """A new group."""

    field_of = {"name": "name", "description": "description", "pointOfContactEmail": "contact"}

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


class GroupChoiceForm(forms.Form):
    """The group that people are put into."""

    use_required_attribute = False

    group = forms.ChoiceField(label="Group")

    def __init__(self, data: Any = None, *, options: Mapping[str, str], chosen: str) -> None:
        super().__init__(data, initial={"group": chosen})
        more = names_of_groups([chosen]) if chosen and chosen not in options else {}
        self.fields["group"].choices = [("", "Choose a group"), *{**more, **options}.items()]  # type: ignore[attr-defined]
