"""The record that stays when a grant was ended: what happened and when, signed so that a change shows."""

import json
from hashlib import sha256
from typing import Any

from django.core import signing
from django.db import transaction
from django.utils import timezone

from portal.connections.models import Connection, ExitRecord
from portal.tenants.models import Tenant
from portal.tenants.scope import current_tenant_id
from portal.users.models import User

SIGNER = signing.Signer(salt="portal.connections.exits")


def open_record(tenant: Tenant, connection: Connection | None, *, actor: User | None, description: str) -> ExitRecord:
    """Begin the record of an exit; without a connection, of a tenant that never had one. Runs in the caller's transaction."""
    exit_record = ExitRecord(tenant_id=tenant.pk)
    exit_record.content = {
        "reference": str(exit_record.reference),
        "tenant": tenant.name,
        "grant": connection.get_grant_type_display() if connection else "never connected",
        "region": connection.get_region_display() if connection else "",
        "account": connection.account if connection else "",
        "source_id": str(connection.source_id) if connection else "",
        "ended_by": f"{actor} <{actor.email}>" if actor else "",
        "events": [_event(description)],
    }
    exit_record.signature = _sign(exit_record.content)
    exit_record.save()
    return exit_record


@transaction.atomic
def note(record_id: int, words: str) -> None:
    """Add what happened since, such as the platform's confirmation. A record that was tampered with stays so, visibly."""
    exit_record = ExitRecord.objects.select_for_update().get(pk=record_id)
    if not is_genuine(exit_record):
        return
    exit_record.content["events"].append(_event(words))
    exit_record.signature = _sign(exit_record.content)
    exit_record.save(update_fields=["content", "signature"])


def is_genuine(exit_record: ExitRecord) -> bool:
    """Say whether the record is as this portal wrote it."""
    try:
        return SIGNER.unsign(exit_record.signature) == _digest(exit_record.content)
    except signing.BadSignature:
        return False


def records() -> list[ExitRecord]:
    """Return the records of the tenant in scope, newest first."""
    return list(ExitRecord.objects.filter(tenant_id=current_tenant_id()))


def _event(words: str) -> dict[str, str]:
    return {"at": timezone.now().isoformat(timespec="seconds"), "what": words}


def _sign(content: dict[str, Any]) -> str:
    return SIGNER.sign(_digest(content))


def _digest(content: dict[str, Any]) -> str:
    return sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()
