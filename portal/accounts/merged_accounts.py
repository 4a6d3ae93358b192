"""Which accounts make up one customer: the one place that tells, for every desk.

Desks keep their rows by the account that the platform names. Whoever asks for what a customer has asks for all its accounts.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from portal.accounts.models import Part
from portal.lib.key_batches import key_batches


@dataclass(frozen=True)
class MergedAccount:
    """A customer as all its accounts. Most have one, which is then the main one."""

    main_id: str
    account_ids: frozenset[str]

    @property
    def is_merged(self) -> bool:
        return len(self.account_ids) > 1


def customers_of(account_ids: Iterable[str]) -> Mapping[str, MergedAccount]:
    """Find the customer of each account, by the account's id. Accounts that are not known here are customers of their own."""
    wanted = set(account_ids) - {""}
    found = {each: MergedAccount(each, frozenset({each})) for each in wanted}
    for batch in key_batches(wanted):
        for whole in _merged(batch):
            found |= dict.fromkeys(whole.account_ids & wanted, whole)
    return found


def _merged(account_ids: set[str]) -> Iterable[MergedAccount]:
    customers: dict[object, list[tuple[str, bool]]] = {}
    rows = Part.objects.of_accounts(account_ids).order_by("-is_main", "id")
    for customer, account_id, is_main in rows.values_list("customer", "account_id", "is_main"):
        customers.setdefault(customer, []).append((account_id, is_main))
    for parts in customers.values():
        yield MergedAccount(parts[0][0], frozenset(account_id for account_id, _ in parts))


def customer_of(account_id: str) -> MergedAccount:
    """Find the customer of one account."""
    return customers_of([account_id]).get(account_id) or MergedAccount(account_id, frozenset({account_id}))


def ids_of_customer(account_id: str) -> frozenset[str]:
    """Return the ids of all accounts of the customer that an account belongs to, its own among them."""
    return customer_of(account_id).account_ids
