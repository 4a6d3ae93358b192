"""The client for API calls of the tenant in scope, with the person's calls going first."""

from functools import partial

from django.conf import settings
from django.db import transaction

from portal.audit.services import record
from portal.connections.http import http_session
from portal.connections.models import Connection
from portal.connections.services.calls import Urgency, count_call
from portal.connections.services.platform import api_url
from portal.connections.services.tokens import NotConnected, access_token, connection_of_tenant
from portal.connections.signals import connected
from portal.live.services import changed
from portal.platform_api import Platform
from portal.platform_api.areas.trust_center import TrustCenter
from portal.users.models import User


class NoTrustCenter(Exception):
    """The tenant's Trust Center slugId is not known yet: no endpoint tells it, an event or a person does."""


class ConnectionTokens:
    """Hands the client the tokens of one connection."""

    def __init__(self, connection_id: int) -> None:
        self._connection_id = connection_id

    def current(self) -> str:
        return access_token(self._connection_id)

    def renew(self, stale: str) -> str:
        return access_token(self._connection_id, stale=stale)


def client_for(urgency: Urgency) -> Platform:
    """Return the client of the tenant in scope. Raises NotConnected."""
    connection = connection_of_tenant()
    if connection is None or not connection.is_active:
        raise NotConnected("this tenant is not connected")
    return Platform(
        api_url(connection.region),
        tokens=ConnectionTokens(connection.pk),
        session=http_session(),
        contracts_path=settings.PLATFORM_CONTRACTS_PATH,
        gate=partial(count_call, urgency=urgency),
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
