"""A clean exit: access ends here at once, the platform is told until it has confirmed."""

import logging
import random
from datetime import timedelta
from functools import partial

from django.db import transaction
from django.utils import timezone

from portal.audit.services import record
from portal.connections.models import Connection, State, Suspension
from portal.connections.services.budget import BudgetSpent
from portal.connections.services.platform import call_token_endpoint
from portal.connections.services.suspensions import queue_suspension
from portal.connections.signals import disconnected
from portal.lib.sealed import Locked
from portal.live.services import changed
from portal.platform_api.errors import PlatformError, TemporaryError, TokenNotOurs
from portal.users.models import User

logger = logging.getLogger(__name__)

LONGEST_WAIT = timedelta(hours=1)


@transaction.atomic
def disconnect(connection: Connection, *, actor: User) -> None:
    """Cut a tenant's grant in one commit: no token is left for calls, both wait sealed for the suspend call.

    A connection that is disconnected already stays as it is.
    """
    connection = Connection.objects.select_for_update().get(pk=connection.pk)
    if connection.state == State.DISCONNECTED:
        return
    queue_suspension(connection.region, *_readable_tokens(connection))
    connection.state = State.DISCONNECTED
    connection.generation += 1
    connection.access_token = connection.refresh_token = connection.previous_refresh_token = b""
    connection.access_expires_at = connection.lease_until = None
    connection.lease_owner = connection.last_error = ""
    connection.save()
    record(
        "connection.disconnect",
        target=("connection", str(connection.source_id)),
        summary="Disconnected the platform; both tokens are being suspended.",
        actor=actor,
    )
    changed("connection")
    transaction.on_commit(partial(disconnected.send, Connection, tenant_id=connection.tenant_id))


def _readable_tokens(connection: Connection) -> list[str]:
    """Return the tokens to suspend. A lost key must not keep anybody from disconnecting; the operator is told."""
    tokens = []
    for field in ("refresh_token", "access_token"):
        try:
            tokens.append(connection.open(field))
        except Locked:
            logger.error("a token of connection %s cannot be opened and will not be suspended", connection.source_id)
    return tokens


def run_suspension(suspension: Suspension) -> bool:
    """Suspend one token at the platform; True when it is confirmed and wiped. Every failure is tried again later."""
    if not _claim(suspension):
        return False
    token = suspension.open()
    try:
        call_token_endpoint(suspension.region, lambda application: application.suspend(token))
    except TokenNotOurs:
        # 401: the token is not one of ours (any more); there is nothing left that could be suspended.
        pass
    except BudgetSpent as error:
        suspension.due_at = timezone.now() + timedelta(seconds=error.retry_after or 60)
        suspension.save(update_fields=["due_at"])
        return False
    except PlatformError as error:
        wait = error.retry_after if isinstance(error, TemporaryError) else None
        if wait:
            suspension.due_at = timezone.now() + timedelta(seconds=wait)
        suspension.last_error = str(error)[:300]
        suspension.save(update_fields=["due_at", "last_error"])
        return False
    _confirm(suspension)
    return True


def _claim(suspension: Suspension) -> bool:
    """Count the attempt before it is made and set the next one; False when another worker has just done so."""
    attempts = suspension.attempts + 1
    due_at = timezone.now() + _backoff(attempts)
    claimed = Suspension.objects.filter(pk=suspension.pk, attempts=suspension.attempts, confirmed_at=None).update(
        attempts=attempts, due_at=due_at
    )
    suspension.attempts, suspension.due_at = attempts, due_at
    return bool(claimed)


@transaction.atomic
def _confirm(suspension: Suspension) -> None:
    suspension.token = b""
    suspension.confirmed_at = timezone.now()
    suspension.last_error = ""
    suspension.save(update_fields=["token", "confirmed_at", "last_error"])
    record(
        "connection.suspend",
        target=("suspension", str(suspension.place)),
        summary="The platform confirmed that a token is suspended.",
    )
    changed("connection")


def _backoff(attempts: int) -> timedelta:
    """Wait 15 s, 30 s, 1 min ... up to an hour, with jitter so that an outage's end is not a stampede."""
    seconds = min(15 * 2 ** min(attempts - 1, 10), LONGEST_WAIT.total_seconds())
    return timedelta(seconds=seconds * random.uniform(0.7, 1.0))  # noqa: S311 - jitter, not a secret
