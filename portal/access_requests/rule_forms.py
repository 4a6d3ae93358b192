"""What an admin says about a rule, and about domains and documents."""

import re
from collections.abc import Collection
from typing import Any

from django import forms

from portal.access_requests.models import LEVELS, ListKind, SensitiveDocument
from portal.access_requests.rulebook import ACT_LABELS, AccountIs, Act, Action, Conditions, DomainIs, Level, Nda, Rule
from portal.access_requests.services.announcements import ONLY_NEW, WAITING_TOO
from portal.accounts.models import Account
from portal.accounts.models import Nda as AccountNda
from portal.accounts.selectors import fold_domain
from portal.lib.unnamed import NO_NAME
from portal.trust_center.models import Resource

MAX_ACCOUNTS, MAX_DOMAINS = 1000, 200
DOMAIN = re.compile(r"[\w-]+(\.[\w-]+)*")
YES_OR_NO = {"": None, "yes": True, "no": False}
EXPIRIES = {
    "30": "In 30 days",
    "90": "In 90 days",
    "180": "In 180 days",
    "365": "In one year",
    "730": "In two years",
    "": "Never",
}
QUESTIONS = {
    "contract": ("Contract", "A contract is on record", "No contract is on record"),
    "known": ("Company known", "The domain was approved before", "The domain was never approved before"),
    "free_mail": ("Free mail", "Only free-mail domains", "No free-mail domains"),
    "blocked": ("Blocked list", "Only blocked domains", "No blocked domains"),
    "office_hours": ("Requested", "Within office hours", "Outside office hours"),
    "sensitive": ("Documents", "A sensitive one is requested", "No sensitive one is requested"),
}
ANY = "Any"
SHORT_TEXT = forms.Textarea(attrs={"rows": 2})


def domain_field(**options: Any) -> forms.CharField:
    return forms.CharField(max_length=320, **options)


class RuleForm(forms.Form):
    """One rule: when it applies, and what it then does."""

    use_required_attribute = False

    version = forms.IntegerField(widget=forms.HiddenInput)
    name = forms.CharField(max_length=120, help_text="Shown next to each request.")
    domain_is = forms.ChoiceField(
        label="Domain",
        required=False,
        choices=[("", ANY), (DomainIs.EQUAL, "Is one of"), (DomainIs.ENDS, "Is one of, or a subdomain of one")],
    )
    domains = forms.CharField(
        label="Domains",
        required=False,
        widget=SHORT_TEXT,
        help_text="Separate domains with commas.",
    )
    account = forms.ChoiceField(
        label="Account",
        required=False,
        choices=[
            (AccountIs.ANY, ANY),
            (AccountIs.MATCHED, "An account has the domain"),
            (AccountIs.UNMATCHED, "No account has the domain"),
            (AccountIs.ONE_OF, "Is one of these"),
        ],
    )
    account_ids = forms.MultipleChoiceField(label="Accounts", required=False, widget=forms.CheckboxSelectMultiple)
    account_ndas = forms.MultipleChoiceField(
        label="Company NDA",
        required=False,
        choices=AccountNda.choices,
        widget=forms.CheckboxSelectMultiple,
        help_text="Leave empty for any.",
    )
    level = forms.ChoiceField(label="Requested level", required=False, choices=[("", ANY), *LEVELS.items()])
    act = forms.ChoiceField(
        label="What it does",
        choices=[(act, ACT_LABELS[act]) for act in (Act.APPROVE, Act.SECOND, Act.DENY)],
        widget=forms.RadioSelect,
        initial=Act.APPROVE,
    )
    grant = forms.ChoiceField(
        label="Access to",
        choices=[(Level.ASKED, "What's requested"), (Level.CAPPED, "What's requested, except sensitive documents")],
    )
    expiry = forms.ChoiceField(label="Access ends", required=False, choices=EXPIRIES.items(), initial="365")
    nda = forms.ChoiceField(
        label="This person's NDA",
        choices=[
            (Nda.REQUIRED, "Ask for it first"),
            (Nda.UNLESS_SIGNED, "Ask for it unless the company NDA is signed or not required"),
            (Nda.NOT_REQUIRED, "Don't ask for it"),
        ],
    )
    reason = forms.CharField(
        label="Denial reason",
        required=False,
        max_length=1000,
        widget=SHORT_TEXT,
        help_text="Sent to the person.",
    )

    def __init__(self, data: Any = None, *, rule: Rule | None = None, version: int = 0) -> None:
        super().__init__(data, initial={"version": version} | (initial_of(rule) if rule else {}))
        for name, (label, yes, no) in QUESTIONS.items():
            self.fields[name] = forms.ChoiceField(label=label, required=False, choices=[("", ANY), ("yes", yes), ("no", no)])
        accounts = account_choices(rule.conditions.account_ids if rule else ())
        self.fields["account_ids"].choices = accounts  # type: ignore[attr-defined]
        self.fields["account_ids"].help_text = "" if accounts else "No accounts yet. They come from the platform."

    @property
    def questions(self) -> list[forms.BoundField]:
        return [self[name] for name in QUESTIONS]

    def clean_domains(self) -> tuple[str, ...]:
        found = tuple(dict.fromkeys(fold_domain(each) for each in re.split(r"[\s,;]+", self.cleaned_data["domains"]) if each))
        strange = next((each for each in found if not DOMAIN.fullmatch(each.removeprefix("."))), None)
        if strange:
            raise forms.ValidationError(f"“{strange}” isn't a domain.")
        if len(found) > MAX_DOMAINS:
            raise forms.ValidationError(f"Enter at most {MAX_DOMAINS} domains.")
        return tuple(each.removeprefix(".") for each in found)

    def clean(self) -> None:
        said = self.cleaned_data
        if bool(said.get("domain_is")) != bool(said.get("domains")) and "domains" not in self.errors:
            self.add_error("domains", "Enter domains and choose how to compare them, or leave both empty.")
        if (said.get("account") == AccountIs.ONE_OF) != bool(said.get("account_ids")) and "account_ids" not in self.errors:
            self.add_error("account_ids", "Choose “Is one of these” together with accounts, or neither.")

    @property
    def conditions(self) -> Conditions:
        said = self.cleaned_data
        return Conditions(
            domains=said["domains"],
            domain_is=said["domain_is"] or DomainIs.EQUAL.value,
            account=said["account"],
            account_ids=tuple(said["account_ids"]),
            account_ndas=tuple(said["account_ndas"]),
            level=said["level"],
            **{name: YES_OR_NO[said[name]] for name in QUESTIONS},
        )

    @property
    def action(self) -> Action:
        said = self.cleaned_data
        if said["act"] == Act.DENY:
            return Action(act=Act.DENY.value, reason=said["reason"])
        expiry = int(said["expiry"]) if said["expiry"] else None
        return Action(act=said["act"], level=said["grant"], expiry_days=expiry, nda=said["nda"])


def account_choices(chosen: Collection[str]) -> list[tuple[str, str]]:
    """List the accounts by name. One that is gone stays chosen until somebody takes it out."""
    named = Account.objects.present().only("platform_id", "name", "domain").order_by("name_sort", "id")
    present = {row.platform_id: str(row) for row in named[:MAX_ACCOUNTS]}
    others = {row.platform_id: row for row in Account.objects.filter(platform_id__in=set(chosen) - {*present})}
    return [*present.items(), *((key, _named(others.get(key))) for key in chosen if key not in present)]


def _named(account: Account | None) -> str:
    return str(account) if account and account.gone_at is None else f"{account or NO_NAME} (no longer on the platform)"


def initial_of(rule: Rule) -> dict[str, Any]:
    """What the form of a rule shows."""
    asked, action = rule.conditions, rule.action
    answers = {yes_or_no: name for name, yes_or_no in YES_OR_NO.items()}
    return {
        "name": rule.name,
        "domain_is": asked.domain_is if asked.domains else "",
        "domains": ", ".join(asked.domains),
        "account": asked.account,
        "account_ids": list(asked.account_ids),
        "account_ndas": list(asked.account_ndas),
        "level": asked.level,
        "act": action.act,
        "grant": action.level,
        "expiry": str(action.expiry_days or ""),
        "nda": action.nda,
        "reason": action.reason,
        **{name: answers[getattr(asked, name)] for name in QUESTIONS},
    }


class ListForm(forms.Form):
    """A domain that the tenant wants to see marked."""

    domain = domain_field(label="Domain or email", help_text="If you enter an email address, only its domain is kept.")
    kind = forms.ChoiceField(label="Mark as", choices=ListKind.choices)
    why = forms.CharField(label="Why", required=False, max_length=200)

    def clean_domain(self) -> str:
        domain = fold_domain(self.cleaned_data["domain"].rpartition("@")[2])
        if not DOMAIN.fullmatch(domain):
            raise forms.ValidationError("Enter a domain, such as acme.com.")
        return domain


class ShownField(forms.MultipleChoiceField):
    """What a form has shown, whatever has become of it since."""

    widget = forms.MultipleHiddenInput

    def valid_value(self, value: str) -> bool:
        return True


class SensitiveForm(forms.Form):
    """Which documents no rule grants by itself."""

    documents = forms.MultipleChoiceField(label="Sensitive documents", required=False, widget=forms.CheckboxSelectMultiple)
    marked = ShownField(required=False)
    """Those that were shown with a mark: of no other one is the mark taken."""

    def __init__(self, data: Any = None) -> None:
        rows = dict(Resource.objects.present().filter(is_public=False).values_list("platform_id", "title"))
        marked = list(SensitiveDocument.objects.filter(resource_id__in=rows).values_list("resource_id", flat=True))
        super().__init__(data, initial={"documents": marked, "marked": marked})
        self.fields["documents"].choices = list(rows.items())  # type: ignore[attr-defined]


class ScopeForm(forms.Form):
    """Which requests something that is switched on decides."""

    use_required_attribute = False

    scope = forms.ChoiceField(label="Which requests it decides", widget=forms.RadioSelect, initial=ONLY_NEW)
    seen = forms.CharField(widget=forms.HiddenInput)

    def __init__(self, *, number: int, seen: str) -> None:
        super().__init__(initial={"seen": seen})
        waiting = f"the {number} requests waiting now" if number > 1 else "the request waiting now" if number else ""
        self.fields["scope"].choices = [  # type: ignore[attr-defined]
            (ONLY_NEW, "Only new requests. Leave waiting ones to people."),
            (WAITING_TOO, f"New requests and {waiting or 'waiting ones (none right now)'}"),
        ]
        if number:
            self.fields["scope"].help_text = "Decisions wait 30 seconds before they're sent. Until then, you can undo them all."
