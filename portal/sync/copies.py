"""What copies of platform objects have in common: a row each, with its id there, what it said, and when it was found gone."""

from typing import Any

from django.db.models import QuerySet
from django.utils import timezone

from portal.lib.database import in_order
from portal.sync.mirrors import Mirror, names_of_rows

MAX_SORT_LENGTH = 300


def mirror_of_copies(kind: str, model: type[Any], *, area: str, unread: tuple[str, ...] = ("payload",), **how: Any) -> Mirror:
    """Describe a kind of which the rows say what is here, and no event tells anything; `unread` are columns no name is in."""

    def mark_gone(object_id: str) -> bool:
        present = model._default_manager.filter(platform_id=object_id, gone_at=None)
        return bool(present.update(gone_at=timezone.now()))

    return Mirror(
        kind=kind,
        names=names_of_rows(model, *unread),
        area=area,
        mark_gone=mark_gone,
        has=lambda object_id: model._default_manager.filter(platform_id=object_id).exists(),
        known=lambda: set(model._default_manager.filter(gone_at=None).values_list("platform_id", flat=True)),
        has_events=False,
        **how,
    )


def store_copy(model: type[Any], platform_id: str, columns: dict[str, Any]) -> bool:
    """Save what differs, and that it is there; a row that is equal is not touched, so that open pages stay as they are.

    Return whether anything differed. Runs in the caller's transaction.
    """
    row = model._default_manager.select_for_update().filter(platform_id=platform_id).first()
    if row is None:
        model._default_manager.create(platform_id=platform_id, **columns)
        return True
    different = {name: value for name, value in {**columns, "gone_at": None}.items() if getattr(row, name) != value}
    for name, value in different.items():
        setattr(row, name, value)
    if different:
        row.save(update_fields=list(different))
    return bool(different)


def locked_in_order[Rows: QuerySet[Any]](rows: Rows) -> Rows:
    """Return copies that are locked as they are read, in the order in which a page of them is stored. For a transaction.

    In another order, who changes several at once and who stores the page would wait for each other.
    """
    return rows.select_for_update().order_by(in_order("platform_id"))


def lock_in_order(rows: QuerySet[Any]) -> None:
    """Lock copies before several are changed at once: the statement that changes them takes them in any order."""
    list(locked_in_order(rows).values_list("pk", flat=True))


def sort_key(name: str) -> str:
    """Return what lists are sorted by, for a column of `MAX_SORT_LENGTH`."""
    return name.casefold()[:MAX_SORT_LENGTH]


def search_text(*parts: str) -> str:
    """Return what is searched of an object."""
    return " ".join(filter(None, parts)).casefold()
