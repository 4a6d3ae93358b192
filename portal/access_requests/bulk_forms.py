from typing import Any

from django import forms

from portal.access_requests.expiry import DEFAULT_PRESET, ON_A_DAY, PRESETS, choices, end_of_preset
from portal.access_requests.forms import DenialForm
from portal.access_requests.models import FULL, Verb
from portal.access_requests.services import Terms
from portal.access_requests.services.bulk import BulkChoice


class BulkApprovalForm(forms.Form):
    """The terms that many approvals have in common; each request gets the level and the documents that it asked for."""

    expiry = forms.ChoiceField(
        label="Access ends",
        choices=choices((key, label) for key, label in PRESETS.items() if key != ON_A_DAY),
        initial=DEFAULT_PRESET,
    )
    is_nda_required = forms.BooleanField(label="Ask each person for the NDA first", required=False, initial=True)

    def choice(self) -> BulkChoice:
        expires_at = end_of_preset(self.cleaned_data["expiry"])
        terms = Terms(access_level=FULL, expires_at=expires_at, is_nda_required=self.cleaned_data["is_nda_required"])
        return BulkChoice(verb=Verb.APPROVE, terms=terms)


class BulkDenialForm(DenialForm):
    """One reason for all; each person is told."""

    def choice(self) -> BulkChoice:
        return BulkChoice(verb=Verb.DENY, reason=self.reason)


def bulk_form(verb: str, data: Any = None) -> BulkApprovalForm | BulkDenialForm:
    return BulkApprovalForm(data, prefix="approve") if verb == Verb.APPROVE else BulkDenialForm(data)
