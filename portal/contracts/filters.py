"""What the address of the list says: its search and order. An unknown value means the default, never an error."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from portal.accounts.parts import ids_of_customer
from portal.accounts.selectors import account_names
from portal.contracts.models import ContractQuerySet
from portal.lib.storable import storable_text

LONGEST_SEARCH = 200
SORTS = {"": ("Newest first", ("-created_at", "-id")), "executed": ("Last executed first", ("-executed_sort", "-id"))}


@dataclass(frozen=True, kw_only=True)
class ContractFilters:
    """Which contracts a page shows, and in which order."""

    q: str = ""
    account: str = ""
    """The contracts of one customer, chosen on its page."""
    sort: str = ""

    @classmethod
    def read(cls, query: Mapping[str, str]) -> Self:
        sort = query.get("sort", "")
        q, account = (storable_text(query.get(name, "").strip())[:LONGEST_SEARCH] for name in ("q", "account"))
        return cls(q=q, account=account, sort=sort if sort in SORTS else "")

    @property
    def is_narrowed(self) -> bool:
        return bool(self.q or self.account)

    @property
    def order_by(self) -> tuple[str, str]:
        return SORTS[self.sort][1]

    def narrow(self, rows: ContractQuerySet) -> ContractQuerySet:
        # Of a customer whose accounts were merged here, the contracts of all of them.
        return (rows.filter(account_id__in=ids_of_customer(self.account)) if self.account else rows).matching(self.q)

    def selects(self) -> list[dict[str, Any]]:
        options = [(key, label) for key, (label, _) in SORTS.items()]
        return [*self._chosen_account(), {"name": "sort", "label": "Order", "value": self.sort, "options": options}]

    def _chosen_account(self) -> list[dict[str, Any]]:
        if not self.account:
            return []
        name = account_names([self.account]).get(self.account, "A customer that is not known here")
        options = [("", "Any customer"), (self.account, name)]
        return [{"name": "account", "label": "Customer", "value": self.account, "options": options}]
