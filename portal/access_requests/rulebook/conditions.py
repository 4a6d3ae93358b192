"""What a rule asks for. All that is set must hold; a condition that is not set asks for nothing."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any, Self

from portal.access_requests.rulebook.facts import AccountMatch, Facts

FULL, PARTIAL = "FULL_ACCESS", "PARTIAL_ACCESS"
NDA_WORDS = {"SIGNED": "signed", "NOT_REQUIRED": "not required", "INCOMPLETE": "incomplete"}
LEVEL_WORDS = {FULL: "everything", PARTIAL: "chosen documents"}


class DomainIs(StrEnum):
    """How domains are compared."""

    EQUAL = "is"
    ENDS = "ends"


class AccountIs(StrEnum):
    """What is asked of the account."""

    ANY = ""
    MATCHED = "matched"
    UNMATCHED = "unmatched"
    ONE_OF = "one_of"


@dataclass(frozen=True, kw_only=True)
class Conditions:
    """The conditions of one rule. None and empty mean: whatever it is."""

    domains: tuple[str, ...] = ()
    domain_is: str = DomainIs.EQUAL
    account: str = AccountIs.ANY
    account_ids: tuple[str, ...] = ()
    account_ndas: tuple[str, ...] = ()
    contract: bool | None = None
    free_mail: bool | None = None
    blocked: bool | None = None
    office_hours: bool | None = None
    sensitive: bool | None = None
    known: bool | None = None
    level: str = ""

    @classmethod
    def read(cls, kept: Mapping[str, Any]) -> Self:
        lists = ("domains", "account_ids", "account_ndas")
        values: dict[str, Any] = {name: tuple(value) if name in lists else value for name, value in kept.items()}
        return cls(**values)

    def as_json(self) -> dict[str, Any]:
        return {name: list(value) if isinstance(value, tuple) else value for name, value in asdict(self).items()}

    def hold(self, facts: Facts) -> bool:
        """Say whether everything that is asked for is so."""
        return all(holds for holds, _ in self.parts(facts, {}))

    def describe(self, account_names: Mapping[str, str]) -> list[str]:
        """Say what is asked for, one phrase for each condition."""
        return [words for _, words in self.parts(Facts(), account_names)]

    def parts(self, facts: Facts, account_names: Mapping[str, str]) -> Iterator[tuple[bool, str]]:
        """Walk what is asked for: whether it holds, and in words."""
        if self.domains:
            how = "ends with" if self.domain_is == DomainIs.ENDS else "is"
            yield self._domain_holds(facts.domain), f"the domain {how} {_either(self.domains)}"
        if self.account:
            yield self._account_holds(facts), self._account_words(account_names)
        if self.account_ndas:
            said = _either([NDA_WORDS.get(each, each) for each in self.account_ndas])
            yield facts.account_nda in self.account_ndas, f"the company NDA is {said}"
        for wanted, is_so, yes, no in (
            (self.contract, facts.has_contract, "there is a contract on record", "there is no contract on record"),
            (self.free_mail, facts.is_free_mail, "it is a free-mail domain", "it is not a free-mail domain"),
            (self.blocked, facts.is_blocked, "the domain is blocked", "the domain is not blocked"),
            (self.office_hours, facts.in_office_hours, "requested within office hours", "requested outside office hours"),
            (self.sensitive, facts.is_sensitive, "a sensitive document is requested", "no sensitive document is requested"),
            (self.known, facts.approved_before > 0, "the domain was approved before", "the domain was never approved before"),
        ):
            if wanted is not None:
                yield is_so == wanted, yes if wanted else no
        if self.level:
            yield facts.access_level == self.level, f"the requested access is {LEVEL_WORDS.get(self.level, self.level)}"

    def _domain_holds(self, domain: str) -> bool:
        if self.domain_is == DomainIs.EQUAL:
            return domain in self.domains
        # `acme.example` and what is below it, never `notacme.example`.
        return any(domain == each or domain.endswith(f".{each}") for each in self.domains)

    def _account_holds(self, facts: Facts) -> bool:
        is_one = facts.account == AccountMatch.ONE
        if self.account == AccountIs.ONE_OF:
            return is_one and facts.account_id in self.account_ids
        # Several accounts are neither: nobody can tell which one it is.
        return is_one if self.account == AccountIs.MATCHED else facts.account == AccountMatch.NONE

    def _account_words(self, names: Mapping[str, str]) -> str:
        if self.account == AccountIs.ONE_OF:
            return f"the account is {_either([names.get(each, each) for each in self.account_ids])}"
        return "an account has the domain" if self.account == AccountIs.MATCHED else "no account has the domain"


def _either(words: list[str] | tuple[str, ...]) -> str:
    first, last = words[:-1], words[-1:]
    return " or ".join([*([", ".join(first)] if first else []), *last])
