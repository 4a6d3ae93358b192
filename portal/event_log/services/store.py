"""What the platform says of its event log becomes rows. Runs in the caller's transaction."""

from portal.event_log.models import MAX_WORD_LENGTH, LogEntry, LogTarget
from portal.lib.storable import storable
from portal.platform_api.identifiers import reference
from portal.platform_api.models import compliance as remote

MAX_SEARCH_LENGTH = 2000


def store_entry(fetched: remote.EventLogEntry) -> bool:
    """Store one entry unless it is here; True when it is new. What is here is never changed."""
    found = remote.EventLogEntry.read(storable(fetched.raw))
    if LogEntry.objects.filter(platform_id=found.id).exists():
        return False
    actor = found.actor or remote.Party()
    actor_type = (actor.type or "")[:MAX_WORD_LENGTH]
    targets = [((target.type or "")[:MAX_WORD_LENGTH], reference(target.id)) for target in found.targets]
    words = [found.action, actor_type, *(f"{kind} {platform_id}" for kind, platform_id in targets)]
    entry = LogEntry.objects.create(
        platform_id=found.id,
        at=found.date,
        action=found.action[:MAX_WORD_LENGTH],
        actor_type=actor_type,
        actor_id=reference(actor.id),
        payload=found.raw,
        search=" ".join(words).casefold()[:MAX_SEARCH_LENGTH],
    )
    LogTarget.objects.bulk_create(LogTarget(entry=entry, kind=kind, platform_id=key) for kind, key in targets if key)
    return True
