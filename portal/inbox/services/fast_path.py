"""The short way of a delivery: its address is known here and its id is new, as it is for nearly all of them.

The address's secrets are remembered, and the rows of all that arrive at the same moment are stored by one statement, which
commits by itself. That statement also looks whether the address is still as it was remembered; if not, or if the id is known
already, nothing is stored for it and `intake` goes the long way.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from django.conf import settings
from django.db import DataError, IntegrityError, connection
from django.utils import timezone

from portal.connections.models import State
from portal.inbox.models import DeliveryState, Endpoint
from portal.lib.batching import CallBatcher
from portal.lib.database import run_prepared, table_of, waiting_for_locks
from portal.platform_api.webhooks import InvalidSignature, Verified, verify
from portal.tenants.scope import all_tenants

MAX_WAIT = 4.0
"""Seconds to wait for another writer: the platform is told to try again before it gives up by itself (guarantee H5)."""
MAX_REMEMBERED = 10_000

# Each row looks for its own address and grant by their indexes: joined, the database would read all addresses of all tenants.
GENERATION = "(SELECT generation FROM inbox_endpoint WHERE inbox_endpoint.id = given.endpoint_id)"
CUT = f"""
    (SELECT count(*) FROM connections_connection AS grants WHERE grants.tenant_id = given.tenant_id
     AND grants.state = '{State.DISCONNECTED.value}' AND grants.connected_at IS NOT NULL)
"""  # noqa: S608 - our own names
INSERT = f"""
    INSERT INTO inbox_delivery (tenant_id, endpoint_id, hook_id, received_at, body, event_type, secret_index, state, attempts,
                                due_at, lease_owner, object_id, outcome, error)
    SELECT given.tenant_id, given.endpoint_id, given.hook_id, %s, given.body, given.event_type, given.secret_index,
           '{DeliveryState.PENDING.value}', 0, %s, '', '', '', ''
    FROM {{given}}
    WHERE {GENERATION} = given.generation AND {CUT} = 0
    ORDER BY given.endpoint_id, given.hook_id
    ON CONFLICT (endpoint_id, hook_id) DO NOTHING
"""  # noqa: S608 - our own names


@dataclass(frozen=True)
class CachedEndpoint:
    """An address as it was when it was last looked up."""

    endpoint_id: int
    generation: int
    tenant_id: int
    event_type: str
    secrets: list[str] = field(repr=False)
    until: datetime | None
    """When the second of the secrets ends; then it has to be looked up again."""


@dataclass(frozen=True)
class IncomingDelivery:
    """One verified delivery on its way into the table."""

    known: CachedEndpoint
    verified: Verified
    body: bytes = field(repr=False)
    event_type: str


_known: dict[str, CachedEndpoint] = {}


def remember(endpoint: Endpoint, now: datetime) -> None:
    """Remember an address for the deliveries to come."""
    if len(_known) >= MAX_REMEMBERED:
        _known.clear()
    until = endpoint.previous_until if endpoint.accepts_previous(now) else None
    _known[endpoint.public_id] = CachedEndpoint(
        endpoint.pk, endpoint.generation, endpoint.tenant_id, endpoint.event_type, endpoint.secrets(now), until
    )


def take(public_id: str, event_type: str, *, body: bytes, headers: Mapping[str, str]) -> int | None:
    """Keep a delivery and return its tenant's primary key; None when it has to go the long way. Raises the database's error."""
    known, now = _known.get(public_id), timezone.now()
    if known is None or (known.until and now >= known.until) or (known.event_type and event_type not in ("", known.event_type)):
        return None
    try:
        verified = verify(body, headers, known.secrets, now=now.timestamp(), prefix=settings.WEBHOOK_HEADER_PREFIX)
    except InvalidSignature:
        return None
    is_stored = _store(IncomingDelivery(known, verified, body, event_type or known.event_type))
    return known.tenant_id if is_stored else None


def _store_all(arrivals: Sequence[IncomingDelivery]) -> list[bool]:
    """Store these if all of them are new; otherwise some, and the long way finds out for each alone which."""
    try:
        are_stored = _insert(arrivals) == len(arrivals)
    except (DataError, IntegrityError):
        if len(arrivals) == 1:
            raise
        are_stored = False
    return [are_stored] * len(arrivals)


def _insert(arrivals: Sequence[IncomingDelivery]) -> int:
    """Return how many were stored."""
    given, values = table_of(
        tenant_id=[each.known.tenant_id for each in arrivals],
        endpoint_id=[each.known.endpoint_id for each in arrivals],
        generation=[each.known.generation for each in arrivals],
        hook_id=[each.verified.hook_id for each in arrivals],
        body=[each.body for each in arrivals],
        event_type=[each.event_type for each in arrivals],
        secret_index=[each.verified.secret_index for each in arrivals],
    )
    now = connection.ops.adapt_datetimefield_value(timezone.now())
    with all_tenants("those who arrive together are of many tenants"), waiting_for_locks(MAX_WAIT):
        return run_prepared(INSERT.format(given=given), [now, now, *values])


_store = CallBatcher(_store_all)
