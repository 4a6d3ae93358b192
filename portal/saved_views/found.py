"""What a search over all desks shows of one row of a list."""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass

from django.db.models import Model

from portal.tenants.models import Role


@dataclass(frozen=True)
class Found:
    """One object that has the words: what it is called, a word about it, and the address of its page."""

    title: str
    note: str
    url: str
    icon: str = ""
    """If not that of its kind."""


type Find = Callable[[str, str, int], Iterable[Found]]
"""Takes the words, the slug of the tenant in scope, and how many are wanted at most."""


@dataclass(frozen=True)
class FoundKind:
    """Objects that a search over all desks finds although no list of their own shows them."""

    label: str
    icon: str
    find: Find
    searched: type[Model]
    """Where they are looked for: its rows tell at once which of several tenants have the words (`tenants_with`)."""
    role: Role
    """Who may open their pages."""


_kinds: dict[str, FoundKind] = {}


def register_found(label: str, *, icon: str, find: Find, searched: type[Model], role: Role = Role.VIEWER) -> None:
    """Make objects known that are part of others: from `AppConfig.ready`. Those of a list come by `register_list`."""
    _kinds[label] = FoundKind(label, icon, find, searched, role)


def found_kinds() -> list[FoundKind]:
    return [*_kinds.values()]


@dataclass(frozen=True)
class Command:
    """Something that is started for one object: "approve" and who asked."""

    words: tuple[str, ...]
    """What it begins with when it is typed."""
    icon: str
    find: Find
    """Takes the words that name the object; without any it gives what it is most needed for."""
    role: Role


_commands: dict[str, Command] = {}


def register_command(words: str, *, icon: str, find: Find, role: Role) -> None:
    """Make a command known, from `AppConfig.ready`: `words` as people type them before the object."""
    _commands[words] = Command(tuple(words.split()), icon, find, role)


def commands() -> list[Command]:
    return [*_commands.values()]


@dataclass(frozen=True)
class Openable:
    """Objects with a page that people come back to."""

    label: str
    titles: Callable[[Collection[str]], Mapping[str, str]]
    """Names those of these objects that there are in the tenant in scope."""
    url: Callable[[str, str], str]
    """The page of an object in the tenant of this slug."""
    role: Role
    """Who may open it."""


_openable: dict[str, Openable] = {}


def register_openable(
    kind: str,
    *,
    label: str,
    titles: Callable[[Collection[str]], Mapping[str, str]],
    url: Callable[[str, str], str],
    role: Role = Role.VIEWER,
) -> None:
    """Have the search offer again what was opened, from `AppConfig.ready`. What people comment on comes by itself."""
    _openable[kind] = Openable(label, titles, url, role)


def openable(kind: str) -> Openable | None:
    return _openable.get(kind)
