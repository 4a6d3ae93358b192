"""What tags are called, of which objects tell the ids alone: the desk that has their names registers here how it is asked."""

from collections.abc import Callable, Iterable, Mapping, Set
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import quote, unquote

from portal.accounts.models import Account
from portal.platform_api.identifiers import is_identifier

UNKNOWN_CATEGORY: Final = "Unknown category"
UNKNOWN_TAG: Final = "Unknown tag"
MAX_KEY_LENGTH: Final = 4000
"""Characters of a tag in an address: two ids, with what cannot stand there escaped."""

type Tag = tuple[str, str]
"""The ids of a category and of one of its tags."""


@dataclass(frozen=True)
class TagCategory:
    """What a category and its tags are called."""

    name: str
    tags: Mapping[str, str]
    """The names of its tags by their ids, those included that the platform has no more."""
    removed: Set[str] = frozenset()
    """Ids of the tags that the platform has no more: all of them, if the category is gone."""


@dataclass(frozen=True)
class NamedTag:
    """A tag as pages show it."""

    key: str
    """How addresses say it."""
    name: str
    category: str
    is_known: bool
    is_removed: bool
    """The platform has it no more."""

    @property
    def label(self) -> str:
        return f"{self.category}: {self.name}" if self.category else self.name


@dataclass(frozen=True)
class TagNames:
    """How tag names are looked up in the desk that has them. Both run in the tenant's scope, in one query."""

    fetch: Callable[[Set[str]], Mapping[str, TagCategory]]
    """Takes ids of categories, returns those that are known."""
    ask: Callable[[Set[Tag]], None]
    """Has the platform asked for tags that are not known here."""


_registered: list[TagNames] = []


def register_tag_names(names: TagNames) -> None:
    """Make known how the names of tags are asked for."""
    _registered.append(names)


def known_categories(category_ids: Set[str]) -> dict[str, TagCategory]:
    """Return those of these categories that are known here, by their ids."""
    found: dict[str, TagCategory] = {}
    for names in _registered if category_ids else ():
        found |= names.fetch(category_ids)
    return found


def ask_for_names(tags: Set[Tag]) -> None:
    """Have the names of tags read that objects have and that are not known here."""
    for names in _registered if tags else ():
        names.ask(tags)


def tags_in(listed: object) -> list[Tag]:
    """Read the tags that an object of the platform tells, each once. What names none is left out (platform-api 4.1.3)."""
    entries = [each for each in listed if isinstance(each, dict)] if isinstance(listed, list) else []
    pairs: list[tuple[Any, Any]] = [(each.get("categoryId"), each.get("tagId")) for each in entries]
    return list(dict.fromkeys((of, tag) for of, tag in pairs if is_identifier(of) and is_identifier(tag)))


def key_of_tag(tag: Tag) -> str:
    """Return how addresses say a tag. Its ids may hold anything."""
    return "/".join(quote(each, safe="") for each in tag)


def tag_of_key(key: str) -> Tag | None:
    """Return the tag that an address says; None if it says none in just this way."""
    category_id, _, tag_id = key.partition("/")
    tag = unquote(category_id), unquote(tag_id)
    return tag if all(map(is_identifier, tag)) and key_of_tag(tag) == key else None


def name_tags(tags: Iterable[Tag]) -> dict[Tag, NamedTag]:
    """Name tags. Each of them has an entry, also one that nobody knows: it is told apart from others by its id."""
    wanted = list(dict.fromkeys(tags))
    categories = known_categories({category_id for category_id, _ in wanted})
    return {tag: _named(tag, categories.get(tag[0])) for tag in wanted}


def _named(tag: Tag, category: TagCategory | None) -> NamedTag:
    if category is None:
        category = TagCategory("", {})
    return NamedTag(
        key=key_of_tag(tag),
        name=category.tags.get(tag[1], f"{UNKNOWN_TAG} ({tag[1]})"),
        category=category.name,
        is_known=tag[1] in category.tags,
        is_removed=tag[1] in category.removed,
    )


def tags_of(account: Account) -> dict[str, list[str]]:
    """Name the tags of a customer by category; one that is not known here is counted, not named by its id."""
    ids = _tag_ids(account)
    categories = known_categories({category for category, _ in ids})
    found: dict[str, list[str]] = {}
    for category_id, tag_id in ids:
        category = categories.get(category_id)
        title = category.name if category else UNKNOWN_CATEGORY
        found.setdefault(title, []).append((category.tags if category else {}).get(tag_id, UNKNOWN_TAG))
    return found


def _tag_ids(account: Account) -> list[Tag]:
    """Read what the platform tells, which may be of any shape (platform-api 4.1.7), each tag once."""
    entries: list[Any] = [entry for entry in account.tags if isinstance(entry, dict)]
    pairs = [(str(entry.get("categoryId") or ""), str(tag)) for entry in entries for tag in _list(entry.get("tagIds")) if tag]
    return list(dict.fromkeys(pairs))


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
