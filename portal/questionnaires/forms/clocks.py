"""The forms about targets: what they are for, how long they give, when they are warned of; and a questionnaire's priority."""

from typing import Any

from django import forms

from portal.questionnaires.clock_selectors import LABEL, condition_choices
from portal.questionnaires.models import ACCOUNT, Label, Priority, TargetKind
from portal.questionnaires.services import Condition

MAX_HOURS = 9999


def hours_field() -> forms.IntegerField:
    return forms.IntegerField(
        label="Office hours", min_value=1, max_value=MAX_HOURS, error_messages={"required": "Enter a number of office hours."}
    )


class PriorityForm(forms.Form):
    """How urgent a questionnaire is."""

    priority = forms.TypedChoiceField(label="Priority", coerce=lambda value: Priority(int(value)), choices=Priority.choices)


class TargetHoursForm(forms.Form):
    """How long a target gives."""

    hours = hours_field()


class TargetForm(forms.Form):
    """A new target: whom it is for, and how long it gives."""

    condition = forms.ChoiceField(label="For")
    hours = hours_field()

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["condition"].choices = [("", "Choose what it is for"), *condition_choices()]  # type: ignore[attr-defined]
        self.fields["hours"].help_text = "From the day it came in until it is done. Time on hold does not count."

    def clean_condition(self) -> Condition:
        kind, _, key = self.cleaned_data["condition"].partition(":")
        if kind == LABEL:
            label = Label.objects.filter(pk=int(key)).first()
            if label is None:
                raise forms.ValidationError("The platform no longer has this. Choose another one.")
            if label.kind == ACCOUNT:
                return Condition(TargetKind.ACCOUNT, account_id=label.platform_id, name=label.name)
            return Condition(TargetKind.TAG, category_id=label.category_id, tag_id=label.platform_id, name=label.name)
        return Condition(kind, priority=int(key)) if kind == TargetKind.PRIORITY else Condition(kind)


class WarningForm(forms.Form):
    """When a target is warned of."""

    percent = forms.TypedChoiceField(
        label="Warn when",
        coerce=int,
        choices=[(percent, f"{percent}% of its office time is left") for percent in (10, 25, 50)],
    )
