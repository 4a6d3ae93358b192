"""Forms whose values go to the platform, which may object to one of them."""

import re
from typing import Any

from django import forms
from django.core.validators import MaxLengthValidator

from portal.platform_api.errors import ValidationFailed
from portal.ui.stored_lines import StoredLines


class PlatformForm(forms.Form):
    """A form whose fields the platform may object to. `field_of` says where an objection to a field of its is shown."""

    use_required_attribute = False
    bound_field_class = StoredLines
    field_of: dict[str, str] = {}

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        for name, field in self.fields.items():
            said = self.get_initial_for_field(field, name)
            if isinstance(field, forms.CharField) and isinstance(said, str) and len(said) > (field.max_length or len(said)):
                _allow_length(field, len(said))

    def show_objections(self, error: ValidationFailed) -> bool:
        """Show what the platform does not take beside its field; False when it names none of them."""
        shown = False
        for path, words in error.fields.items():
            # It begins with a name of the platform's own (platform-api 1.4).
            field = next((self.field_of[part] for part in re.split(r"[.\[]", path) if part in self.field_of), "")
            if field in self.fields:
                self.add_error(field, f"The platform rejected this: {words}")
                shown = True
        return shown


def _allow_length(field: forms.CharField, length: int) -> None:
    """Let what is on the platform already stay as long as it is there."""
    others = [each for each in field.validators if not isinstance(each, MaxLengthValidator)]
    field.max_length, field.validators = length, [*others, MaxLengthValidator(length)]
    field.widget.attrs["maxlength"] = str(length)
