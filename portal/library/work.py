"""Entries that somebody has to look at again, as work."""

from collections.abc import Iterable
from functools import partial

from django.db.models import QuerySet
from django.urls import reverse

from portal.calendars.models import OfficeHours
from portal.calendars.selectors import end_of_days
from portal.library.models import DUE_SOON, Entry
from portal.work_items.kinds import EVERY, Item, Kind, Searched, Source, register_kind
from portal.work_items.services import members_among


def _dated() -> QuerySet[Entry]:
    return Entry.objects.dated()


def build(ids: Iterable[int]) -> dict[int, Item]:
    """Make the items of the entries that are due on some day; each shows from two weeks before until it was verified."""
    rows = list(_dated().filter(pk__in=list(ids)).select_related("owner").defer("search", "text"))
    end_of = end_of_days({row.tenant_id for row in rows})
    members = members_among((row.tenant_id, row.owner_id) for row in rows)
    items = {}
    for row in rows:
        is_here = (row.tenant_id, row.owner_id) in members
        # What nobody has verified yet waits from the start.
        due_at = end_of(row.tenant_id, row.due_sort) if row.verified_at else None
        items[row.pk] = Item(
            title=str(row),
            to_do=_to_do(row),
            url=partial(_url, row.pk),
            due_at=due_at,
            visible_from=due_at - DUE_SOON if due_at else None,
            owner_id=row.owner_id if is_here else None,
            owner_name=str(row.owner) if is_here else "",
        )
    return items


def _to_do(row: Entry) -> str:
    if row.verified_at and row.due_sort == row.expires_on:
        return "Expires: verify it or delete it"
    return "Review: verify it or change it"


def _url(entry_id: int, slug: str) -> str:
    return reverse("library:entry", args=[slug, entry_id])


def register() -> None:
    register_kind(
        Kind(
            name="library_entry",
            label="Library entry",
            icon="book-open-check",
            desk="Library",
            sources=(
                Source(model=Entry, columns=("question", "owner", "verified_at", "due_sort", "expires_on")),
                Source(model=OfficeHours, columns=("zone",), key=EVERY),
            ),
            build=build,
            searched=Searched(Entry),
            objects=_dated,
            has_owners=True,
        )
    )
