from typing import Any

from django import forms

from portal.lib.platform_choices import labels_of, pill_of
from portal.lib.storable import storable_text
from portal.platform_api.models import vendors as remote
from portal.ui.platform_forms import PlatformForm
from portal.vendors.models import Part, Vendor
from portal.vendors.models.choices import ACCEPT, NONE, OPEN, REMEDIATIONS, RISK_STATUSES, STATUSES
from portal.vendors.services import FindingText
from portal.vendors.services.findings import text_of

MAX_CONTENT_LENGTH, MAX_NOTES_LENGTH = 5000, 2000


class StatusForm(forms.Form):
    """The status that a vendor is to have."""

    use_required_attribute = False

    status = forms.ChoiceField(label="Status", choices=[*labels_of(STATUSES).items()])

    def __init__(self, data: Any = None, *, vendor: Vendor) -> None:
        super().__init__(data, initial={"status": vendor.status})


class FindingForm(PlatformForm):
    """What a finding says. Accepting a risk is offered to those who may decide it."""

    field_of = {"content": "content", "riskStatus": "risk", "remediation": "notes", "securityReviewId": "review"}

    content = forms.CharField(label="Finding", max_length=MAX_CONTENT_LENGTH, widget=forms.Textarea(attrs={"rows": 5}))
    risk = forms.ChoiceField(label="Risk")
    state = forms.ChoiceField(
        label="Remediation",
        required=False,
        choices=[*labels_of(REMEDIATIONS).items()],
        help_text="Only with “Remediate”.",
    )
    notes = forms.CharField(
        label="Required action",
        required=False,
        max_length=MAX_NOTES_LENGTH,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text="Only with “Remediate”.",
    )
    review = forms.ChoiceField(label="Security review", required=False)
    seen = forms.CharField(required=False, max_length=16, widget=forms.HiddenInput)
    """Stands for what the finding said when the form was opened."""

    def __init__(
        self, data: Any = None, *, may_accept: bool, finding: Part | None = None, reviews: list[tuple[str, str]] | None = None
    ) -> None:
        before = text_of(remote.Finding.read(finding.payload)) if finding else FindingText(content="", risk_status=NONE)
        self.version = before.version if finding else ""
        initial = {"content": before.content, "risk": before.risk_status, "state": before.state or OPEN, "notes": before.notes}
        super().__init__(data, initial=initial | {"seen": self.version})
        own = {before.risk_status: pill_of(before.risk_status, RISK_STATUSES)[0]}
        offered = {key: label for key, label in labels_of(RISK_STATUSES).items() if may_accept or key != ACCEPT}
        self.fields["risk"].choices = [*(own | offered).items()]  # type: ignore[attr-defined]
        if reviews:
            self.fields["review"].choices = [("", "No specific review"), *reviews]  # type: ignore[attr-defined]
        else:
            # A finding stays with its review: the platform takes it on creation only.
            del self.fields["review"]

    @property
    def text(self) -> FindingText:
        said = {name: storable_text(value) for name, value in self.cleaned_data.items()}
        return FindingText(content=said["content"], risk_status=said["risk"], state=said["state"], notes=said["notes"])
