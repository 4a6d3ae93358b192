"""What the address of the list says: its search, filters and order. An unknown value means the default, never an error."""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from datetime import timedelta
from typing import Any, Self
from urllib.parse import urlencode

from django.utils import timezone

from portal.accounts.merged_accounts import ids_of_customer
from portal.accounts.selectors import account_names
from portal.contracts.full_text import having_text
from portal.contracts.models import FAR, Contract, ContractQuerySet
from portal.lib.storable import storable_text

MAX_SEARCH_LENGTH = 200
NOTICE_AHEAD = timedelta(days=30)
SORTS = {
    "": ("Newest first", ("-created_at", "-id")),
    "executed": ("Last executed first", ("-executed_sort", "-id")),
    "ends": ("Next end first", ("ends_sort", "id")),
    "notice": ("Next day for notice first", ("notice_sort", "id")),
}
PLACES = {"": "In names and ids", "text": "In the text"}
ENDS = {
    "": "Any end date",
    "30": "Ends or renews within 30 days",
    "90": "Ends or renews within 90 days",
    "over": "Has ended",
    "none": "No end known",
    "notice": "Notice due within 30 days",
}
OWNERS = {"": "Any owner", "me": "Mine", "none": "Without an owner"}
NO_ACCOUNT = "none"
"""Stands in the address for contracts that name no customer; no id of the platform is so short."""


@dataclass(frozen=True, kw_only=True)
class ContractFilters:
    """Which contracts a page shows, and in which order."""

    q: str = ""
    place: str = ""
    ends: str = ""
    owner: str = ""
    account: str = ""
    """The contracts of one customer, chosen on its page."""
    sort: str = ""

    @classmethod
    def read(cls, query: Mapping[str, str]) -> Self:
        def one_of(name: str, known: Mapping[str, object]) -> str:
            value = query.get(name, "")
            return value if value in known else ""

        q, account = (storable_text(query.get(name, "").strip())[:MAX_SEARCH_LENGTH] for name in ("q", "account"))
        place, ends, owner, sort = (
            one_of(*each) for each in (("place", PLACES), ("ends", ENDS), ("owner", OWNERS), ("sort", SORTS))
        )
        return cls(q=q, place=place, ends=ends, owner=owner, account=account, sort=sort)

    @property
    def is_narrowed(self) -> bool:
        return any(getattr(self, field.name) for field in fields(self) if field.name not in ("sort", "place"))

    @property
    def is_in_text(self) -> bool:
        return self.place == "text" and bool(self.q)

    @property
    def order_by(self) -> tuple[str, str]:
        return SORTS[self.sort][1]

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

    def query(self, **changes: str) -> str:
        """Write these filters, with some of them changed, as the query of an address; defaults are left out."""
        changed = replace(self, **changes)
        query = urlencode({field.name: value for field in fields(self) if (value := getattr(changed, field.name))})
        return f"?{query}" if query else ""

    def selects(self) -> list[dict[str, Any]]:
        orders = {key: label for key, (label, _) in SORTS.items()}
        known = (
            ("place", "Where to search", PLACES),
            ("ends", "End", ENDS),
            ("owner", "Owner", OWNERS),
            ("account", "Customer", self._accounts()),
            ("sort", "Order", orders),
        )
        return [
            {"name": name, "label": label, "value": getattr(self, name), "options": [*labels.items()]}
            for name, label, labels in known
        ]

    def _accounts(self) -> dict[str, str]:
        labels = {"": "Any customer", NO_ACCOUNT: "No customer"}
        if self.account and self.account != NO_ACCOUNT:
            names = account_names([self.account])
            labels[self.account] = names.get(self.account, "A customer that is not known here")
        return labels
