"""The edge: is this the platform's, and is it kept? Nothing else happens while the platform waits."""

import re
from collections.abc import Mapping

from django.conf import settings
from django.db import connection
from django.db.models import Exists, OuterRef
from django.utils import timezone

from portal.connections.models import Connection, State
from portal.inbox.models import DeliveryState, Endpoint
from portal.inbox.services import fast_path
from portal.inbox.services.fast_path import MAX_WAIT
from portal.inbox.services.limits import floods
from portal.inbox.services.rotation import note_if_late
from portal.lib import enqueue
from portal.lib.database import waiting_for_locks
from portal.platform_api.webhooks import InvalidSignature, Verified, verify
from portal.tenants.scope import all_tenants

MAX_BODY_BYTES = 256 * 1024
"""Events hold ids; the largest documented one is well below a kilobyte."""
PUBLIC_ID = re.compile(r"[A-Za-z0-9_-]{16,43}", re.ASCII)
EVENT_TYPE = re.compile(r"[A-Za-z0-9._-]{0,100}", re.ASCII)
PROCESS = "portal.inbox.tasks.process_deliveries"

INSERT = """
    INSERT INTO inbox_delivery (tenant_id, endpoint_id, hook_id, received_at, body, event_type, secret_index, state, attempts,
                                due_at, lease_owner, object_id, outcome, error)
    VALUES (%s, %s, %s, %s, %s, %s, %s, %s, 0, %s, '', '', '', '')
    ON CONFLICT (endpoint_id, hook_id) DO UPDATE SET state = excluded.state, due_at = excluded.due_at
    WHERE inbox_delivery.state IN (%s, %s)
"""


class UnknownEndpoint(Exception):
    """There is no such address."""


class Disconnected(Exception):
    """The tenant has ended its grant on purpose: the platform need not try again."""


class BodyTooLarge(Exception):
    """No event is as large as this."""


def receive(public_id: str, event_type: str, *, body: bytes, headers: Mapping[str, str]) -> bool:
    """Check one delivery and keep it; True when there is something new to do.

    Raises UnknownEndpoint, Disconnected, BodyTooLarge, InvalidSignature, Locked, or the database's error. Nothing is kept then.
    """
    if len(body) > MAX_BODY_BYTES:
        raise BodyTooLarge
    # One scope for all statements: to tell the database of another one is a round trip. The row's tenant is the endpoint's.
    with all_tenants("the address is all that says whose delivery this is"):
        tenant_id = fast_path.take(public_id, event_type, body=body, headers=headers)
        if tenant_id is None:
            tenant_id = _store_with_lookup(public_id, event_type, body=body, headers=headers)
        if tenant_id is not None:
            enqueue.enqueue_coalesced(PROCESS, tenant_id)
    return tenant_id is not None


def _store_with_lookup(public_id: str, event_type: str, *, body: bytes, headers: Mapping[str, str]) -> int | None:
    """Keep what is new here, known already, or refused; return the tenant's primary key when there is something to do."""
    endpoint, now = find_endpoint(public_id, event_type), timezone.now()
    try:
        verified = verify(body, headers, endpoint.secrets(now), now=now.timestamp(), prefix=settings.WEBHOOK_HEADER_PREFIX)
    except InvalidSignature:
        note_if_late(endpoint, body, headers, now)
        raise
    has_work = store_delivery(endpoint, verified, body=body, event_type=event_type or endpoint.event_type)
    fast_path.remember(endpoint, now)
    return endpoint.tenant_id if has_work else None


def find_endpoint(public_id: str, event_type: str) -> Endpoint:
    """Return the endpoint behind an address. One of a single type answers to no other type."""
    if not PUBLIC_ID.fullmatch(public_id) or not EVENT_TYPE.fullmatch(event_type):
        raise UnknownEndpoint
    if floods.is_unknown(public_id):
        raise UnknownEndpoint
    ended = Connection.objects.filter(tenant=OuterRef("tenant"), state=State.DISCONNECTED, connected_at__isnull=False)
    endpoint = Endpoint.objects.filter(public_id=public_id).annotate(is_cut=Exists(ended)).first()
    if endpoint is None:
        floods.note_unknown(public_id)
    if endpoint is None or (endpoint.event_type and event_type not in ("", endpoint.event_type)):
        raise UnknownEndpoint
    if endpoint.is_cut:
        raise Disconnected
    return endpoint


def store_delivery(endpoint: Endpoint, verified: Verified, *, body: bytes, event_type: str = "") -> bool:
    """Keep one verified delivery, in one statement that commits by itself; True when there is something to do.

    The same hook-id again changes nothing once it was processed; one that waits or has failed is due again (guarantee H4).
    """
    now = connection.ops.adapt_datetimefield_value(timezone.now())
    with waiting_for_locks(MAX_WAIT), connection.cursor() as cursor:
        cursor.execute(
            INSERT,
            [
                *(endpoint.tenant_id, endpoint.pk, verified.hook_id, now, body, event_type, verified.secret_index),
                *(DeliveryState.PENDING.value, now, DeliveryState.PENDING.value, DeliveryState.DEAD.value),
            ],
        )
        return bool(cursor.rowcount > 0)
