"""What is known of an incident."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django import forms
from django.utils import timezone

from portal.commitments.data_kinds import DataKind
from portal.incidents.customer_matching import MAX_LINES, Unknown, lines_of, recognise, written
from portal.incidents.forms.fields import MomentField, past_moment, text_field
from portal.incidents.models import DraftTemplate, Incident
from portal.incidents.services import IncidentFacts
from portal.lib.storable import storable_text
from portal.tenants.models import Membership, Role

MAX_NOTES_LENGTH = 20_000
ALL, CHOSEN = "all", "chosen"


class WantedForSome(forms.Textarea):
    """Browsers do not ask for it: it is hidden while it does not count."""

    def use_required_attribute(self, initial: Any) -> bool:
        return False


class NamesField(forms.CharField):
    """Customers, where not all are meant; the form says when they are missing."""

    widget = WantedForSome(attrs={"rows": 5})

    def validate(self, value: Any) -> None:
        """Accept an empty answer."""


class IncidentForm(forms.Form):
    """What is known of an incident."""

    name = forms.CharField(
        label="Name",
        max_length=200,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
        help_text="Internal. Drafts to customers do not use it.",
    )
    public_title = forms.CharField(
        label="Title for customers",
        required=False,
        max_length=200,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
        help_text="What drafts call the incident. If empty, “security incident”.",
    )
    noticed_at = MomentField(label="Noticed", help_text="Every deadline counts from this moment.")
    kinds = forms.MultipleChoiceField(
        label="Kinds of data",
        choices=DataKind.choices,
        widget=forms.CheckboxSelectMultiple,
        help_text="Promises about other data don't apply. As long as it's not known, all promises apply.",
    )
    whom = forms.ChoiceField(
        label="Affects",
        choices=[(ALL, "All customers"), (CHOSEN, "Only those named below")],
        widget=forms.RadioSelect,
        initial=ALL,
    )
    customers = NamesField(
        label="Customers",
        help_text="Names or email domains, one per line. Part of a name is enough; we'll ask which customer you mean.",
    )
    meant = forms.MultipleChoiceField(label="Did you mean", required=False, widget=forms.CheckboxSelectMultiple)
    leave_out = forms.BooleanField(label="Continue without the lines that weren't recognized", required=False)
    notes = text_field("Notes", required=False, max_length=MAX_NOTES_LENGTH, help_text="For the team. Kept with the incident.")
    template: "forms.ModelChoiceField[DraftTemplate]" = forms.ModelChoiceField(
        label="Template for drafts", queryset=None, required=False, empty_label="First template"
    )
    responders = forms.TypedMultipleChoiceField(
        label="Who gets an email when a deadline is near",
        coerce=int,
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text="If you choose no one, the admins do.",
    )
    seen = forms.IntegerField(widget=forms.HiddenInput, required=False)

    unknown: tuple[Unknown, ...] = ()
    """Lines that name no customer for certain."""

    def __init__(self, data: Any = None, *, member: Membership, incident: Incident | None = None) -> None:
        self.incident = incident
        super().__init__(data, initial=_facts_of(incident) if incident else {"responders": [member.user_id], "kinds": ["any"]})
        members = Membership.objects.who_may(Role.ANALYST).select_related("user")
        people = [(each.user_id, str(each.user)) for each in members.order_by("user__name", "pk")]
        self.fields["responders"].choices = people  # type: ignore[attr-defined]
        self.fields["template"].queryset = DraftTemplate.objects.all()  # type: ignore[attr-defined]
        if incident is None:
            self.initial["noticed_at"] = timezone.now()
        # Whatever is ticked is looked up; what names no customer falls out again.
        self.fields["meant"].choices = [(each, each) for each in self._ticked]  # type: ignore[attr-defined]

    @property
    def _ticked(self) -> list[str]:
        return list(self.data.getlist("meant"))[:MAX_LINES] if hasattr(self.data, "getlist") else []

    def clean_name(self) -> str:
        return " ".join(storable_text(self.cleaned_data["name"]).split())

    def clean_public_title(self) -> str:
        return " ".join(storable_text(self.cleaned_data["public_title"]).split())

    def clean_notes(self) -> str:
        return storable_text(self.cleaned_data["notes"])

    def clean_noticed_at(self) -> datetime:
        return past_moment(self.cleaned_data["noticed_at"])

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if cleaned.get("whom") == CHOSEN:
            cleaned["account_ids"] = self._chosen(cleaned)
        return cleaned

    def _chosen(self, cleaned: Mapping[str, Any]) -> list[str]:
        lines = lines_of(storable_text(cleaned.get("customers", "")))
        if len(lines) > MAX_LINES:
            self.add_error("customers", f"You can name at most {MAX_LINES:,} customers. Choose all customers instead.")
            return []
        found, meant = recognise(lines), recognise(cleaned.get("meant", [])).account_ids
        # A line of which one was ticked is settled.
        settled = set(meant)
        self.unknown = tuple(each for each in found.unknown if not settled & {row.platform_id for row in each.offered})
        if self.unknown and not cleaned.get("leave_out"):
            number = len(self.unknown)
            words = "One line does not" if number == 1 else f"{number} lines do not"
            self.add_error(
                "customers", f"{words} clearly match a customer. See below, or correct {'it' if number == 1 else 'them'}."
            )
        chosen = list(dict.fromkeys([*found.account_ids, *meant]))
        if not chosen and not self.unknown:
            self.add_error("customers", "Name at least one customer, or choose all customers.")
        elif not chosen and cleaned.get("leave_out"):
            self.add_error("customers", "None of the lines matches a customer.")
        return chosen

    def facts(self) -> IncidentFacts:
        typed = self.cleaned_data
        return IncidentFacts(
            name=typed["name"],
            public_title=typed["public_title"],
            noticed_at=typed["noticed_at"],
            kinds=typed["kinds"],
            concerns_all=typed["whom"] == ALL,
            account_ids=typed.get("account_ids", ()),
            notes=typed["notes"],
            template=typed["template"],
            responders=typed["responders"],
        )


def _facts_of(incident: Incident) -> dict[str, Any]:
    return {
        "name": incident.name,
        "public_title": incident.public_title,
        "noticed_at": incident.noticed_at,
        "kinds": incident.kinds,
        "whom": ALL if incident.concerns_all else CHOSEN,
        "customers": written(incident.account_ids),
        "notes": incident.notes,
        "template": incident.template_id,
        "responders": list(incident.responders.values_list("user_id", flat=True)),
        "seen": incident.version,
    }
