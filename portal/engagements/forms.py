from datetime import datetime, timedelta
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.dateparse import parse_datetime

from portal.engagements.models.words import ASSESSMENTS
from portal.lib.storable import storable_text

MAX_TEXT_LENGTH = 5000
FORM_HOLDS = timedelta(days=1)
"""So long a form tells when it was opened; an older one counts as opened now."""


class CommentForm(forms.Form):
    """A comment. It carries when it was opened, so that sending it again after a lost answer makes no second one."""

    use_required_attribute = False

    text = forms.CharField(label="Comment", max_length=MAX_TEXT_LENGTH, widget=forms.Textarea(attrs={"rows": 3}))
    written_at = forms.CharField(required=False, max_length=40, widget=forms.HiddenInput)

    def __init__(self, data: Any = None, *, text: str = "", key: str = "new") -> None:
        opened = timezone.now().isoformat(timespec="milliseconds")
        super().__init__(data, initial={"text": text, "written_at": opened}, auto_id=f"comment_{key}_%s")

    def clean_text(self) -> str:
        return storable_text(str(self.cleaned_data["text"]))

    def clean_written_at(self) -> datetime:
        now = timezone.now()
        try:
            at = parse_datetime(self.cleaned_data["written_at"])
        except ValueError:
            at = None
        is_usable = at is not None and timezone.is_aware(at) and now - FORM_HOLDS < at <= now
        at = at if at is not None and is_usable else now
        # The platform keeps milliseconds (platform-api 1.2).
        return at.replace(microsecond=at.microsecond // 1000 * 1000)


class FlagForm(forms.Form):
    """Why a request is flagged: the customer reads it."""

    use_required_attribute = False

    reason = forms.CharField(
        label="Reason",
        max_length=MAX_TEXT_LENGTH,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text="The customer reads it on the platform.",
    )

    def clean_reason(self) -> str:
        return storable_text(str(self.cleaned_data["reason"]))


class AssessmentForm(forms.Form):
    """What the firm holds of a control in one segment, and why."""

    use_required_attribute = False

    segment = forms.CharField(max_length=512, widget=forms.HiddenInput)
    state = forms.ChoiceField(label="Assessment", choices=[(key, label) for key, (label, _) in ASSESSMENTS.items()])
    justification = forms.CharField(label="Justification", max_length=MAX_TEXT_LENGTH, widget=forms.Textarea(attrs={"rows": 4}))

    def __init__(
        self, data: Any = None, *, segment: str = "", state: str = "", justification: str = "", key: str = "0"
    ) -> None:
        initial = {"segment": segment, "state": state, "justification": justification}
        super().__init__(data, initial=initial, auto_id=f"assess_{key}_%s")

    def clean_justification(self) -> str:
        return storable_text(str(self.cleaned_data["justification"]))
