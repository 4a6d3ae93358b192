"""What somebody looks at is fetched now, ahead of what only changed."""

from portal.lib.outages import if_writable
from portal.sync.services import mark_stale
from portal.sync.wake import wake_drain


@if_writable()
def ask_for(kind: str, object_id: str) -> None:
    """Have an object fetched because a page shows it. During an outage of the database the page shows what is there."""
    mark_stale(kind, object_id, urgent=True)
    wake_drain()
