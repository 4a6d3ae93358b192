from collections.abc import Mapping
from datetime import date
from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from portal.contracts.dates import DOUBTED, EARLIEST, LATEST, MAX_DAYS, MAX_MONTHS, contradiction_in, doubt_in, read_length
from portal.contracts.models import Contract, NoticeUnit, Terms
from portal.lib.storable import storable_text
from portal.tenants.models import Membership
from portal.users.models import User

MAX_OFFERED = 200
NOT_A_FIELD = ("version", "is_sure")


def _date(label: str, help_text: str = "") -> forms.DateField:
    widget = forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    return forms.DateField(label=label, required=False, widget=widget, help_text=help_text)


class TermsForm(forms.Form):
    """What people note of a contract."""

    ends_on = _date("Ends on")
    renews_on = _date("Renews on", "If it differs from the end date.")
    renews_itself = forms.BooleanField(label="Renews automatically unless someone gives notice", required=False)
    renewal_months = forms.IntegerField(
        label="Renews for", required=False, min_value=1, max_value=MAX_MONTHS, help_text="Months."
    )
    notice_number = forms.CharField(
        label="Notice period",
        required=False,
        max_length=20,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
        help_text="A number with its unit, such as 60 days or 3 months.",
    )
    notice_unit = forms.ChoiceField(label="Unit", required=False, choices=[("", "As typed, or choose"), *NoticeUnit.choices])
    owner = forms.ChoiceField(label="Owner", required=False, help_text="Gets the reminders. Without an owner, admins get them.")
    governed_by = forms.ChoiceField(label="Governing DPA", required=False, help_text="Another contract with this customer.")
    governed_by_words = forms.CharField(label="Governing DPA in words", required=False, max_length=300)
    notes = forms.CharField(label="Notes", required=False, max_length=5000, widget=forms.Textarea(attrs={"rows": 4}))
    is_sure = forms.BooleanField(label="Yes, save as entered", required=False)
    version = forms.IntegerField(widget=forms.HiddenInput)

    doubt: str = ""
    """What is unlikely in the fields: it is saved only once somebody has said that it is meant."""

    def __init__(
        self,
        data: Any = None,
        *,
        contract: Contract,
        terms: Terms,
        suggested: Mapping[str, Any] | None = None,
    ) -> None:
        initial = {name: getattr(terms, name, None) for name in self.base_fields} | {"owner": str(terms.owner_id or "")}
        super().__init__(data, initial=initial | dict(suggested or {}))
        self.terms, self.contract = terms, contract
        # One who left is still the owner until somebody else is chosen.
        people = members() | ({terms.owner.pk: terms.owner} if terms.owner else {})
        self.people = {str(key): user for key, user in people.items()}
        self._offer("owner", [("", "No owner"), *((key, str(user)) for key, user in self.people.items())])
        self._offer("governed_by", [("", "None"), *siblings_of(contract, terms.governed_by)])

    def _offer(self, name: str, choices: list[tuple[str, str]]) -> None:
        self.fields[name].choices = choices  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        for name in ("ends_on", "renews_on"):
            day: date | None = cleaned.get(name)
            if day and not EARLIEST <= day <= LATEST:
                self.add_error(name, f"Enter a date from {EARLIEST.year} to {LATEST.year}.")
        self._clean_notice(cleaned)
        if not self.errors:
            problem = contradiction_in(cleaned)
            if problem:
                raise ValidationError(problem)
            self._ask(cleaned)
        return cleaned

    def _clean_notice(self, cleaned: dict[str, Any]) -> None:
        """Read `60 days`, or `60` with the unit beside it. Nobody guesses a unit."""
        text = cleaned.get("notice_number") or ""
        if "notice_number" in self.errors:
            return
        if not text:
            cleaned["notice_number"], cleaned["notice_unit"] = None, ""
            return
        try:
            number, unit = read_length(text)
        except ValueError:
            self.add_error("notice_number", "Write a number with its unit, such as 60 days or 3 months.")
            return
        unit = unit or cleaned.get("notice_unit") or ""
        if not unit:
            self.add_error("notice_unit", f"Choose days or months: {number} can be either.")
        elif not 1 <= number <= (MAX_MONTHS if unit == NoticeUnit.MONTHS else MAX_DAYS):
            self.add_error("notice_number", f"Enter 1 to {MAX_DAYS:,} days, or 1 to {MAX_MONTHS} months.")
        cleaned["notice_number"], cleaned["notice_unit"] = number, unit

    def _ask(self, cleaned: dict[str, Any]) -> None:
        """Ask about what is unlikely, unless it was noted before."""
        if not any(getattr(self.terms, name) != cleaned[name] for name in DOUBTED):
            return
        self.doubt = doubt_in(cleaned, executed_on=self.contract.executed_on)
        if self.doubt and not cleaned["is_sure"]:
            raise ValidationError(f"{self.doubt} Is that right? Correct it, or confirm it below.")

    def values(self) -> Mapping[str, Any]:
        """What was typed, by the names of the model."""
        told = {name: value for name, value in self.cleaned_data.items() if name not in NOT_A_FIELD}
        told |= {name: storable_text(told[name]) for name in ("governed_by_words", "notes")}
        return told | {"owner": self.people.get(told["owner"])}


def members() -> dict[int, User]:
    people = Membership.objects.active().select_related("user")
    return {each.user_id: each.user for each in people.order_by("user__name", "user__email")}


def siblings_of(contract: Contract, chosen: str) -> list[tuple[str, str]]:
    """The other contracts of the same customer, and the one that was chosen before."""
    there = Contract.objects.present().exclude(pk=contract.pk).defer("payload", "search")
    rows = list(there.filter(account_id=contract.account_id)[:MAX_OFFERED]) if contract.account_id else []
    if chosen and chosen not in {row.platform_id for row in rows}:
        rows += Contract.objects.filter(platform_id=chosen).defer("payload", "search") or []
    offered = [(row.platform_id, row.title) for row in rows]
    if chosen and chosen not in dict(offered):
        offered.append((chosen, "A contract no longer in the portal"))
    return offered
