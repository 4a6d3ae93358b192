"""Which account somebody belongs to. A domain that two accounts claim is nobody's: it is never guessed."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from portal.accounts.models import Account
from portal.tenants.personal_data import fold

PIECE = 500
"""Ids in one query: some databases take no more than a thousand."""


@dataclass(frozen=True)
class Match:
    """The accounts that name one mail domain: one, or more of which nobody can tell the right one."""

    accounts: tuple[Account, ...]

    @property
    def account(self) -> Account | None:
        """The account, if there is no doubt."""
        return self.accounts[0] if len(self.accounts) == 1 else None

    @property
    def is_ambiguous(self) -> bool:
        return len(self.accounts) > 1

    @property
    def words(self) -> str:
        """The account's name; of several all names, for a person to choose."""
        return " or ".join(str(account) for account in self.accounts)


def fold_domain(text: str) -> str:
    """Spell a mail domain so that two spellings of it are equal."""
    return fold(text).removeprefix("@").rstrip(".")


def matches_by_domain(domains: Iterable[str]) -> dict[str, Match]:
    """Find the accounts of mail domains, as those are spelled by `fold_domain`; a domain without any is left out."""
    found: dict[str, list[Account]] = defaultdict(list)
    for piece in _pieces(domains):
        for account in Account.objects.present().of_domains(piece).defer("payload", "search").order_by("name", "id"):
            found[account.domain].append(account)
    return {domain: Match(tuple(accounts)) for domain, accounts in found.items()}


def accounts_by_domain(domains: Iterable[str]) -> dict[str, Account]:
    """Find the account of each mail domain; a domain that no account names, or more than one, is left out."""
    return {domain: match.account for domain, match in matches_by_domain(domains).items() if match.account}


def accounts_by_id(account_ids: Iterable[str]) -> dict[str, Account]:
    """Find accounts by the platform's ids; one that is not known here or gone is left out."""
    found: dict[str, Account] = {}
    for piece in _pieces(account_ids):
        rows = Account.objects.present().filter(platform_id__in=piece).defer("payload", "search")
        found |= {account.platform_id: account for account in rows}
    return found


def account_names(account_ids: Iterable[str]) -> dict[str, str]:
    return {key: str(account) for key, account in accounts_by_id(account_ids).items()}


def own_domains(account_ids: Iterable[str]) -> dict[str, str]:
    """Find the mail domains of accounts, as domain -> id, where no other account names the same one."""
    found: dict[str, set[str]] = defaultdict(set)
    for piece in _pieces(account_ids):
        named = Account.objects.present().filter(platform_id__in=piece).exclude(domain="").values("domain")
        for domain, platform_id in Account.objects.present().filter(domain__in=named).values_list("domain", "platform_id"):
            found[domain].add(platform_id)
    wanted = set(account_ids)
    return {domain: key for domain, (key, *others) in found.items() if not others and key in wanted}


def _pieces(keys: Iterable[str]) -> Sequence[set[str]]:
    wanted = sorted(set(keys) - {""})
    return [set(wanted[start : start + PIECE]) for start in range(0, len(wanted), PIECE)]
