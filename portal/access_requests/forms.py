from collections.abc import Iterable
from datetime import date, datetime, time, timedelta
from typing import Any

from django import forms
from django.utils import timezone

from portal.access_requests.models import FULL, LEVELS, PARTIAL, AccessRequest
from portal.access_requests.selectors import choosable_resources
from portal.access_requests.services import Terms

NEVER, ON_A_DAY, OWN = "never", "date", "own"
"""Choices that the style sheet knows too: it shows the field that belongs to one."""
PRESETS = {
    "30": "In 30 days",
    "90": "In 90 days",
    "180": "In 180 days",
    "365": "In one year",
    NEVER: "Never",
    ON_A_DAY: "On a day you choose",
}
DEFAULT_PRESET = "365"
LONGEST_REASON = 1000
REASONS = (
    "Please ask again from your business address.",
    "We have no running business with your company.",
    "Please ask your contact in our sales team to vouch for you first.",
    "Somebody at your company has access already and can share the documents.",
)


def choices(pairs: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    return list(pairs)


class ApprovalForm(forms.Form):
    """What a person gets. Everything is preset to what was asked for, and all of it is sent."""

    # Fields that a choice makes needless are hidden, and a browser cannot point at one of those.
    use_required_attribute = False

    access_level = forms.ChoiceField(label="Access to", choices=choices(LEVELS.items()), widget=forms.RadioSelect)
    resources = forms.MultipleChoiceField(
        label="Documents",
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": "Choose at least one document, or give access to everything."},
    )
    expiry = forms.ChoiceField(label="Access ends", choices=choices(PRESETS.items()), initial=DEFAULT_PRESET)
    expires_on = forms.DateField(
        label="Day on which it ends",
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
        error_messages={"required": "Say on which day."},
    )
    is_nda_required = forms.BooleanField(
        label="Ask for the NDA first", required=False, initial=True, help_text="Documents open once the person has accepted it."
    )

    def __init__(self, access_request: AccessRequest, data: Any = None) -> None:
        asked = access_request.requested_resources or []
        initial = {
            "access_level": access_request.access_level if access_request.access_level in LEVELS else PARTIAL,
            "resources": asked,
        }
        super().__init__(data, initial=initial, prefix="approve")
        self.fields["resources"].choices = choosable_resources(asked)  # type: ignore[attr-defined]
        if self.is_bound:
            self.fields["resources"].required = self["access_level"].value() == PARTIAL
            self.fields["expires_on"].required = self["expiry"].value() == ON_A_DAY

    def clean_expires_on(self) -> date | None:
        day: date | None = self.cleaned_data["expires_on"]
        if day and self.fields["expires_on"].required and day <= timezone.localdate():
            raise forms.ValidationError("Choose a day after today.")
        return day

    def terms(self) -> Terms:
        """What was chosen, as the service takes it."""
        level = self.cleaned_data["access_level"]
        return Terms(
            access_level=level,
            resource_ids=() if level == FULL else tuple(self.cleaned_data["resources"]),
            expires_at=self._expires_at(),
            is_nda_required=self.cleaned_data["is_nda_required"],
        )

    def _expires_at(self) -> datetime | None:
        """Access ends with the last minute of a day where the person is who decides."""
        expiry = self.cleaned_data["expiry"]
        if expiry == NEVER:
            return None
        day = self.cleaned_data["expires_on"] if expiry == ON_A_DAY else timezone.localdate() + timedelta(days=int(expiry))
        return timezone.make_aware(datetime.combine(day, time(23, 59)))


class DenialForm(forms.Form):
    """Why not. The platform sends the reason to the person."""

    use_required_attribute = False

    canned = forms.ChoiceField(
        label="Reason", choices=choices([*((each, each) for each in REASONS), (OWN, "In your own words")])
    )
    words = forms.CharField(
        label="Your words",
        max_length=LONGEST_REASON,
        strip=True,
        widget=forms.Textarea(attrs={"rows": 3}),
        error_messages={"required": "Write a reason or choose one: the person is told."},
    )

    def __init__(self, data: Any = None) -> None:
        super().__init__(data, initial={"canned": OWN}, prefix="deny")
        if self.is_bound:
            self.fields["words"].required = self["canned"].value() == OWN

    @property
    def reason(self) -> str:
        canned: str = self.cleaned_data["canned"]
        return str(self.cleaned_data["words"]) if canned == OWN else canned
