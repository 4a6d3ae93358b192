from functools import cache
from typing import Any
from zoneinfo import available_timezones

from django import forms
from django.db import models

from portal.accounts.models import Account
from portal.calendars.countries import countries
from portal.commitments.data_kinds import PROMISED
from portal.commitments.forms.promises import PromiseForm, without_address
from portal.commitments.models import NOTICES, Commitment, Suggestion, Term
from portal.commitments.services import Promised
from portal.contracts.models import Contract
from portal.lib.row_keys import row_key
from portal.lib.storable import storable_text

MAX_QUOTE_LENGTH = 5000
MAX_CONTRACTS = 200
NOTICE_ONLY = ("data_kinds", "notify")


@cache
def zones() -> list[str]:
    """Return the time zones that are named after places; the system's files are read once."""
    return sorted(zone for zone in available_timezones() if "/" in zone and not zone.startswith(("Etc/", "SystemV/")))


class CommitmentForm(PromiseForm):
    """One promise to one customer."""

    term = forms.ChoiceField(label="Term", choices=Term.choices)
    contract: "forms.ModelChoiceField[Contract]" = forms.ModelChoiceField(
        label="Contract", queryset=None, required=False, empty_label="No contract on the platform"
    )
    clause = forms.CharField(
        label="Clause",
        required=False,
        max_length=60,
        widget=forms.TextInput(attrs={"autocomplete": "off", "placeholder": "7.2"}),
    )
    page = forms.IntegerField(
        label="Page", required=False, min_value=1, max_value=100_000, help_text="The page in the file, counted from 1."
    )
    quote = forms.CharField(
        label="Contract wording", required=False, max_length=MAX_QUOTE_LENGTH, widget=forms.Textarea(attrs={"rows": 4})
    )
    data_kinds = forms.MultipleChoiceField(
        label="Data covered",
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text="Choose none for any data.",
    )
    notify = forms.CharField(
        label="Who to notify, and how",
        required=False,
        max_length=500,
        help_text="As stated in the contract: a person, an address or a phone number.",
        widget=forms.Textarea(attrs={"rows": 2}),
    )
    zone = forms.ChoiceField(label="Time zone for days", required=False)
    country = forms.ChoiceField(label="Country for holidays", required=False)

    def __init__(
        self,
        data: Any = None,
        *,
        account: Account | None,
        account_id: str = "",
        commitment: Commitment | None = None,
        suggestion: Suggestion | None = None,
    ) -> None:
        self.commitment = commitment
        super().__init__(data, initial=_initial(commitment or suggestion))
        self._offer_contracts(account.platform_id if account else account_id, suggestion)
        kinds = dict(PROMISED)
        # A kind that was registered once and is not anymore stays chosen until a person takes it away.
        kinds |= {key: key for key in (commitment.data_kinds if commitment else []) if key not in kinds}
        self.fields["data_kinds"].choices = [*kinds.items()]  # type: ignore[attr-defined]
        self.fields["zone"].choices = [("", "The office's time zone"), ("UTC", "UTC"), *((zone, zone) for zone in zones())]  # type: ignore[attr-defined]
        self.fields["country"].choices = [("", "The office's own holidays"), *countries()]  # type: ignore[attr-defined]

    def _offer_contracts(self, account_id: str, suggestion: Suggestion | None) -> None:
        """Offer the customer's contracts, and the one that it stands in already, whatever became of that."""
        own = (
            Contract.objects.present().filter(account_id=account_id).order_by("-created_at", "-id")
            if account_id
            else Contract.objects.none()
        )
        keys = set(own.values_list("pk", flat=True)[:MAX_CONTRACTS])
        named = self.commitment.contract_id if self.commitment else suggestion.contract_id if suggestion else None
        keys |= {named} if named else set()
        rows = Contract.objects.filter(pk__in=keys).order_by("-created_at", "-id").defer("payload", "search")
        self.fields["contract"].queryset = rows  # type: ignore[attr-defined]

    def offers_contract(self, key: str) -> bool:
        contracts: models.QuerySet[Contract] = self.fields["contract"].queryset  # type: ignore[attr-defined]
        return contracts.filter(pk=row_key(key)).exists()

    def clean_clause(self) -> str:
        return without_address(" ".join(storable_text(self.cleaned_data["clause"]).split()))

    def clean_quote(self) -> str:
        return storable_text(self.cleaned_data["quote"]).strip()

    def clean_notify(self) -> str:
        return storable_text(self.cleaned_data["notify"]).strip()

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        term = cleaned.get("term")
        if term and term not in NOTICES:
            for name in NOTICE_ONLY:
                if cleaned.get(name):
                    self.add_error(
                        name,
                        f"{Term(term).label} is not a notice, so no one is notified. Choose another term, or leave this empty.",
                    )
        return cleaned

    @property
    def promised(self) -> Promised:
        """What was typed, as the service takes it."""
        typed = self.cleaned_data
        names = (
            "term",
            "contract",
            "amount",
            "unit",
            "words",
            "clause",
            "page",
            "quote",
            "data_kinds",
            "notify",
            "zone",
            "country",
        )
        return Promised(**{name: typed[name] for name in names})


def _initial(row: Commitment | Suggestion | None) -> dict[str, Any]:
    if row is None:
        return {}
    names = ("term", "unit", "words", "clause", "page", "quote", "data_kinds", "notify", "zone", "country")
    initial = {name: getattr(row, name) for name in names if hasattr(row, name)}
    initial["contract"] = row.contract_id
    initial["amount"] = "" if row.amount is None else f"{row.amount.normalize():f}"
    return initial
