"""People whom nobody has matched to a customer, put together by mail domain from what the desks know."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import urlencode

from portal.accounts.models import Account
from portal.accounts.selectors import Match, matches_by_domain
from portal.accounts.unmatched_people import kinds_of_people
from portal.customers.models import Dismissal, Kind
from portal.page_refresh.services import cached_by_version

SEVERAL = 2
"""People of one mail domain who are worth a customer of their own; a single one may be anybody."""
MAX_LOOKED_AT = 2000
"""Domains, those with the most people first; more would take more queries than a page may."""
MAX_SHOWN = 100


@dataclass(frozen=True)
class Suggestion:
    """What could be done about the people of one mail domain."""

    domain: str
    kind: Kind
    numbers: Mapping[str, int]
    """How many people of each kind there are."""
    match: Match = field(default_factory=lambda: Match(()))

    @property
    def total(self) -> int:
        return sum(self.numbers.values())

    @property
    def account(self) -> Account | None:
        """The one customer with this mail domain."""
        return self.match.account

    @property
    def description(self) -> str:
        people = kinds_of_people()
        return ", ".join(people[name].describe(number) for name, number in self.numbers.items())

    @property
    def title(self) -> str:
        if self.kind == Kind.CREATE:
            return f"Create a customer for {self.domain}"
        if self.account:
            return f"Attach {self.description} of {self.domain} to {self.account}"
        return f"{self.description} of {self.domain}: {self.match.description}?"

    def places(self, slug: str) -> list[tuple[str, str]]:
        """Where their desks list these people."""
        people = kinds_of_people()
        places = [(people[name].describe(number), people[name].place(self.domain)) for name, number in self.numbers.items()]
        # The title has told their number already.
        is_told = self.kind == Kind.ATTACH and len(places) == 1
        return [("See who they are" if is_told else words, place.url(slug)) for words, place in places]

    @property
    def form_query(self) -> str:
        """Fills the form of a new customer."""
        return urlencode({"name": company_of(self.domain), "domain": self.domain})


@dataclass(frozen=True)
class Inbox:
    """The suggestions that are open, those that were put away, and how many more there are."""

    open: list[Suggestion]
    dismissed: list[Suggestion]
    more: int


def inbox() -> Inbox:
    """Put the suggestions together, those about the most people first."""
    numbers = _numbers()
    domains = sorted(numbers, key=lambda domain: (-sum(numbers[domain].values()), domain))[:MAX_LOOKED_AT]
    matches = matches_by_domain(domains)
    found = [each for domain in domains if (each := _suggestion(domain, numbers[domain], matches.get(domain)))]
    dismissed = set(Dismissal.objects.values_list("domain", "kind"))
    dismiss_creation = [each for each in found if (each.domain, each.kind) in dismissed]
    still = [each for each in found if (each.domain, each.kind) not in dismissed]
    return Inbox(still[:MAX_SHOWN], dismiss_creation[:MAX_SHOWN], max(len(still) - MAX_SHOWN, 0))


def _numbers() -> Mapping[str, dict[str, int]]:
    found: dict[str, dict[str, int]] = defaultdict(dict)
    for name, people in kinds_of_people().items():
        # Counted over all people of the tenant: once for every change of theirs, not for every look.
        for domain, number in cached_by_version(people.area, f"unlinked:{name}", people.count).items():
            found[domain][name] = number
    return found


def _suggestion(domain: str, numbers: dict[str, int], match: Match | None) -> Suggestion | None:
    if match is None:
        return Suggestion(domain, Kind.CREATE, numbers) if sum(numbers.values()) >= SEVERAL else None
    # Whoever belongs to a customer by the mail domain alone has nothing to be attached with.
    people = kinds_of_people()
    linkable = {name: number for name, number in numbers.items() if people[name].attach}
    return Suggestion(domain, Kind.ATTACH, linkable, match) if linkable else None


def company_of(domain: str) -> str:
    """Guess a company's name: what stands before the last parts of its domain."""
    labels = domain.split(".")
    name = labels[-2] if len(labels) > 1 else domain
    if len(labels) > 2 and len(name) <= 3:
        # As in northwind.co.uk.
        name = labels[-3]
    return name.replace("-", " ").title()
