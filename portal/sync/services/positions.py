"""How far back a list that only grows is read: mostly its news, once a day further, and the first time all of it."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Protocol

from django.utils import timezone

from portal.platform_api import Page
from portal.platform_api.errors import NotFound, UnexpectedAnswer, Unreadable
from portal.platform_api.paging import Items
from portal.sync.models import ListPosition, Run

LATE = timedelta(hours=2)
"""An entry that appears so long after its date is still met by the next reading."""
VERY_LATE = timedelta(days=7)
"""The same for the one reading a day that looks further back."""
A_DAY = timedelta(hours=23)
"""A little less than a day, so that readings once an hour do not move it later from day to day."""
MAX_LOOKED_THROUGH = 1000


class Identified(Protocol):
    @property
    def id(self) -> str: ...


def looks_further(kind: str, *, at: datetime) -> bool:
    """Say whether a reading that begins then is the one of the day that looks at more than the news."""
    position = ListPosition.objects.filter(kind=kind).first()
    return position is None or position.whole_at is None or at - position.whole_at >= A_DAY


def read_since(kind: str) -> datetime | None:
    """Return the date from which on a list is asked for; None: from the beginning.

    Counted from the end of the last complete reading, never from the rows: a reading that was broken off has stored the
    newest entries, and not yet those before them.
    """
    position = ListPosition.objects.filter(kind=kind).first()
    if position is None or position.newest_at is None:
        return None
    return position.newest_at - (VERY_LATE if looks_further(kind, at=timezone.now()) else LATE)


def page_since[T](read: Callable[[str | None, datetime | None], Page[T]], kind: str, cursor: str | None) -> Page[T]:
    """Read on from a date that stays the same over all pages of one reading: the cursor carries it along."""
    since = read_since(kind) if cursor is None else None
    text, _, inner = (cursor or f"{since.isoformat() if since else ''}|").partition("|")
    return with_prefix(read(inner or None, datetime.fromisoformat(text) if text else None), text)


def with_prefix[T](page: Page[T], prefix: str) -> Page[T]:
    """Carry what holds for the whole reading along in the cursor."""
    return page if page.next_cursor is None else replace(page, next_cursor=f"{prefix}|{page.next_cursor}")


def find_listed[T: Identified](entries: Iterable[T], entry_id: str) -> T:
    """Look one entry up of which nothing but its list tells.

    Raises NotFound; Unreadable where it may be what could not be read of the list, and UnexpectedAnswer where the list goes on
    for so long that nobody looks through all of it: it may be there.
    """
    for number, each in enumerate(entries):
        if each.id == entry_id:
            return each
        if number == MAX_LOOKED_THROUGH:
            raise UnexpectedAnswer("GET", "", message=f"past the first {MAX_LOOKED_THROUGH:,} entries of its list")
    for unread in entries.unread if isinstance(entries, Items) else ():
        if unread.id in ("", entry_id):
            raise Unreadable("GET", "", model="An entry of the list", problem=unread.problem)
    raise NotFound("GET", "", message="the list does not name it")


def note_read(kind: str, began_at: datetime, *, newest_at: datetime | None = None) -> None:
    """Note that a list was read to its end. A date in the future is a mistake, and would hide what follows: leave it out."""
    if looks_further(kind, at=began_at) and Run.objects.filter(kind=kind, nameless__gt=0).exists():
        # Entries without an id could not be read, and cannot be asked for: once a day the next reading begins anew for them.
        newest_at = None
    values: dict[str, datetime | None] = {"newest_at": newest_at}
    if looks_further(kind, at=began_at):
        values["whole_at"] = began_at
    ListPosition.objects.update_or_create(kind=kind, defaults=values)
