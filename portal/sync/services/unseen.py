"""The rows that no page of a comparison has named yet: present when it began, and looked at once its list has ended.

One row each: a page removes what it names, whatever the number of the others. Call it in the transaction that holds the run.
"""

from collections.abc import Collection

from portal.lib.database import insert_each
from portal.sync.models import UnseenRow
from portal.sync.services.marks import CHUNK
from portal.tenants.scope import current_tenant_id


def replace_unseen(kind: str, object_ids: Collection[str]) -> None:
    """Store what the pages of a comparison that begins have to name; what one before it has left goes."""
    clear_unseen([kind])
    wanted = sorted(object_ids)
    for start in range(0, len(wanted), CHUNK):
        insert_each(UnseenRow, {"object_id": wanted[start : start + CHUNK]}, tenant_id=current_tenant_id(), kind=kind)


def clear_unseen(kinds: Collection[str]) -> None:
    """Take out what comparisons of these kinds have left."""
    UnseenRow.objects.filter(kind__in=kinds).delete()


def remove_unseen(kind: str, object_ids: Collection[str]) -> None:
    """Take out what a page has named, or what was looked at."""
    UnseenRow.objects.filter(kind=kind, object_id__in=object_ids).delete()


def first_unseen(kind: str) -> str | None:
    """Return the id of the row that is looked at next; None when none is left."""
    return UnseenRow.objects.filter(kind=kind).order_by("object_id").values_list("object_id", flat=True).first()
