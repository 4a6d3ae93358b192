"""Tokens that were cut here: put aside, sealed, until the platform has confirmed that they are suspended."""

import logging
import random
from collections.abc import Collection
from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from portal.audit.services import record
from portal.connections.error_messages import error_message
from portal.connections.errors import KEY_MISSING, BudgetSpent
from portal.connections.models import Connection, ExitRecord, Suspension
from portal.connections.policy import Urgency
from portal.connections.services import exit_records
from portal.connections.services.platform import application, call_token_endpoint
from portal.lib.sealed import Locked
from portal.page_refresh.services import touch_areas
from portal.platform_api.errors import InvalidClient, PlatformError, TemporaryError, TokenNotOurs
from portal.platform_api.oauth import OAuthApplication

logger = logging.getLogger(__name__)

MAX_WAIT = timedelta(hours=1)


def queue_suspension(connection: Connection, *tokens: str, exit_record: ExitRecord | None = None) -> None:
    """Put tokens aside for the suspend call; nothing else can open them there. Runs in the caller's transaction.

    A token of the tenant's own application goes together with the application's id and secret, which the call needs.
    """
    for token in filter(None, tokens):
        suspension = Suspension(region=connection.region, client_id=connection.client_id, exit=exit_record)
        suspension.put("token", token)
        if connection.is_own_application:
            suspension.put("client_secret", connection.open("client_secret"))
        suspension.save()


def queue_tokens(connection: Connection, *, exit_record: ExitRecord | None = None) -> None:
    """Put both tokens of a grant aside. A lost key must not keep anybody from leaving; the operator and the record are told."""
    for field in ("refresh_token", "access_token"):
        try:
            queue_suspension(connection, connection.open(field), exit_record=exit_record)
        except Locked:
            logger.error("a token of connection %s cannot be opened and will not be suspended", connection.source_id)
            if exit_record:
                exit_records.note(
                    exit_record.pk, "A token could not be opened for the suspend call: an encryption key is missing."
                )


def due_suspension(regions: Collection[str]) -> Suspension | None:
    """Return the suspension that is due longest, in the scope that is set."""
    due = Suspension.objects.filter(confirmed_at=None, due_at__lte=timezone.now(), region__in=regions)
    return due.order_by("due_at", "pk").first()


def run_suspension(suspension: Suspension) -> bool:
    """Suspend one token at the platform, and wipe it once that is confirmed; every failure is tried again later.

    False when the budget has no call for it, or somebody else is about it.
    """
    if not _claim(suspension):
        return False
    try:
        token, app = suspension.open("token"), _application_of(suspension)
        is_ours = not suspension.client_id
        call_token_endpoint(app, suspension.region, Urgency.SUSPENSION, lambda app: app.suspend(token), is_ours=is_ours)
    except TokenNotOurs:
        # 401: the token is not one of ours (any more); there is nothing left that could be suspended.
        _confirm(suspension, "The platform no longer knows a token of this grant.")
        return True
    except InvalidClient as error:
        if not suspension.client_id:
            return _postpone(suspension, error_message(error))
        # The tenant's own application is gone or has another secret, and with it every token it was given (specification 5).
        _confirm(suspension, "The application's secret was changed on the platform, which ended its token.")
        return True
    except BudgetSpent as error:
        Suspension.objects.filter(pk=suspension.pk).update(
            attempts=suspension.attempts - 1, due_at=timezone.now() + timedelta(seconds=error.retry_after)
        )
        return False
    except Locked:
        return _postpone(suspension, KEY_MISSING)
    except PlatformError as error:
        return _postpone(
            suspension, error_message(error), wait=error.retry_after if isinstance(error, TemporaryError) else None
        )
    _confirm(suspension, "The platform confirmed that a token is suspended.")
    return True


def _application_of(suspension: Suspension) -> OAuthApplication:
    secret = suspension.open("client_secret")
    return application(suspension.region, client_id=suspension.client_id, client_secret=secret)


def _claim(suspension: Suspension) -> bool:
    """Count the attempt before it is made and set the next one; False when another worker has just done so."""
    attempts = suspension.attempts + 1
    due_at = timezone.now() + _backoff(attempts)
    claimed = Suspension.objects.filter(pk=suspension.pk, attempts=suspension.attempts, confirmed_at=None).update(
        attempts=attempts, due_at=due_at
    )
    suspension.attempts, suspension.due_at = attempts, due_at
    return bool(claimed)


def _postpone(suspension: Suspension, words: str, *, wait: float | None = None) -> bool:
    if wait:
        # Not before that; but a platform that always says "in a second" must not get the whole budget.
        suspension.due_at = max(suspension.due_at, timezone.now() + timedelta(seconds=wait))
    suspension.last_error = words[:300]
    suspension.save(update_fields=["due_at", "last_error"])
    touch_areas("connection")
    return True


@transaction.atomic
def _confirm(suspension: Suspension, words: str) -> None:
    suspension.token = suspension.client_secret = b""
    suspension.confirmed_at = timezone.now()
    suspension.last_error = ""
    suspension.save(update_fields=["token", "client_secret", "confirmed_at", "last_error"])
    source_id = Connection.objects.values_list("source_id", flat=True).get()
    record("connection.suspend", target=("connection", str(source_id)), summary=words)
    if suspension.exit_id:
        exit_records.note(suspension.exit_id, words)
    touch_areas("connection")


def _backoff(attempts: int) -> timedelta:
    """Wait 15 s, 30 s, 1 min ... up to an hour, with jitter so that an outage's end is not a stampede."""
    seconds = min(15 * 2 ** min(attempts - 1, 10), MAX_WAIT.total_seconds())
    return timedelta(seconds=seconds * random.uniform(0.7, 1.0))  # noqa: S311 - jitter, not a secret
