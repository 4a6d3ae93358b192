"""Whom a question is put to: somebody on the platform, or somebody without a login."""

from datetime import datetime
from typing import Any

from django import forms

from portal.questionnaires.changes import Action, Change
from portal.questionnaires.expert_requests import teams_of
from portal.questionnaires.filters import NOBODY
from portal.questionnaires.forms.steps import MAX_PEOPLE, end_of
from portal.questionnaires.models import AssignableUser, Questionnaire
from portal.questionnaires.services import Expert
from portal.tenants.personal_data import fold

USER, TEAM = "User", "Team"
LIVES = [(3, "3 days"), (7, "a week"), (14, "two weeks"), (30, "30 days")]


class QuestionForm(forms.Form):
    """What goes with a question, whoever gets it."""

    note = forms.CharField(
        label="Note",
        required=False,
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text="What they need to know to answer. It stays in the portal.",
    )
    due_on = forms.DateField(
        label="Due",
        required=False,
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
        help_text="Before the questionnaire's own due date. The portal reminds them the day before, and then once a day.",
    )

    @property
    def due_at(self) -> datetime | None:
        return end_of(self.cleaned_data["due_on"])


class AssignQuestionsForm(QuestionForm):
    """Somebody on the platform."""

    field_order = ["owner", "note", "due_on"]

    def __init__(self, *args: Any, questionnaire: Questionnaire, **options: Any) -> None:
        super().__init__(*args, **options)
        listed = AssignableUser.objects.owners().values_list("platform_id", "name")[:MAX_PEOPLE]
        people = {f"{USER}:{key}": name for key, name in listed}
        teams = {f"{TEAM}:{key}": f"{name} (team)" for key, name in teams_of(questionnaire)}
        self.names = people | teams
        choices = [("", "Choose a person or team"), *self.names.items(), (NOBODY, "Unassigned")]
        help_text = "People the platform lists, and teams that already own something in this questionnaire."
        self.fields["owner"] = forms.ChoiceField(label="Owner", choices=choices, help_text=help_text)
        self.fields["due_on"].help_text = "Before the questionnaire's own due date. The portal reminds owners who are members."
        self.order_fields(self.field_order)

    def change(self) -> Change:
        owner, said = self.cleaned_data["owner"], {"note": self.cleaned_data["note"], "due_at": self.due_at}
        if owner == NOBODY:
            return Change(action=Action.ASSIGN_QUESTIONS)
        kind, owner_id = owner.split(":", 1)
        name = self.names[owner].removesuffix(" (team)") if kind == TEAM else self.names[owner]
        return Change(action=Action.ASSIGN_QUESTIONS, owner_type=kind, owner_id=owner_id, owner_name=name, **said)


class ExpertForm(QuestionForm):
    """Somebody without a login."""

    field_order = ["email", "name", "note", "due_on", "days"]

    email = forms.EmailField(label="Email", max_length=254)
    name = forms.CharField(label="Name", required=False, max_length=120)
    days = forms.TypedChoiceField(label="Link expires after", choices=LIVES, coerce=int, initial=14)

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["note"].help_text = "What they need to know to answer. Shown in the email and next to the question."

    def clean_email(self) -> str:
        return fold(self.cleaned_data["email"])

    def expert(self) -> Expert:
        said = {name: self.cleaned_data[name] for name in ("email", "name", "note", "days")}
        return Expert(due_at=self.due_at, **said)
