from typing import Any

from django import forms

from portal.access_requests.documents import choosable_resources
from portal.access_requests.expiry import ExpiryForm, choices
from portal.access_requests.models import FULL, LEVELS, PARTIAL, AccessRequest, DeskSettings
from portal.access_requests.services import Terms

OWN = "own"
"""A choice that the style sheet knows too: it shows the field that belongs to it."""
MAX_REASON_LENGTH = 1000
REASONS = (
    "Please request access again from your business email address.",
    "We don't currently have a relationship with your company.",
    "Please ask your contact in our sales team to vouch for you first.",
    "Someone at your company already has access and can share the documents.",
)


class ApprovalForm(ExpiryForm):
    """What a person gets. Everything is preset to what was asked for, and all of it is sent."""

    field_order = ("access_level", "resources", "expiry", "expires_on", "is_nda_required")

    access_level = forms.ChoiceField(label="Access to", choices=choices(LEVELS.items()), widget=forms.RadioSelect)
    resources = forms.MultipleChoiceField(
        label="Documents",
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": "Choose at least one document, or give access to everything."},
    )
    is_nda_required = forms.BooleanField(
        label="Ask this person for the NDA first",
        required=False,
        initial=True,
        help_text="Documents unlock once the person accepts it.",
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

    def terms(self) -> Terms:
        """What was chosen, as the service takes it."""
        level = self.cleaned_data["access_level"]
        return Terms(
            access_level=level,
            resource_ids=() if level == FULL else tuple(self.cleaned_data["resources"]),
            expires_at=self.expires_at,
            is_nda_required=self.cleaned_data["is_nda_required"],
        )


class DenialForm(forms.Form):
    """Why not. The platform sends the reason to the person."""

    use_required_attribute = False

    canned = forms.ChoiceField(label="Reason", choices=choices([*((each, each) for each in REASONS), (OWN, "Other reason")]))
    words = forms.CharField(
        label="Your message",
        max_length=MAX_REASON_LENGTH,
        strip=True,
        widget=forms.Textarea(attrs={"rows": 3}),
        error_messages={"required": "Enter or choose a reason. It's sent to the person."},
    )

    def __init__(self, data: Any = None) -> None:
        super().__init__(data, initial={"canned": OWN}, prefix="deny")
        if self.is_bound:
            self.fields["words"].required = self["canned"].value() == OWN

    @property
    def reason(self) -> str:
        canned: str = self.cleaned_data["canned"]
        return str(self.cleaned_data["words"]) if canned == OWN else canned


class RejectionForm(forms.Form):
    """Why the second approval is not given. Only the first approver sees it."""

    use_required_attribute = False

    words = forms.CharField(
        label="Reason for rejecting it",
        max_length=300,
        strip=True,
        widget=forms.Textarea(attrs={"rows": 2}),
        error_messages={"required": "Enter a reason. The first approver will see it."},
    )

    def __init__(self, data: Any = None) -> None:
        super().__init__(data, prefix="reject")


class DeskSettingsForm(forms.Form):
    """Whether approvals need a second approval, and how long a request may wait."""

    use_required_attribute = False

    needs_two_for_approval = forms.BooleanField(
        label="Require second approval",
        required=False,
        help_text="An approval waits until another approver confirms it. A denial needs only one person.",
    )
    deadline_hours = forms.IntegerField(
        label="Deadline in office hours",
        required=False,
        min_value=1,
        max_value=2000,
        help_text="Leave empty for no deadline.",
    )

    def __init__(self, data: Any = None, *, settings: DeskSettings | None = None) -> None:
        names = ("needs_two_for_approval", "deadline_hours")
        super().__init__(data, initial={name: getattr(settings, name) for name in names} if settings else None)
