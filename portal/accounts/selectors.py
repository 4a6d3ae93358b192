"""Which account somebody belongs to. A domain that two customers claim is nobody's: it is never guessed.

Two accounts that people have merged here are one customer, and a domain that only they name is that customer's.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from portal.accounts.merged_accounts import MergedAccount, customers_of
from portal.accounts.models import Account
from portal.lib.key_batches import key_batches
from portal.tenants.personal_data import fold


@dataclass(frozen=True)
class Match:
    """The customers that name one mail domain: one, or more of which nobody can tell the right one. Each is one account."""

    accounts: tuple[Account, ...]

    @property
    def account(self) -> Account | None:
        """The account, if there is no doubt."""
        return self.accounts[0] if len(self.accounts) == 1 else None

    @property
    def is_ambiguous(self) -> bool:
        return len(self.accounts) > 1

    @property
    def description(self) -> str:
        """The account's name; of several all names, for a person to choose."""
        return " or ".join(str(account) for account in self.accounts)


def fold_domain(text: str) -> str:
    """Spell a mail domain so that two spellings of it are equal."""
    return fold(text).removeprefix("@").rstrip(".")


def matches_by_domain(domains: Iterable[str]) -> dict[str, Match]:
    """Find the accounts of mail domains, as those are spelled by `fold_domain`; a domain without any is left out."""
    found: dict[str, list[Account]] = defaultdict(list)
    for batch in key_batches(domains):
        # Sorted here: asked for in order, SQLite would walk all names for a handful of domains.
        rows = Account.objects.present().of_domains(batch).defer("payload", "search").order_by()
        for account in sorted(rows, key=lambda account: (account.name, account.pk)):
            found[account.domain].append(account)
    wholes = customers_of(each.platform_id for accounts in found.values() if len(accounts) > 1 for each in accounts)
    return {domain: Match(_one_per_customer(accounts, wholes)) for domain, accounts in found.items()}


def _one_per_customer(accounts: list[Account], wholes: Mapping[str, MergedAccount]) -> tuple[Account, ...]:
    """Leave the main account of each customer, or the first where the main one does not name the domain."""
    chosen: dict[str, Account] = {}
    for account in accounts:
        whole = wholes.get(account.platform_id)
        main_id = whole.main_id if whole else account.platform_id
        if main_id not in chosen or account.platform_id == main_id:
            chosen[main_id] = account
    return tuple(chosen.values())


def accounts_by_domain(domains: Iterable[str]) -> dict[str, Account]:
    """Find the account of each mail domain; a domain that no account names, or more than one, is left out."""
    return {domain: match.account for domain, match in matches_by_domain(domains).items() if match.account}


def accounts_by_id(account_ids: Iterable[str]) -> dict[str, Account]:
    """Find accounts by the platform's ids; one that is not known here or gone is left out."""
    found: dict[str, Account] = {}
    for batch in key_batches(account_ids):
        rows = Account.objects.present().filter(platform_id__in=batch).defer("payload", "search")
        found |= {account.platform_id: account for account in rows}
    return found


def account_names(account_ids: Iterable[str]) -> dict[str, str]:
    return {key: str(account) for key, account in accounts_by_id(account_ids).items()}


def names_of_accounts(accounts: Iterable[tuple[int, str]]) -> dict[tuple[int, str], str]:
    """Name accounts of several tenants, each given with the tenant's key. Within the scope of all of these tenants."""
    wanted = {pair for pair in accounts if pair[1]}
    if not wanted:
        return {}
    rows = Account.objects.present().filter(
        tenant__in={pair[0] for pair in wanted}, platform_id__in={pair[1] for pair in wanted}
    )
    found = {(row.tenant_id, row.platform_id): str(row) for row in rows.defer("payload", "search")}
    return {pair: found[pair] for pair in wanted if pair in found}


def account_option(account_id: str) -> dict[str, str]:
    """Offer one account, chosen on its own page, in the filters of a list; no list offers thousands of them."""
    return {account_id: account_names([account_id]).get(account_id, "A customer not in the portal")} if account_id else {}


def own_domains(account_ids: Iterable[str]) -> dict[str, str]:
    """Find the mail domains of accounts, as domain -> id, where no other customer names the same one.

    Where several accounts of one customer name it, it stands under one of those that were asked for, its main one if it can be.
    """
    found: dict[str, set[str]] = defaultdict(set)
    for batch in key_batches(account_ids):
        named = Account.objects.present().filter(platform_id__in=batch).exclude(domain="").values("domain")
        rows = Account.objects.present().filter(domain__in=named).order_by()
        for domain, platform_id in rows.values_list("domain", "platform_id"):
            found[domain].add(platform_id)
    wanted = set(account_ids)
    wholes = customers_of(key for keys in found.values() if len(keys) > 1 for key in keys)
    return {domain: key for domain, keys in found.items() if (key := _own(keys, wanted, wholes))}


def _own(keys: set[str], wanted: set[str], wholes: Mapping[str, MergedAccount]) -> str:
    """Choose whose a domain is; empty where it is nobody's."""
    if len(keys) > 1 and len({wholes[key].main_id for key in keys}) > 1:
        return ""
    return min(keys & wanted, key=lambda key: (key in wholes and wholes[key].main_id != key, key), default="")
