from datetime import date, datetime, time, timedelta
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.utils import timezone
from django.utils.dateparse import parse_datetime

from portal.engagements.models import Engagement, EngagementControl
from portal.engagements.models.choices import ASSESSMENTS, CADENCES, DOMAINS, RECURRENCES, REMINDERS, REQUEST_TYPES
from portal.engagements.models.engagements import MAX_NAME_LENGTH
from portal.engagements.services import NewAudit, NewControl, NewEvidenceRequest, NewRequest
from portal.lib.platform_choices import labels_of, readable
from portal.lib.storable import storable_text
from portal.ui.platform_forms import PlatformForm
from portal.ui.stored_lines import StoredLines

MAX_TEXT_LENGTH = 5000
BEGIN_OF_DAY, END_OF_DAY = time(), time(23, 59)
FORM_HOLDS = timedelta(days=1)
"""So long a form tells when it was opened; an older one counts as opened now."""


class CommentForm(forms.Form):
    """A comment. It carries when it was opened, so that sending it again after a lost answer makes no second one."""

    use_required_attribute = False
    bound_field_class = StoredLines

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
    bound_field_class = StoredLines

    reason = forms.CharField(
        label="Reason",
        max_length=MAX_TEXT_LENGTH,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text="The customer can read it on the platform.",
    )

    def clean_reason(self) -> str:
        return storable_text(str(self.cleaned_data["reason"]))


class AssessmentForm(forms.Form):
    """What the firm holds of a control in one segment, and why. It carries which assessment it was drawn with."""

    use_required_attribute = False
    bound_field_class = StoredLines

    segment = forms.CharField(max_length=512, widget=forms.HiddenInput)
    seen = forms.CharField(required=False, max_length=64, widget=forms.HiddenInput)
    state = forms.ChoiceField(label="Assessment")
    justification = forms.CharField(label="Justification", max_length=MAX_TEXT_LENGTH, widget=forms.Textarea(attrs={"rows": 4}))

    def __init__(
        self, data: Any = None, *, segment: str = "", seen: str = "", state: str = "", justification: str = "", key: str
    ) -> None:
        initial = {"segment": segment, "seen": seen, "state": state, "justification": justification}
        super().__init__(data, initial=initial, auto_id=f"assess_{key}_%s")
        # An assessment that nobody here knows stays chosen: to save why must not change it.
        self.fields["state"].choices = [*labels_of(ASSESSMENTS, [state]).items()]  # type: ignore[attr-defined]

    def see(self, version: str) -> None:
        """Carry the present assessment from now on: sending the form again means to replace that."""
        self.data = {**dict(self.data.items()), "seen": version}

    def clean_justification(self) -> str:
        return storable_text(str(self.cleaned_data["justification"]))


def line(label: str, **options: Any) -> forms.CharField:
    widget = forms.TextInput(attrs={"autocomplete": "off"})
    return forms.CharField(label=label, max_length=MAX_NAME_LENGTH, widget=widget, **options)


def words(label: str, **options: Any) -> forms.CharField:
    return forms.CharField(label=label, max_length=MAX_TEXT_LENGTH, widget=forms.Textarea(attrs={"rows": 4}), **options)


def day(label: str, **options: Any) -> forms.DateField:
    return forms.DateField(label=label, widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"), **options)


def moment(chosen: date, at: time) -> datetime:
    """Return a moment of a day, in the zone of whoever chose it."""
    return timezone.make_aware(datetime.combine(chosen, at))


class AddingForm(PlatformForm):
    """Something new for an audit. What is typed is kept as it can be stored."""

    def __init__(self, data: Any = None, *, engagement: Engagement) -> None:
        super().__init__(data)
        if "controls" in self.fields:
            found = EngagementControl.objects.filter(engagement=engagement).defer("payload")
            self.fields["controls"].choices = [(row.platform_id, str(row)) for row in found]  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        return {name: storable_text(value) if isinstance(value, str) else value for name, value in cleaned.items()}


class NewRequestForm(AddingForm):
    """A new information request."""

    field_of = {
        "uniqueId": "unique_id",
        "title": "title",
        "requestType": "type",
        "description": "description",
        "cadence": "cadence",
        "dueDate": "due_on",
        "additionalControlIds": "controls",
    }

    unique_id = line("Number", help_text="Your firm's own number, such as IR-12. It must be unique in the audit.")
    title = line("Request")
    type = forms.ChoiceField(label="Type", choices=[*REQUEST_TYPES.items()])
    description = words("Description", required=False)
    due_on = day("Due", required=False)
    cadence = forms.ChoiceField(label="Repeats", required=False, choices=[("", "Once"), *CADENCES.items()])
    controls = forms.MultipleChoiceField(label="Controls", required=False, widget=forms.CheckboxSelectMultiple)

    @property
    def new(self) -> NewRequest:
        said = self.cleaned_data
        return NewRequest(
            unique_id=said["unique_id"],
            title=said["title"],
            type=said["type"],
            description=said["description"],
            cadence=said["cadence"],
            due_at=moment(said["due_on"], END_OF_DAY) if said["due_on"] else None,
            control_ids=tuple(said["controls"]),
        )


class NewEvidenceRequestForm(AddingForm):
    """A request for evidence that the audit does not have."""

    field_of = {
        "title": "title",
        "description": "description",
        "cadence": "cadence",
        "reminderWindow": "reminder",
        "isRestricted": "is_restricted",
        "controlIds": "controls",
    }

    title = line("Evidence", help_text="The customer sees this name. It must be unique in the audit.")
    description = words("Description", help_text="What the customer should show, and for which period.")
    cadence = forms.ChoiceField(label="Repeats", choices=[*RECURRENCES.items()])
    reminder = forms.ChoiceField(label="Reminder", choices=[*REMINDERS.items()], initial="P1W")
    is_restricted = forms.BooleanField(label="Only people who can see restricted documents may open it", required=False)
    controls = forms.MultipleChoiceField(
        label="Controls",
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": "Choose at least one control that the evidence is for."},
    )

    @property
    def new(self) -> NewEvidenceRequest:
        said = self.cleaned_data
        return NewEvidenceRequest(
            title=said["title"],
            description=said["description"],
            cadence=said["cadence"],
            reminder=said["reminder"],
            is_restricted=said["is_restricted"],
            control_ids=tuple(said["controls"]),
        )


class NewControlForm(AddingForm):
    """A control of the audit's own."""

    field_of = {
        "externalId": "external_id",
        "name": "name",
        "description": "description",
        "effectiveDate": "effective_on",
        "category": "domain",
    }

    external_id = line("Number", help_text="Your firm's own number, such as C-7. It must be unique in the audit.")
    name = line("Control")
    description = words("Description")
    domain = forms.ChoiceField(label="Domain", choices=[(key, readable(key)) for key in DOMAINS])
    effective_on = day("In effect since", initial=timezone.localdate)

    @property
    def new(self) -> NewControl:
        said = self.cleaned_data
        return NewControl(
            external_id=said["external_id"],
            name=said["name"],
            description=said["description"],
            domain=said["domain"],
            effective_at=moment(said["effective_on"], BEGIN_OF_DAY),
        )


class DuplicateForm(AddingForm):
    """A copy of an audit: the next one with the same customer."""

    field_of = {
        "displayName": "name",
        "auditStartDate": "starts_on",
        "auditEndDate": "ends_on",
        "earlyAccessStartsAt": "early_access_on",
        "allowAuditorEmails": "auditors",
    }

    name = line("Name", help_text="It must differ from the names of your other audits.")
    starts_on = day("Window starts")
    ends_on = day("Window ends")
    early_access_on = day("Early access from", help_text="From this date, your auditors can look around.")
    auditors = forms.CharField(
        label="Auditors",
        required=False,
        max_length=MAX_TEXT_LENGTH,
        widget=forms.Textarea(attrs={"rows": 3, "spellcheck": "false", "autocapitalize": "none"}),
        help_text="Email addresses of your firm's auditors who may work in it, one per line.",
    )

    def __init__(self, data: Any = None, *, engagement: Engagement, auditors: list[str]) -> None:
        super().__init__(data, engagement=engagement)
        self.initial["auditors"] = "\n".join(auditors)

    def clean_auditors(self) -> tuple[str, ...]:
        found = tuple(dict.fromkeys(self.cleaned_data["auditors"].replace(",", " ").split()))
        for address in found:
            try:
                validate_email(address)
            except ValidationError as error:
                raise ValidationError(f"“{address[:100]}” is not an email address.") from error
        return found

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        starts, ends, early = (cleaned.get(name) for name in ("starts_on", "ends_on", "early_access_on"))
        if starts and ends and ends < starts:
            self.add_error("ends_on", "The window ends before it starts.")
        if early and ends and early > ends:
            self.add_error("early_access_on", "This is after the window.")
        return cleaned

    @property
    def new(self) -> NewAudit:
        said = self.cleaned_data
        return NewAudit(
            name=said["name"],
            starts_at=moment(said["starts_on"], BEGIN_OF_DAY),
            ends_at=moment(said["ends_on"], END_OF_DAY),
            early_access_at=moment(said["early_access_on"], BEGIN_OF_DAY),
            auditors=said["auditors"],
        )
