"""What became of a customer, and remarks."""

from datetime import datetime
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils import timezone

from portal.incidents.forms.fields import MomentField, past_moment, text_field
from portal.incidents.models import Channel, Incident
from portal.incidents.services import Telling
from portal.lib.storable import storable_text

MAX_NOTE_LENGTH, MAX_REMARK_LENGTH = 500, 2_000


class TellForm(forms.Form):
    """That customers were told."""

    told_at = MomentField(label="Notified", help_text="When the message was sent.")
    way = forms.ChoiceField(label="Channel", choices=Channel.choices)
    note = text_field("Note", rows=2, required=False, max_length=MAX_NOTE_LENGTH, help_text="Who you spoke to, or a ticket.")

    def __init__(self, data: Any = None, *, incident: Incident) -> None:
        super().__init__(data, initial={"told_at": timezone.now()})
        self.incident = incident

    def clean_told_at(self) -> datetime:
        at = past_moment(self.cleaned_data["told_at"])
        # What is typed has no seconds.
        if at < self.incident.noticed_at.replace(second=0, microsecond=0):
            raise ValidationError("This is before the incident was noticed.")
        return at

    def clean_note(self) -> str:
        return storable_text(self.cleaned_data["note"])

    def telling(self) -> Telling:
        return Telling(**self.cleaned_data)


class ReasonForm(forms.Form):
    """Why."""

    note = text_field("Why", rows=2, max_length=MAX_NOTE_LENGTH)

    def clean_note(self) -> str:
        return storable_text(self.cleaned_data["note"])


class TakeBackForm(ReasonForm):
    """Why something is taken back, and what it was that was looked at."""

    note = text_field("Why", rows=2, max_length=MAX_NOTE_LENGTH, required=False)
    seen = forms.CharField(widget=forms.HiddenInput)


class RemarkForm(ReasonForm):
    """Something for the log."""

    note = text_field("Remark", rows=2, max_length=MAX_REMARK_LENGTH)


class CloseForm(ReasonForm):
    """A last word. Needed when somebody is left who was not told."""

    note = text_field("Why it can be closed", rows=2, max_length=MAX_REMARK_LENGTH)

    def __init__(self, data: Any = None, *, has_left: bool) -> None:
        super().__init__(data)
        self.fields["note"].required = has_left
