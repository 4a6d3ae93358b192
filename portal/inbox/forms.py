from datetime import timedelta
from typing import Any

from django import forms

from portal.inbox.models import Endpoint
from portal.inbox.services.endpoints import InvalidSecret, check_secret

KEEP_CHOICES = {"24": "For one day", "1": "For one hour", "96": "For four days", "0": "Not at all"}


class SecretForm(forms.Form):
    """The signing secret of one address, as the platform's dashboard shows it."""

    secret = forms.CharField(
        label="Signing secret",
        max_length=400,
        widget=forms.PasswordInput(attrs={"autocomplete": "off", "spellcheck": "false", "placeholder": "whsec_…"}),
    )
    keep = forms.ChoiceField(
        label="Keep accepting the previous secret",
        choices=list(KEEP_CHOICES.items()),
        required=False,
        help_text="The platform may sign with the old secret until its own change takes effect.",
    )

    def __init__(self, *args: object, endpoint: Endpoint, **options: object) -> None:
        super().__init__(*args, prefix=f"endpoint-{endpoint.pk}", **options)  # type: ignore[arg-type,misc]
        self.endpoint = endpoint
        if not endpoint.has_secret:
            del self.fields["keep"]

    def clean_secret(self) -> str:
        try:
            return check_secret(self.cleaned_data["secret"])
        except InvalidSecret as error:
            raise forms.ValidationError(str(error)) from None

    @property
    def keep_previous(self) -> timedelta:
        return timedelta(hours=int(self.cleaned_data.get("keep") or 24))


class ReplayForm(forms.Form):
    """The deliveries of a time, in the reader's zone."""

    STATES = (("", "All deliveries"), ("dead", "Failed only"))

    since = forms.DateTimeField(label="Received from", widget=forms.DateTimeInput(attrs={"type": "datetime-local"}))
    until = forms.DateTimeField(label="Until", widget=forms.DateTimeInput(attrs={"type": "datetime-local"}))
    state = forms.ChoiceField(label="Deliveries", choices=STATES, required=False)

    def clean(self) -> dict[str, Any]:
        values: dict[str, Any] = super().clean() or self.cleaned_data
        since, until = values.get("since"), values.get("until")
        if since and until and until <= since:
            self.add_error("until", "The end must be after the start.")
        return values
