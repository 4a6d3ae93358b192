"""People whom no account is named for, by mail domain: each desk registers here how many it knows, from `AppConfig.ready`."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from portal.accounts.links import Link
from portal.accounts.models import Account
from portal.tenants.models import Membership

type Count = Callable[[], Mapping[str, int]]
"""Returns how many people of each mail domain belong to no account, as something that can be kept in a cache.

Domains at which anybody gets an address are left out by the desk, which knows the tenant's own list of them.
"""
type Place = Callable[[str], Link]
"""Says where the desk lists the people of a mail domain."""
type Attach = Callable[[str, Account, Membership], Link]
"""Has the people of a domain linked to an account, in the desk's own way; returns the page that tells how far it is."""


class NotAttached(Exception):
    """Nobody was attached; the message says why."""


@dataclass(frozen=True, kw_only=True)
class People:
    """One kind of people, as their desk knows them."""

    nouns: tuple[str, str]
    """Call one of them, and several."""
    area: str
    """The live area that their numbers change with."""
    kind: str
    """The kind of the platform's objects that they are: until its list was read, nobody knows that there is none."""
    count: Count
    place: Place
    attach: Attach | None = None
    """None: they belong to an account by their mail domain alone, and there is nothing to be linked."""

    def describe(self, number: int) -> str:
        return f"{number} {self.nouns[number != 1]}"


_people: dict[str, People] = {}


def register_people(name: str, people: People) -> None:
    """Make a kind of people known."""
    _people[name] = people


def kinds_of_people() -> Mapping[str, People]:
    """Return every kind of people that a desk has made known."""
    return _people
