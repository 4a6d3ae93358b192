"""What somebody looks at or waits for is fetched now, ahead of what only changed."""

from collections import defaultdict

from django.db import transaction

from portal.lib.outages import if_writable
from portal.sync.services import mark_many
from portal.sync.services.marks import kinds_in_order
from portal.sync.wake import wake_drain


@transaction.atomic(savepoint=False)
def fetch_now(*objects: tuple[str, str]) -> None:
    """Have objects, each named by its kind and id, fetched now: the mirror shows the truth as soon as it is known.

    Name all of them in one call: it marks them in the order in which everybody locks marks.
    """
    ids_of: dict[str, list[str]] = defaultdict(list)
    for kind, object_id in objects:
        ids_of[kind].append(object_id)
    if not ids_of:
        return
    for kind in kinds_in_order(ids_of):
        mark_many(kind, ids_of[kind], urgent=True)
    wake_drain()


@if_writable()
def ask_for(kind: str, object_id: str) -> None:
    """Have an object fetched because a page shows it. During an outage of the database the page shows what is there."""
    fetch_now((kind, object_id))
