"""What desks register: which of their rows are something to do, and what can be done about them at once."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any

from django.db.models import Model, QuerySet

from portal.search.models import SearchedModel
from portal.tenants.models import Membership, Role

EVERY = "0"
"""As the key of a source: a change there concerns every object of the kind."""


@dataclass(frozen=True, kw_only=True)
class Item:
    """One thing to do, as its desk says it now."""

    title: str
    to_do: str
    """What is to do, in a few words."""
    to_wait_for: str = ""
    """What stands there instead for whoever asked for it, where they wait for somebody else to do it."""
    url: Callable[[str], str]
    """Its page in the tenant of this slug."""
    customer: str = ""
    account_id: str = ""
    """The customer's account; its name is looked up where it is shown."""
    due_at: datetime | None = None
    visible_from: datetime | None = None
    visible_until: datetime | None = None
    owner_id: int | None = None
    owner_name: str = ""
    """Who has it; they need not be a member here."""
    asked_by_id: int | None = None
    is_with_others: bool = False
    role: Role = Role.ANALYST
    actions: Sequence[str] = ()
    """What can be done about it now, by the keys of the kind's actions; the first one is the main one."""


@dataclass(frozen=True, kw_only=True)
class Source:
    """A table that items of a kind are made of. `key` names the column with the object's key."""

    model: type[Model]
    columns: Sequence[str]
    """An update of other columns changes no item."""
    key: str = "id"
    children: tuple[type[Model], str] | None = None
    """Its rows are no objects, but those of this model that lead to it along this path."""


@dataclass(frozen=True)
class Searched:
    """Rows whose words the objects of a kind are found by."""

    model: type[SearchedModel]
    path: str = "pk"
    """From the object to that row."""


class Key(StrEnum):
    """The letters that do something to a row, the same on the rows of every desk."""

    ACCEPT = "a"
    """Goes on with it: approve, take, try again."""
    CLOSE = "d"
    """Has done with it: deny, resolve, mark decided."""
    ASSIGN = "o"
    EXTEND = "e"


@dataclass(frozen=True, kw_only=True)
class Action:
    """Something that can be done from the list. `run` calls the desk's own service, which checks the role."""

    label: str
    key: Key
    role: Role
    run: Callable[[int, Membership, Mapping[str, str]], str]
    """Does it with the object's key, and says in a few words what was done."""
    options: Callable[[], Sequence[tuple[str, str]]] | None = None
    """What has to be chosen first, as (value, label); the choice is called `value`."""
    asks: str = ""
    """What stands above the options, such as “Extend by”."""
    is_typed: bool = False
    """There are many: one of the labels is typed, and is the choice."""
    is_for_others: bool = False
    """Whoever asked for it cannot do it."""


@dataclass(frozen=True, kw_only=True)
class Kind:
    """One kind of work of one desk."""

    name: str
    label: str
    icon: str
    desk: str
    """How the filter calls the desk."""
    sources: Sequence[Source]
    build: Callable[[Iterable[int]], dict[int, Item]]
    """Makes the items of these objects; those about which nothing is to do are left out.

    The objects may be of several tenants: what it reads beside them it reads for the tenant of each.
    """
    objects: Callable[[], QuerySet[Any]]
    """Every object that may be something to do."""
    has_owners: bool = False
    """Its items are owned: who joins, leaves or is called otherwise changes who has them."""
    searched: Searched | None = None
    """Whose words its items are found by; those of a kind without it are found by the name of their tenant alone."""
    is_asked_by_tenant: bool = False
    """Its items cannot be made for several tenants at once."""
    is_told_by_desk: bool = False
    """Its desk tells people when it begins: that it is overdue from then on is no further news."""
    actions: Mapping[str, Action] = field(default_factory=dict)
    refusals: tuple[type[Exception], ...] = ()
    error_message: Callable[[Exception, str], str] = lambda error, slug: str(error)
    """Says why an action was refused, for the tenant of this slug."""


_kinds: dict[str, Kind] = {}


def register_kind(kind: Kind) -> None:
    """Make a kind of work known. From `AppConfig.ready`."""
    _kinds[kind.name] = kind


def kinds() -> list[Kind]:
    return list(_kinds.values())


def kind_named(name: str) -> Kind | None:
    return _kinds.get(name)


def desks() -> dict[str, str]:
    """Return the desks that have work, as the filter offers them."""
    return {kind.desk: kind.desk for kind in _kinds.values()}
