"""What tags are called, of which accounts tell the ids alone: the desk that has their names registers here how it is asked."""

from collections.abc import Callable, Mapping, Set
from dataclasses import dataclass
from typing import Any

from portal.accounts.models import Account

UNKNOWN_CATEGORY = "Unknown category"
UNKNOWN_TAG = "Unknown tag"


@dataclass(frozen=True)
class TagName:
    """A tag and the category that it belongs to, in words."""

    category: str
    tag: str


type Look = Callable[[Set[str]], Mapping[tuple[str, str], TagName]]
"""Takes ids of categories, returns their tags by the ids of category and tag. Runs in the tenant's scope, in one query."""

_looks: list[Look] = []


def register_tag_names(look: Look) -> None:
    """Make known how the names of tags are asked for."""
    _looks.append(look)


def tags_of(account: Account) -> dict[str, list[str]]:
    """Name the tags of a customer by category; one that is not known here is counted, not named by its id."""
    ids = list(_tag_ids(account))
    names: dict[tuple[str, str], TagName] = {}
    for look in _looks if ids else ():
        names |= look({category for category, _ in ids})
    categories = {category: name.category for (category, _), name in names.items()}
    found: dict[str, list[str]] = {}
    for category, tag in ids:
        name = names.get((category, tag))
        found.setdefault(categories.get(category, UNKNOWN_CATEGORY), []).append(name.tag if name else UNKNOWN_TAG)
    return found


def _tag_ids(account: Account) -> list[tuple[str, str]]:
    """Read what the platform tells, which may be of any shape (platform-api 4.1.7)."""
    entries: list[Any] = [entry for entry in account.tags if isinstance(entry, dict)]
    return [(str(entry.get("categoryId") or ""), str(tag)) for entry in entries for tag in _list(entry.get("tagIds")) if tag]


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
