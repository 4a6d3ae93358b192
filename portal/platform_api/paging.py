"""Lists: one page, or all of them lazily."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from portal.platform_api.errors import EndlessList, NotFound, PermissionRefused, UnexpectedAnswer, Unreadable
from portal.platform_api.identifiers import is_identifier
from portal.platform_api.models import Listed, Remote
from portal.platform_api.models.remote import size_problem
from portal.platform_api.trails import Trail

PAGE_SIZE: Final = 100
"""The most the platform gives in one page (platform-api 1.3)."""


@dataclass(frozen=True)
class Unread:
    """One item of a list that could not be read. `id` is empty when not even that could."""

    id: str
    problem: str


class Items[T](list[T]):
    """The items of a list that could be read, and those that could not."""

    def __init__(self, items: Iterable[T] = (), *, unread: Sequence[Unread] = ()) -> None:
        super().__init__(items)
        self.unread = tuple(unread)


@dataclass(frozen=True)
class Page[T]:
    """One page of a list. `next_cursor` is None on the last one."""

    items: list[T]
    next_cursor: str | None
    unread: tuple[Unread, ...] = ()
    """Items that could not be read: the others are here, and the list goes on (guarantee Q14)."""

    @property
    def unread_ids(self) -> list[str]:
        """The ids of those that have one: a page with new ones is no circle, although nothing of it can be read."""
        return [each.id for each in self.unread if each.id]


def read_page[T: Remote](decoded: Any, model: type[T], method: str, template: str) -> Page[T]:
    """Read the paged envelope. Raises UnexpectedAnswer."""
    match decoded:
        case {"results": {"data": list(items), **rest}}:
            info = rest.get("pageInfo") or {}
            if isinstance(info, dict):
                found = read_items(items, model)
                return Page(found, next_cursor(info, method, template), found.unread)
    raise UnexpectedAnswer(method, template, message="this is not a page of a list")


def whole_list[T](items: list[T]) -> Page[T]:
    """Make one page of a list that comes in one piece."""
    return Page(items, None, items.unread if isinstance(items, Items) else ())


def read_items[T: Remote](decoded: Sequence[Any], model: type[T]) -> Items[T]:
    """Read each item by itself."""
    items: list[T] = []
    unread = []
    for item in decoded:
        try:
            items.append(read_item(item, model))
        except Unreadable as error:
            unread.append(Unread(id_of(item), error.problem))
    return Items(items, unread=unread)


def read_item[T: Remote](decoded: Any, model: type[T], method: str = "", template: str = "") -> T:
    """Read one object. Raises Unreadable for one that lacks what nobody can do without, or is out of all proportion."""
    if problem := size_problem(decoded):
        raise Unreadable(method, template, model=model.__name__, problem=problem)
    return model.read(decoded, method, template)


def id_of(decoded: Any) -> str:
    # A risk scenario has no other id than its riskId (platform-api 4.9).
    found = decoded.get("id", decoded.get("riskId")) if isinstance(decoded, dict) else None
    return found if isinstance(found, str) and is_identifier(found) else ""


def next_cursor(info: dict[str, Any], method: str, template: str) -> str | None:
    """Return where the next page begins. Both cursors may be missing on the last page (platform-api 7.22)."""
    if not info.get("hasNextPage"):
        return None
    cursor = info.get("endCursor")
    if not isinstance(cursor, str) or not cursor:
        # To stop here would pass a part off as the whole, and what is missing as deleted.
        raise UnexpectedAnswer(method, template, message="the list goes on, but its cursor is missing")
    return cursor


def read_list[T: Remote](decoded: Any, model: type[T], method: str, template: str, *, is_bare: bool = False) -> Items[T]:
    """Read a list without pages: `results`, `results.data`, or for a few the bare list (platform-api 1.3).

    Raises UnexpectedAnswer.
    """
    match {"results": decoded} if is_bare else decoded:
        case {"results": list(items)} | {"results": {"data": list(items)}}:
            return read_items(items, model)
    raise UnexpectedAnswer(method, template, message="this is not a list")


def walk[T: Listed](fetch: Callable[[str | None], Page[T]]) -> Iterator[T]:
    """Walk all pages, fetching only as far as the caller reads.

    A list may change while it is paged: an object that is met again is left out. Raises EndlessList, and UnexpectedAnswer at
    the end of a list with items that cannot be read: whoever has not found what he looks for must not think it is not there.
    """
    met: set[str] = set()
    unread = 0
    for page in pages(fetch):
        unread += len(page.unread)
        for item in page.items:
            if item.id not in met:
                met.add(item.id)
                yield item
    if unread:
        raise UnexpectedAnswer("GET", "", message=f"{unread} of the list's items could not be read")


def pages[T: Listed](fetch: Callable[[str | None], Page[T]], *, cursor: str | None = None) -> Iterator[Page[T]]:
    """Fetch page after page to the end of the list. Raises EndlessList, with the pages before it given out."""
    trail = Trail()
    while True:
        page = fetch(cursor)
        yield page
        if page.next_cursor is None:
            return
        trail.follow(page.next_cursor, [*(item.id for item in page.items), *page.unread_ids])
        cursor = page.next_cursor


@dataclass(frozen=True)
class Collected[T]:
    """What could be read of a whole list. `circle` says why the list did not end, `refusal` why nothing of it was given."""

    items: list[T]
    unread: tuple[Unread, ...] = ()
    circle: str = ""
    refusal: NotFound | PermissionRefused | None = None

    @property
    def is_whole(self) -> bool:
        """Whether what is named nowhere in it, unread ones included, is not on the platform."""
        return not self.circle and self.refusal is None and all(each.id for each in self.unread)

    @property
    def problem(self) -> str:
        """Say what could not be read; empty when nothing."""
        if self.refusal:
            is_missing = isinstance(self.refusal, NotFound)
            return "the platform has no such list" if is_missing else "the platform refuses to show them"
        return f"the list does not end: {self.circle}" if self.circle else describe(self.unread)


def collect[T: Listed](fetch: Callable[[str | None], Page[T]]) -> Collected[T]:
    """Read a whole list at once, as far as it can be read."""
    found: dict[str, T] = {}
    unread: list[Unread] = []
    circle = ""
    try:
        for page in pages(fetch):
            found |= {item.id: item for item in page.items if item.id not in found}
            unread += page.unread
    except EndlessList as error:
        circle = error.message
    return Collected([*found.values()], tuple(unread), circle)


def collect_granted[T: Listed](fetch: Callable[[str | None], Page[T]]) -> Collected[T]:
    """Read one of several lists of an object: that it is refused, or said to be missing, says nothing about the others."""
    try:
        return collect(fetch)
    except (NotFound, PermissionRefused) as error:
        return Collected([], refusal=error)


def collect_each[Key](fetches: Mapping[Key, Callable[[str | None], Page[Any]]]) -> dict[Key, Collected[Any]]:
    """Read all lists of an object. Raises why where none of them is given: NotFound only where the platform has none."""
    found = {key: collect_granted(fetch) for key, fetch in fetches.items()}
    refusals = [each.refusal for each in found.values() if each.refusal]
    if refusals and len(refusals) == len(found):
        raise next((each for each in refusals if isinstance(each, PermissionRefused)), refusals[0])
    return found


def describe(unread: Sequence[Unread]) -> str:
    """Say what could not be read; empty when nothing."""
    if not unread:
        return ""
    first = unread[0]
    named = f"{first.problem} (id {first.id})" if first.id else first.problem
    return f"{len(unread)} item{'s' if len(unread) > 1 else ''} could not be read: {named}"
