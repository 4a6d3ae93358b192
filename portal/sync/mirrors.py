"""What a desk hands to `sync` so that its rows are kept equal to the platform's objects."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from portal.platform_api import Page, Platform
from portal.tenants.models import TenantModel

type Names = Callable[[Collection[str]], Mapping[str, str]]


def names_of_rows(model: type[TenantModel], *unread: str) -> Names:
    """Return how to name those objects that have a row. `unread`: large columns that no name is made of."""

    def names(ids: Collection[str]) -> Mapping[str, str]:
        rows = model._default_manager.filter(platform_id__in=ids).defer(*unread)  # type: ignore[misc]
        return {row.platform_id: str(row) for row in rows}  # type: ignore[attr-defined]

    return names


@dataclass(frozen=True, kw_only=True)
class Mirror:
    """One kind of object. Every callable runs in the tenant's scope; `fetch` and `page` outside of any transaction."""

    kind: str
    """The name in stale marks, for example `questionnaire`."""
    title: str
    """The name on pages, for example `Questionnaires`."""
    area: str
    """The live area that pages of this kind watch."""
    fetch: Callable[[Platform, str], Any]
    """Get one object by the platform's id. Raises NotFound when it is gone."""
    save: Callable[[Any], bool]
    """Store what `fetch` returned or one item of a page; True when a row changed. Runs in a transaction."""
    mark_gone: Callable[[str], bool]
    """The platform has no such object any more: keep the row, show it as gone; True when a row changed."""
    has: Callable[[str], bool] = lambda object_id: False
    """Whether we have ever had the object: one that neither side has ever had was an example."""
    names: Names = lambda ids: {}
    """What objects are called, by their ids; those that were never stored have no name here."""
    page: Callable[[Platform, str | None], Page[Any]] | None = None
    """Get one page of the whole list from a cursor on; None when there is no list (children are fetched by their parent)."""
    identify: Callable[[Any], str] = lambda remote: remote.id
    """The platform's id of one item of a page."""
    before_save: Callable[[Sequence[Any]], None] = lambda remotes: None
    """Mark what has to be fetched again because these are saved; here and not in `save`, which has locked a row already."""
    problem: Callable[[Any], str] = lambda remote: ""
    """What of a fetched object could not be read, although the rest of it is stored; empty when nothing."""
    is_bulk: bool = False
    """One object takes many calls to fetch: it stands back behind news of small ones."""
    is_named_in_lists: bool = False
    """Lists show ids in its place until it is read: it does not stand back behind those that the first copy still lacks."""
    known: Callable[[], set[str]] | None = None
    """The ids our rows hold as present: those that a complete list does not name are gone. None when the list is partial."""
    has_no_get: bool = False
    """No call of its own tells that an object is gone, only lists that do not name it: that takes two looks (guarantee Q15)."""
    answers_for_removed: bool = False
    """A removed object can still be fetched: it is gone when two comparisons, two minutes apart, have not named it."""
    has_events: bool = True
    """Events tell of changes, so that what only a comparison finds was missed. Without, the comparison is how news come."""
    is_log: bool = False
    """The list only grows, and its first reading may take hours: it comes last, and nothing waits until it was read."""
    finish: Callable[[datetime], None] = lambda began_at: None
    """The list was read to its end; runs in the transaction that says so, with the time at which the reading began."""

    def store(self, remote: Any) -> bool:
        """Save one object together with the marks that follow from it; True when a row changed."""
        self.before_save([remote])
        return self.save(remote)


_registered: dict[str, Mirror] = {}


def register_mirrors(mirrors: Sequence[Mirror]) -> None:
    """Make all mirrors known to the pages, from the `AppConfig.ready` of the room that has them all."""
    _registered.update({mirror.kind: mirror for mirror in mirrors})


def names_of(kind: str, object_ids: Collection[str]) -> Mapping[str, str]:
    """Name objects of one kind, as far as they are known here."""
    return _registered[kind].names(object_ids) if kind in _registered else {}
