from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from portal.lib.storable import storable_text
from portal.platform_api.errors import EMAIL
from portal.trust_center.models import ContentCheck
from portal.trust_center.models.checks import MAX_REASON_LENGTH


class DismissalForm(forms.Form):
    """Why something that looks wrong is right."""

    use_required_attribute = False

    reason = forms.CharField(
        label="Why it is correct as is",
        max_length=MAX_REASON_LENGTH,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text="Your team can read this. It is not sent to the platform.",
    )
    seen = forms.CharField(required=False, max_length=64, widget=forms.HiddenInput)
    """Stands for what the person has before them."""

    def __init__(self, data: Any = None, *, found: ContentCheck) -> None:
        super().__init__(data, initial={"seen": found.sign})

    def clean_reason(self) -> str:
        reason = storable_text(self.cleaned_data["reason"])
        if EMAIL.search(reason):
            # Nobody would find it when a person asks to be erased.
            raise ValidationError("Do not include email addresses.")
        return reason
