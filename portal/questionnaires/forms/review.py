"""What a reviewer sends: a verdict, what it was about, and the reason of a return."""

from typing import Any

from django import forms

from portal.questionnaires.models import MAX_REASON_LENGTH, Verdict


class VerdictForm(forms.Form):
    """A verdict on one answer; whoever returns it says why."""

    seen = forms.CharField(widget=forms.HiddenInput, max_length=200, required=False)
    verdict = forms.ChoiceField(choices=Verdict, widget=forms.HiddenInput)
    reason = forms.CharField(
        label="What needs to change?",
        max_length=MAX_REASON_LENGTH,
        error_messages={"required": "Say what needs to change."},
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text="The person answering sees it next to the answer.",
    )

    def __init__(self, data: Any = None) -> None:
        super().__init__(data, auto_id="verdict-%s")
        self.fields["reason"].required = self.data.get("verdict") != Verdict.APPROVED


class RulesForm(forms.Form):
    """How a tenant wants its questionnaires worked on."""

    four_eyes = forms.BooleanField(
        label="Four eyes",
        required=False,
        help_text="You can't approve an answer that you were the last to save, or a questionnaire that you handed "
        "over. Questionnaires then have to be handed over before they can be approved.",
    )
