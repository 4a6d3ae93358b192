"""The filters of the list of contracts."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta

from django.utils import timezone

from portal.accounts.merged_accounts import ids_of_customer
from portal.accounts.selectors import account_option
from portal.contracts.full_text import having_text
from portal.contracts.models import FAR, Contract, ContractQuerySet
from portal.ui.list_filters import ListFilters, choice, text

NOTICE_AHEAD = timedelta(days=30)
SORTS = {
    "": ("-created_at", "-id"),
    "executed": ("-executed_sort", "-id"),
    "ends": ("ends_sort", "id"),
    "notice": ("notice_sort", "id"),
}
ORDERS = {
    "": "Newest first",
    "executed": "Most recently executed first",
    "ends": "Earliest end date first",
    "notice": "Earliest notice day first",
}
PLACES = {"": "In names and ids", "text": "In the text"}
ENDS = {
    "": "Any end date",
    "30": "Ends or renews within 30 days",
    "90": "Ends or renews within 90 days",
    "over": "Has ended",
    "none": "No end date",
    "notice": "Notice due within 30 days",
}
OWNERS = {"": "Any owner", "me": "Mine", "none": "No owner"}
NO_ACCOUNT = "none"
"""Stands in the address for contracts that name no customer; no id of the platform is so short."""
ACCOUNTS = {"": "Any customer", NO_ACCOUNT: "No customer"}


@dataclass(frozen=True, kw_only=True)
class ContractFilters(ListFilters):
    """Which contracts a page shows, and in which order."""

    q: str = text()
    place: str = choice(PLACES, label="Where to search", narrows=False)
    ends: str = choice(ENDS, label="End")
    owner: str = choice(OWNERS, label="Owner")
    account: str = text(label="Customer", options=ACCOUNTS)
    """The contracts of one customer, chosen on its page."""
    sort: str = choice(ORDERS, label="Order", narrows=False)

    @property
    def is_in_text(self) -> bool:
        return self.place == "text" and bool(self.q)

    @property
    def order_by(self) -> tuple[str, str]:
        return SORTS[self.sort]

    def rows(self, user_id: int | None) -> ContractQuerySet:
        """Give exactly the contracts that these filters show to a person."""
        return self.narrow(Contract.objects.present(), user_id)

    def narrow(self, rows: ContractQuerySet, user_id: int | None) -> ContractQuerySet:
        if self.account:
            # Of a customer whose accounts were merged here, the contracts of all of them.
            rows = rows.filter(account_id__in={""} if self.account == NO_ACCOUNT else ids_of_customer(self.account))
        if self.owner:
            rows = rows.filter(owner_id=user_id if self.owner == "me" else None)
        rows = self._of_end(rows)
        return having_text(rows, self.q) if self.is_in_text else rows.matching(self.q)

    def _of_end(self, rows: ContractQuerySet) -> ContractQuerySet:
        today = timezone.localdate()
        match self.ends:
            case "30" | "90":
                return rows.filter(ends_sort__gte=today, ends_sort__lte=today + timedelta(days=int(self.ends)))
            case "over":
                return rows.filter(ends_sort__lt=today)
            case "none":
                return rows.filter(ends_sort=FAR)
            case "notice":
                return rows.filter(notice_sort__gte=today, notice_sort__lte=today + NOTICE_AHEAD)
        return rows

    def more_options(self, name: str) -> Mapping[str, str]:
        return account_option(self.account) if name == "account" and self.account != NO_ACCOUNT else {}
