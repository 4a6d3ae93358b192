from collections.abc import Mapping
from typing import Any

from django.db import transaction

from portal.audit.chain import seal_after_commit
from portal.audit.models import MAX_TARGET_LENGTH, Entry, Source
from portal.users.models import User


@transaction.atomic
def record(
    action: str,
    *,
    target: tuple[str, str],
    summary: str,
    actor: User | None = None,
    source: Source | None = None,
    details: Mapping[str, Any] | None = None,
) -> Entry:
    """Write down one change of the tenant in scope, in the transaction that makes it.

    `action` reads like `access_request.approve`, `target` is (kind, id), `summary` is one sentence for people.
    """
    entry = Entry.objects.create(
        source=source or (Source.PERSON if actor else Source.SYSTEM),
        actor=actor,
        actor_name=str(actor)[:120] if actor else "",
        action=action,
        target_kind=target[0],
        target_id=target[1][:MAX_TARGET_LENGTH],
        summary=summary[:300],
        details=dict(details or {}),
    )
    seal_after_commit(entry.tenant_id, entry.pk)
    return entry


def history(kind: str, target_id: str, *, limit: int = 50) -> list[Entry]:
    """Return the latest entries of one target, newest first."""
    return list(Entry.objects.filter(target_kind=kind, target_id=target_id)[:limit])
