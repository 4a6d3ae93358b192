"""What the addresses of the register and of the matrix say. An unknown value means the default, never an error."""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Self
from urllib.parse import urlencode

from django.db.models import Exists, OuterRef, Q

from portal.accounts.merged_accounts import customers_of, ids_of_customer
from portal.accounts.models import Account, AccountQuerySet, Part
from portal.accounts.selectors import account_names
from portal.commitments.models import (
    Commitment,
    CommitmentQuerySet,
    Suggestion,
    SuggestionQuerySet,
    SuggestionState,
    Term,
    Verdict,
)
from portal.contracts.models import Contract
from portal.lib.storable import storable_text

MAX_SEARCH_LENGTH = 200
ORDER = ("-id",)
MATRIX_ORDER = ("name_sort", "id")
TERMS = {"": "Any term", **{value: str(label) for value, label in Term.choices}}
VERDICTS = {
    "": "However it compares",
    **{str(verdict.value): str(verdict.label) for verdict in Verdict if verdict},
    "none": str(Verdict.NONE.label),
}
STATES = {"": "In force", "ended": "Ended", "all": "In force and ended"}
INBOXES = {"": "To decide", "accepted": "Accepted", "put-away": "Dismissed"}
SHOWS = {"": "All customers", "promised": "With a commitment", "deviating": "Only with deviations"}
MAX_INLINE_CUSTOMERS = 500
"""Up to so many are named to the database one by one; more of them are met on the way through the list."""


@dataclass(frozen=True, kw_only=True)
class Filters:
    """What both kinds of filters can do."""

    q: str = ""

    @property
    def is_narrowed(self) -> bool:
        return any(getattr(self, field.name) for field in fields(self))

    def query(self, **changes: str) -> str:
        """Write these filters, with some of them changed, as the query of an address; defaults are left out."""
        changed = replace(self, **changes)
        query = urlencode({field.name: value for field in fields(self) if (value := getattr(changed, field.name))})
        return f"?{query}" if query else ""


@dataclass(frozen=True, kw_only=True)
class RegisterFilters(Filters):
    """Which commitments the register shows."""

    term: str = ""
    verdict: str = ""
    state: str = ""
    account: str = ""
    contract: str = ""
    """The platform's id of the contract."""

    @classmethod
    def read(cls, query: Mapping[str, str]) -> Self:
        term, verdict, state = (query.get(name, "") for name in ("term", "verdict", "state"))
        q, account, contract = (_text(query, name) for name in ("q", "account", "contract"))
        return cls(
            q=q,
            term=term if term in TERMS else "",
            verdict=verdict if verdict in VERDICTS else "",
            state=state if state in STATES else "",
            account=account,
            contract=contract,
        )

    def rows(self) -> CommitmentQuerySet:
        """Give exactly the commitments that these filters show."""
        rows: CommitmentQuerySet = Commitment.objects.all()
        if self.state != "all":
            rows = rows.ended() if self.state else rows.in_force()
        if self.term:
            rows = rows.of_term(self.term)
        if self.verdict:
            rows = rows.filter(comparison="" if self.verdict == "none" else self.verdict)
        if self.account:
            # Of a customer whose accounts were merged here, the promises to all of them.
            rows = rows.filter(account_id__in=ids_of_customer(self.account))
        if self.contract:
            rows = rows.filter(contract__in=Contract.objects.filter(platform_id=self.contract).values("pk"))
        return rows.matching(self.q)

    def selects(self) -> list[dict[str, Any]]:
        options = (("term", "Term", TERMS), ("verdict", "Against our standard", VERDICTS), ("state", "State", STATES))
        chosen = [
            {"name": name, "label": label, "value": getattr(self, name), "options": [*labels.items()]}
            for name, label, labels in options
        ]
        # A customer or a contract is chosen on its own page, and left here.
        return [*chosen, *_chosen_account(self.account), *_chosen_contract(self.contract)]


@dataclass(frozen=True, kw_only=True)
class MatrixFilters(Filters):
    """Which customers the matrix shows."""

    shows: str = ""

    @classmethod
    def read(cls, query: Mapping[str, str]) -> Self:
        shows = query.get("shows", "")
        return cls(q=_text(query, "q"), shows=shows if shows in SHOWS else "")

    def rows(self) -> AccountQuerySet:
        """Give exactly the customers that these filters show."""
        rows: AccountQuerySet = Account.objects.of_customers().there()
        if self.shows:
            promised = Commitment.objects.deviating() if self.shows == "deviating" else Commitment.objects.in_force()
            rows = _with(rows, promised)
        return rows.matching(self.q)

    def selects(self) -> list[dict[str, Any]]:
        return [{"name": "shows", "label": "Which customers", "value": self.shows, "options": [*SHOWS.items()]}]


@dataclass(frozen=True, kw_only=True)
class SuggestionFilters(Filters):
    """Which suggestions the inbox shows."""

    show: str = ""
    term: str = ""
    contract: str = ""
    """The platform's id of the contract."""

    @classmethod
    def read(cls, query: Mapping[str, str]) -> Self:
        show, term = query.get("show", ""), query.get("term", "")
        return cls(show=show if show in INBOXES else "", term=term if term in TERMS else "", contract=_text(query, "contract"))

    def rows(self) -> SuggestionQuerySet:
        """Give exactly the suggestions that these filters show; those of contracts that are gone are nobody's business."""
        rows: SuggestionQuerySet = Suggestion.objects.of_state(self.show or SuggestionState.OPEN).filter(contract__gone_at=None)
        if self.term:
            rows = rows.filter(term=self.term)
        if self.contract:
            rows = rows.filter(contract__in=Contract.objects.filter(platform_id=self.contract).values("pk"))
        return rows

    def selects(self) -> list[dict[str, Any]]:
        terms = {"name": "term", "label": "Term", "value": self.term, "options": [*TERMS.items()]}
        return [terms, *_chosen_contract(self.contract)]


def _chosen_contract(platform_id: str) -> list[dict[str, Any]]:
    if not platform_id:
        return []
    contract = Contract.objects.filter(platform_id=platform_id).defer("payload", "search").first()
    words = str(contract) if contract else "A contract that is not known here"
    return [
        {"name": "contract", "label": "Contract", "value": platform_id, "options": [("", "Any contract"), (platform_id, words)]}
    ]


def _chosen_account(account_id: str) -> list[dict[str, Any]]:
    if not account_id:
        return []
    words = account_names([account_id]).get(account_id, "A customer that is not known here")
    return [
        {"name": "account", "label": "Customer", "value": account_id, "options": [("", "Any customer"), (account_id, words)]}
    ]


def _with(rows: AccountQuerySet, promised: CommitmentQuerySet) -> AccountQuerySet:
    """Keep the customers with one of these promises, in a way that is quick with few of them and with many."""
    ids = promised.order_by().values_list("account_id", flat=True).distinct()
    few = list(ids[: MAX_INLINE_CUSTOMERS + 1])
    if len(few) <= MAX_INLINE_CUSTOMERS:
        return rows.filter(platform_id__in={whole.main_id for whole in customers_of(few).values()})
    has_one = Exists(promised.filter(account_id=OuterRef("platform_id")))
    # Merged accounts are few, and asked for only where there are some: each row would be looked at twice.
    duplicates = Part.objects.hidden().filter(Exists(promised.filter(account_id=OuterRef("account_id"))))
    mains = Part.objects.filter(is_main=True, customer__in=duplicates.values("customer"))
    main_ids = list(mains.values_list("account_id", flat=True))
    return rows.filter(has_one | Q(platform_id__in=main_ids) if main_ids else has_one)


def _text(query: Mapping[str, str], name: str) -> str:
    return storable_text(query.get(name, "").strip())[:MAX_SEARCH_LENGTH]
