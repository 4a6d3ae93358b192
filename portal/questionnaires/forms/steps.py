"""The small forms of the desk: a step with one questionnaire, a change of many, a view to keep."""

from datetime import date, datetime, time
from typing import Any

from django import forms
from django.utils import timezone

from portal.questionnaires.changes import Action, Change
from portal.questionnaires.filters import NOBODY
from portal.questionnaires.models import AssignableUser
from portal.questionnaires.services import taking
from portal.questionnaires.stages import SETTABLE
from portal.tenants.models import Membership

MAX_PEOPLE = 2000
WHO_CAN_OWN = "People the platform allows to own questionnaires."
WHO_CAN_APPROVE = "People the platform allows to approve questionnaires. The approver is set on the platform, too."
NOT_READ_YET = "The list of people has not been read from the platform yet. Try again in a moment."
END_OF_DAY = time(23, 59)


class StatusForm(forms.Form):
    """Which of the statuses that people may set comes next."""

    status = forms.ChoiceField(choices=list(SETTABLE.items()), label="Status")


class ApprovalForm(forms.Form):
    """The word that goes with an approval."""

    message = forms.CharField(
        label="Note",
        required=False,
        max_length=1000,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text="Shown in the platform's history of this questionnaire.",
    )


class CompletionForm(forms.Form):
    """What becomes of the answers once a questionnaire is complete."""

    keep_answers = forms.BooleanField(
        label="Keep the approved answers in the answer library",
        required=False,
        initial=True,
        help_text="The platform accepts answers in English only.",
    )


class ChangeForm(forms.Form):
    """What an action needs to know besides the questionnaires: nothing."""

    action: Action

    def change(self, member: Membership) -> Change:
        """Raises NotAllowed."""
        return Change(action=self.action)


class TakeForm(ChangeForm):
    action = Action.TAKE

    def change(self, member: Membership) -> Change:
        return taking(member)


class HoldForm(ChangeForm):
    action = Action.HOLD


class NotOursForm(ChangeForm):
    action = Action.NOT_OURS


class AssignForm(ChangeForm):
    """Who owns it from now on."""

    action = Action.ASSIGN

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.people = dict(AssignableUser.objects.owners().values_list("platform_id", "name")[:MAX_PEOPLE])
        choices = [("", "Choose a person"), *self.people.items(), (NOBODY, "Unassigned")]
        self.fields["owner"] = forms.ChoiceField(label="Owner", choices=choices, help_text=WHO_CAN_OWN)

    def change(self, member: Membership) -> Change:
        owner_id = self.cleaned_data["owner"]
        if owner_id == NOBODY:
            return Change(action=self.action)
        return Change(action=self.action, owner_id=owner_id, owner_name=self.people[owner_id])


class ApproverForm(ChangeForm):
    """Who is to approve it."""

    action = Action.APPROVER

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.people = dict(AssignableUser.objects.approvers().values_list("platform_id", "name")[:MAX_PEOPLE])
        choices = [("", "Choose a person"), *self.people.items(), (NOBODY, "Unassigned")]
        help_text = WHO_CAN_APPROVE if self.people else NOT_READ_YET
        self.fields["approver"] = forms.ChoiceField(label="Approver", choices=choices, help_text=help_text)

    def change(self, member: Membership) -> Change:
        approver_id = self.cleaned_data["approver"]
        if approver_id == NOBODY:
            return Change(action=self.action)
        return Change(action=self.action, owner_id=approver_id, owner_name=self.people[approver_id])


class DueForm(ChangeForm):
    """Until when."""

    action = Action.DUE
    due_on = forms.DateField(
        label="Due date",
        required=False,
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
        help_text="At the end of that day. Leave empty for no due date.",
    )

    def change(self, member: Membership) -> Change:
        return Change(action=self.action, due_at=end_of(self.cleaned_data["due_on"]))


def end_of(day: date | None) -> datetime | None:
    """The last minute of a day, in the reader's zone."""
    return timezone.make_aware(datetime.combine(day, END_OF_DAY)) if day else None


CHANGE_FORMS: dict[str, type[ChangeForm]] = {
    form.action: form for form in (TakeForm, AssignForm, ApproverForm, DueForm, HoldForm, NotOursForm)
}
