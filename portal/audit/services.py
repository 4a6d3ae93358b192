from collections.abc import Mapping, Sequence
from typing import Any

from django.db import transaction

from portal.audit.chain import seal_after_commit
from portal.audit.models import MAX_TARGET_LENGTH, Entry, Source
from portal.tenants.scope import current_tenant_id
from portal.users.models import User


def new_entry(
    action: str,
    *,
    target: tuple[str, str],
    summary: str,
    actor: User | None = None,
    source: Source | None = None,
    details: Mapping[str, Any] | None = None,
) -> Entry:
    """Return the audit row of one change, not written yet.

    `action` reads like `access_request.approve`, `target` is (kind, id), `summary` is one sentence for people.
    """
    return Entry(
        source=source or (Source.PERSON if actor else Source.SYSTEM),
        actor=actor,
        actor_name=str(actor)[:120] if actor else "",
        action=action,
        target_kind=target[0],
        target_id=target[1][:MAX_TARGET_LENGTH],
        summary=summary[:300],
        details=dict(details or {}),
    )


def record(
    action: str,
    *,
    target: tuple[str, str],
    summary: str,
    actor: User | None = None,
    source: Source | None = None,
    details: Mapping[str, Any] | None = None,
) -> Entry:
    """Write down one change of the tenant in scope, in the transaction that makes it. See `new_entry`."""
    entry = new_entry(action, target=target, summary=summary, actor=actor, source=source, details=details)
    record_all([entry])
    return entry


@transaction.atomic
def record_all(entries: Sequence[Entry]) -> None:
    """Write down changes of the tenant in scope together, in the transaction that makes them: one statement for all."""
    if not entries:
        return
    for entry in entries:
        entry.claim_for_scope()  # the tenant is a part of what is hashed
        entry.digest = entry.compute_digest()
    Entry.objects.bulk_create(entries)
    seal_after_commit(current_tenant_id(), *(entry.pk for entry in entries))


def history(kind: str, target_id: str, *, limit: int = 50) -> list[Entry]:
    """Return the latest entries of one target, newest first."""
    return list(Entry.objects.filter(target_kind=kind, target_id=target_id)[:limit])
