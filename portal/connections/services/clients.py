"""The client for API calls of the tenant in scope, with the person's calls going first."""

from datetime import timedelta
from enum import Enum
from functools import partial

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from portal.audit.services import record
from portal.connections.http import http_session
from portal.connections.models import Connection
from portal.connections.services.platform import api_url
from portal.connections.services.tokens import NotConnected, access_token, connection_of_tenant
from portal.connections.signals import connected
from portal.live.services import changed
from portal.platform_api import Platform
from portal.platform_api.areas.trust_center import TrustCenter
from portal.platform_api.errors import RateLimited
from portal.users.models import User

CALL_WINDOW = timedelta(seconds=60)


class Urgency(Enum):
    """Who waits for a call. The number is how many calls a minute such work may bring the connection to.

    The platform takes 50 a minute (platform-api 1.5). What fetches in bulk stops first, so that news of a single object
    comes through during the first copy too, and a person never waits for either.
    """

    PERSON = 48
    NEWS = 44
    BACKGROUND = 24


class NoTrustCenter(Exception):
    """The tenant's Trust Center slugId is not known yet: no endpoint tells it, an event or a person does."""


class ConnectionTokens:
    """Hands the client the tokens of one connection and counts its calls."""

    def __init__(self, connection_id: int, urgency: Urgency) -> None:
        self._connection_id = connection_id
        self._urgency = urgency

    def current(self) -> str:
        token = access_token(self._connection_id)
        count_call(self._connection_id, limit=self._urgency.value)
        return token

    def renew(self, stale: str) -> str:
        return access_token(self._connection_id, stale=stale)


def client_for(urgency: Urgency) -> Platform:
    """Return the client of the tenant in scope. Raises NotConnected."""
    connection = connection_of_tenant()
    if connection is None or not connection.is_active:
        raise NotConnected("this tenant is not connected")
    return Platform(
        api_url(connection.region),
        tokens=ConnectionTokens(connection.pk, urgency),
        session=http_session(),
        contracts_path=settings.PLATFORM_CONTRACTS_PATH,
    )


def trust_center(client: Platform) -> TrustCenter:
    """Return the calls of the tenant's Trust Center. Raises NoTrustCenter while its slugId is unknown."""
    connection = connection_of_tenant()
    if connection is None or not connection.slug_id:
        raise NoTrustCenter
    return client.trust_center(connection.slug_id)


@transaction.atomic
def learn_slug_id(slug_id: str) -> bool:
    """Remember the Trust Center of the tenant in scope; True when it was not known before."""
    learnt = Connection.objects.filter(slug_id="").update(slug_id=slug_id[:100])
    if learnt:
        changed("connection")
    return bool(learnt)


@transaction.atomic
def set_slug_id(slug_id: str, *, actor: User) -> None:
    """Enter the Trust Center of the tenant in scope by hand, and have everything fetched anew."""
    connection = Connection.objects.select_for_update().get()
    connection.slug_id = slug_id
    connection.save(update_fields=["slug_id"])
    record(
        "connection.set_trust_center",
        target=("connection", str(connection.source_id)),
        summary=f"Set the Trust Center id to {slug_id}.",
        actor=actor,
    )
    changed("connection")
    if connection.is_active:
        transaction.on_commit(partial(connected.send, Connection, tenant_id=connection.tenant_id))


@transaction.atomic
def count_call(connection_id: int, *, limit: int) -> None:
    """Count one API call against the connection's minute. Raises RateLimited before the platform would."""
    now = timezone.now()
    connection = Connection.objects.select_for_update().get(pk=connection_id)
    if connection.call_window_at is None or not connection.call_window_at <= now < connection.call_window_at + CALL_WINDOW:
        connection.call_window_at, connection.calls_in_window = now, 0
    if connection.calls_in_window >= limit:
        wait = (connection.call_window_at + CALL_WINDOW - now).total_seconds()
        raise RateLimited("GET", "", status=429, message="the tenant's calls of this minute are used up", retry_after=wait)
    connection.calls_in_window += 1
    connection.save(update_fields=["call_window_at", "calls_in_window"])
