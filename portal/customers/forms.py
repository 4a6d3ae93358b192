import re
from typing import Any, cast

from django import forms
from django.core.exceptions import ValidationError

from portal.accounts.merged_accounts import ids_of_customer
from portal.accounts.models import GRANTS, Account
from portal.accounts.selectors import fold_domain, matches_by_domain
from portal.customers.custom_fields import MAX_FIELDS, fields_from, pairs_of
from portal.customers.models import NewCustomer
from portal.customers.services import CustomerChange, NewAccount
from portal.lib.free_mail import is_free_mail
from portal.lib.storable import storable_text
from portal.ui.pairs import PairsField, as_typed
from portal.ui.platform_forms import PlatformForm

MAX_NAME_LENGTH, MAX_DOMAIN_LENGTH = 300, 320
DOMAIN = re.compile(r"(?!-)[^\s@/\\:,;<>\"']+\.[^\s@/\\:,;<>\"'.]{2,}")
OFF = "off"
APPROVALS = [(OFF, "Manually, one by one"), *((key, f"Automatically: grant {words}") for key, words in GRANTS.items())]


class CustomerForm(PlatformForm):
    """What can be said of a customer at any time."""

    field_of = {
        "name": "name",
        "emailDomain": "domain",
        "ndaDetails": "is_nda_waived",
        "accessConfig": "approval",
        "customFields": "custom_fields",
    }

    name = forms.CharField(label="Name", max_length=MAX_NAME_LENGTH, widget=forms.TextInput(attrs={"autocomplete": "off"}))
    domain = forms.CharField(
        label="Email domain",
        max_length=MAX_DOMAIN_LENGTH,
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false", "autocapitalize": "none"}),
        help_text="The part after the @ in its people's addresses, such as northwind.example.",
    )
    custom_fields = PairsField(
        label="Custom fields",
        labels=("Label", "Value"),
        most=MAX_FIELDS,
        help_text="If a field already has several values, separate them with semicolons.",
    )
    is_second = forms.BooleanField(label="Yes, another customer also has this email domain", required=False)

    twins: tuple[Account, ...] = ()
    """Other customers with the mail domain that was typed."""

    @property
    def domain_before(self) -> str:
        """The mail domain that the customer has had so far."""
        return ""

    @property
    def own_ids(self) -> frozenset[str]:
        """The accounts of the customer itself: they may share a mail domain."""
        return frozenset()

    def clean_name(self) -> str:
        return storable_text(self.cleaned_data["name"]).strip()

    def clean_domain(self) -> str:
        domain = fold_domain(storable_text(self.cleaned_data["domain"]).rpartition("@")[2])
        if not DOMAIN.fullmatch(domain):
            raise ValidationError("Enter an email domain such as northwind.example.")
        return domain

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        domain = cleaned.get("domain")
        if domain and domain != self.domain_before:
            match = matches_by_domain([domain]).get(domain)
            self.twins = tuple(each for each in match.accounts if each.platform_id not in self.own_ids) if match else ()
        if self.twins and not cleaned.get("is_second"):
            names = " and ".join(map(str, self.twins[:3]))
            self.add_error(
                "domain", f"This is the email domain of {names}. If customers share a domain, no one is matched by it anymore."
            )
        return cleaned


class NewCustomerForm(CustomerForm):
    """A new customer. What only its creation can say is asked for here."""

    approval = forms.ChoiceField(
        label="Access requests are approved",
        choices=APPROVALS,
        required=False,
        help_text="For people with this email domain. Later, you can change this only on the platform.",
    )
    is_nda_waived = forms.BooleanField(
        label="No NDA is required",
        required=False,
        help_text="Otherwise this customer's people sign one first. Later, you can change this only on the platform.",
    )
    field_order = ["name", "domain", "is_second", "approval", "is_nda_waived", "custom_fields"]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        if is_free_mail(cleaned.get("domain", "")) and cleaned.get("approval", OFF) not in ("", OFF):
            self.add_error("approval", "Anyone can get an address in this email domain, so everyone would be approved.")
        return cleaned

    def new_account(self) -> NewAccount:
        """What was typed, as the service takes it."""
        typed, told = self.cleaned_data, dict[str, Any]()
        if typed["is_nda_waived"]:
            told["nda_details"] = {"markNdaNotRequired": True}
        if typed["approval"] not in ("", OFF):
            told["access_config"] = {"autoApprovalEnabled": True, "grantAccessOption": typed["approval"]}
        if typed["custom_fields"]:
            told["custom_fields"] = fields_from(typed["custom_fields"])
        return NewAccount(name=typed["name"], domain=typed["domain"], told=told)


def typed_before(creation: NewCustomer) -> dict[str, Any]:
    """What stood in the form of a customer that did not arrive."""
    told = creation.told
    return {
        "name": creation.name,
        "domain": creation.domain,
        "approval": told.get("access_config", {}).get("grantAccessOption", OFF),
        "is_nda_waived": "nda_details" in told,
        "custom_fields": [(entry["label"], entry["value"]) for entry in told.get("custom_fields", [])],
    }


class EditForm(CustomerForm):
    """What the platform lets be changed. What was not changed here is not sent."""

    seen = forms.CharField(widget=forms.HiddenInput, required=False)
    field_order = ["name", "domain", "is_second", "custom_fields", "seen"]

    def __init__(self, data: Any = None, *, account: Account) -> None:
        self.account = account
        pairs = pairs_of(account)
        initial = {"name": account.name, "domain": account.domain, "custom_fields": pairs}
        super().__init__(data, initial=initial)
        # The platform takes more than the inputs do: an empty value, or a long one, keeps no other change from being made.
        self.pairs = [pair for pair in map(as_typed, pairs) if any(pair)]
        cast(PairsField, self.fields["custom_fields"]).present = self.pairs

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        account = self.account
        if cleaned.get("seen") != self.version:
            # The form comes again with what was typed and with the present version: sending it then means it.
            now = f"“{account}”, {account.domain or 'no email domain'}"
            raise ValidationError(f"Someone else changed this customer. It is now {now}. Check it, then save again.")
        return cleaned

    @property
    def domain_before(self) -> str:
        return self.account.domain

    @property
    def own_ids(self) -> frozenset[str]:
        return ids_of_customer(self.account.platform_id)

    @property
    def version(self) -> str:
        """Which state of the customer the form is drawn with."""
        return self.account.updated_at.isoformat() if self.account.updated_at else ""

    def change(self) -> CustomerChange | None:
        """What is different; None when nothing is."""
        typed, account = self.cleaned_data, self.account
        changed: dict[str, Any] = {name: typed[name] for name in ("name", "domain") if typed[name] != getattr(account, name)}
        if typed["custom_fields"] != self.pairs:
            changed["custom_fields"] = fields_from(typed["custom_fields"], account=account)
        return CustomerChange(**changed) if changed else None
