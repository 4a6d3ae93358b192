"""The lease of a connection's tokens: a compare-and-swap on the row, with an owner and an end, and no transaction open.

A holder that dies is followed by another one, and a holder that wakes up too late finds a newer generation and writes nothing.
"""

import time
import uuid
from dataclasses import dataclass
from typing import Any

from django.db.models import Q, QuerySet
from django.db.models.functions import Coalesce
from django.utils import timezone

from portal.connections.errors import TokenBusy
from portal.connections.models import LEASE, MAX_LEASE, Connection, State

LEASE_IS_SURE = LEASE.total_seconds() / 2
"""Seconds after which a holder no longer begins a call: it might end after the lease."""


@dataclass(frozen=True)
class Lease:
    """The right to refresh one generation of a connection's tokens, for a while."""

    connection: Connection
    owner: str
    began: float
    """On the monotonic clock."""

    @property
    def rows(self) -> QuerySet[Connection]:
        """The row as long as it is this holder's."""
        return Connection.objects.filter(pk=self.connection.pk, generation=self.connection.generation, lease_owner=self.owner)

    def begin_call(self) -> None:
        """Note the attempt before it is made: whoever dies in it leaves a trace (guarantee T4). Raises TokenBusy.

        A holder that was frozen so long that the call might outlive the lease must not begin it.
        """
        held = self.rows.update(attempted_at=Coalesce("attempted_at", timezone.now()))
        if not held or time.monotonic() - self.began > LEASE_IS_SURE:
            raise TokenBusy("the lease came to its end before the call", retry_after=1.0)

    def end(self, **values: Any) -> bool:
        """Write the outcome and give the lease up, in one statement; False when somebody else has taken over."""
        return bool(self.rows.update(**values, lease_owner="", lease_until=None))


def take_lease(connection: Connection) -> Lease | None:
    """Become the only one who refreshes this generation; None when somebody else is, or was just faster."""
    owner, now, began = str(uuid.uuid4()), timezone.now(), time.monotonic()
    is_free = Q(lease_owner="") | Q(lease_until__lt=now) | Q(lease_until__gt=now + MAX_LEASE)
    free = Connection.objects.filter(is_free, pk=connection.pk, generation=connection.generation, state=State.ACTIVE)
    return Lease(connection, owner, began) if free.update(lease_owner=owner, lease_until=now + LEASE) else None
