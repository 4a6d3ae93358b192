"""The filters of the register, the matrix and the inbox of suggestions."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.db.models import Exists, OuterRef, Q

from portal.accounts.merged_accounts import customers_of, ids_of_customer
from portal.accounts.models import Account, AccountQuerySet, Part
from portal.accounts.selectors import account_option
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
from portal.ui.list_filters import ListFilters, choice, text

ORDER = ("-id",)
MATRIX_ORDER = ("name_sort", "id")
TERMS = {"": "Any term", **{value: str(label) for value, label in Term.choices}}
VERDICTS = {
    "": "Any comparison",
    **{str(verdict.value): str(verdict.label) for verdict in Verdict if verdict},
    "none": str(Verdict.NONE.label),
}
STATES = {"": "In force", "ended": "Ended", "all": "In force and ended"}
INBOXES = {"": "To decide", "accepted": "Accepted", "put-away": "Dismissed"}
SHOWS = {"": "All customers", "promised": "With a commitment", "deviating": str(Verdict.HARDER.label)}
ANY_CUSTOMER, ANY_CONTRACT = {"": "Any customer"}, {"": "Any contract"}
MAX_INLINE_CUSTOMERS = 500
"""Up to so many are named to the database one by one; more of them are met on the way through the list."""


@dataclass(frozen=True, kw_only=True)
class RegisterFilters(ListFilters):
    """Which commitments the register shows."""

    q: str = text()
    term: str = choice(TERMS, label="Term")
    verdict: str = choice(VERDICTS, label="Compared with our standard")
    state: str = choice(STATES, label="State")
    account: str = text(label="Customer", options=ANY_CUSTOMER)
    """The commitments to one customer, chosen on its page."""
    contract: str = text(label="Contract", options=ANY_CONTRACT)
    """The platform's id of the contract, chosen on its page."""

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

    def more_options(self, name: str) -> Mapping[str, str]:
        match name:
            case "account":
                return account_option(self.account)
            case "contract":
                return _contract_option(self.contract)
        return {}


@dataclass(frozen=True, kw_only=True)
class MatrixFilters(ListFilters):
    """Which customers the matrix shows."""

    q: str = text()
    shows: str = choice(SHOWS, label="Which customers")

    def rows(self) -> AccountQuerySet:
        """Give exactly the customers that these filters show."""
        rows: AccountQuerySet = Account.objects.of_customers().there()
        if self.shows:
            promised = Commitment.objects.deviating() if self.shows == "deviating" else Commitment.objects.in_force()
            rows = _with(rows, promised)
        return rows.matching(self.q)


@dataclass(frozen=True, kw_only=True)
class SuggestionFilters(ListFilters):
    """Which suggestions the inbox shows."""

    show: str = choice(INBOXES, narrows=False)
    term: str = choice(TERMS, label="Term")
    contract: str = text(label="Contract", options=ANY_CONTRACT)
    """The platform's id of the contract, chosen on its page."""

    def rows(self) -> SuggestionQuerySet:
        """Give exactly the suggestions that these filters show; those of contracts that are gone are nobody's business."""
        rows: SuggestionQuerySet = Suggestion.objects.of_state(self.show or SuggestionState.OPEN).filter(contract__gone_at=None)
        if self.term:
            rows = rows.filter(term=self.term)
        if self.contract:
            rows = rows.filter(contract__in=Contract.objects.filter(platform_id=self.contract).values("pk"))
        return rows

    def more_options(self, name: str) -> Mapping[str, str]:
        return _contract_option(self.contract) if name == "contract" else {}


def _contract_option(platform_id: str) -> dict[str, str]:
    if not platform_id:
        return {}
    contract = Contract.objects.filter(platform_id=platform_id).defer("payload", "search").first()
    return {platform_id: str(contract) if contract else "A contract not in the portal"}


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
