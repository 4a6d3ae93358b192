"""The client for API calls of the tenant in scope, with the person's calls going first."""

from functools import partial

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from portal.audit.models import Source
from portal.audit.services import record
from portal.connections.areas import AREAS
from portal.connections.errors import NotConnected, NoTrustCenter
from portal.connections.http import http_session
from portal.connections.models import Capability, Connection, GrantType
from portal.connections.policy import Urgency
from portal.connections.services.calls import count_call
from portal.connections.services.clock_skew import world_clock
from portal.connections.services.platform import api_url
from portal.connections.services.queue import Waiting
from portal.connections.services.tokens import ONE_CALL, access_token, connection_of_tenant, why_not_connected
from portal.connections.signals import connected
from portal.page_refresh.services import touch_areas
from portal.platform_api import Platform
from portal.platform_api.areas.trust_center import TrustCenter
from portal.platform_api.errors import AuthenticationFailed, InvalidIdentifier, NotFound, PlatformError
from portal.users.models import User


class ConnectionTokens:
    """Hands the client the tokens of one connection."""

    def __init__(self, connection: Connection, urgency: Urgency, waiting: Waiting) -> None:
        self._connection = connection
        self._urgency = urgency
        self._waiting = waiting

    def current(self) -> str:
        return access_token(self._connection, self._urgency, waiting=self._waiting)

    def renew(self, stale: str) -> str:
        return access_token(self._connection, self._urgency, stale=stale, waiting=self._waiting)


def client_for(urgency: Urgency, waiting: Waiting = ONE_CALL, *, timeout: tuple[float, float] | None = None) -> Platform:
    """Return the client of the tenant in scope; `waiting` says how much it is wanted for. Raises NotConnected."""
    connection = connection_of_tenant()
    if connection is None or not connection.is_active:
        raise NotConnected(why_not_connected(connection))
    return Platform(
        api_url(connection.region),
        tokens=ConnectionTokens(connection, urgency, waiting),
        session=http_session(),
        contracts_path=settings.PLATFORM_CONTRACTS_PATH,
        gate=partial(count_call, urgency=urgency),
        observe=world_clock.compare,
        timeout=timeout,
        # The portal's own application is registered as an integration; a tenant's own one is of the type that manages.
        is_integration=connection.grant_type == GrantType.AUTHORIZATION_CODE,
    )


class FixedToken:
    """One token, for the few calls that settle what a grant is before it is used."""

    def __init__(self, token: str) -> None:
        self._token = token

    def current(self) -> str:
        return self._token

    def renew(self, stale: str) -> str:
        raise AuthenticationFailed("GET", "", status=401, message="the token is refused")


def bare_client(region: str, token: str) -> Platform:
    """Return a client with one token, within the limits of the tenant in scope."""
    gate = partial(count_call, urgency=Urgency.PERSON)
    return Platform(api_url(region), tokens=FixedToken(token), session=http_session(), gate=gate)


def trust_center(client: Platform) -> TrustCenter:
    """Return the calls of the tenant's Trust Center. Raises NoTrustCenter while its slugId is unknown."""
    connection = connection_of_tenant()
    if connection is None or not connection.slug_id:
        raise NoTrustCenter
    return client.trust_center(connection.slug_id)


@transaction.atomic
def learn_slug_id(slug_id: str) -> bool:
    """Remember the Trust Center of the tenant in scope; True when it was not known before."""
    learnt = Connection.objects.filter(slug_id="").update(slug_id=slug_id, probed_at=None)
    if learnt:
        _forget_center_answers()
        target = ("connection", str(Connection.objects.values_list("source_id", flat=True).get()))
        summary = f"Learned from an event that the Trust Center id is {slug_id[:100]}."
        record("connection.learn_trust_center", target=target, summary=summary, source=Source.EVENT)
        touch_areas("connection")
    return bool(learnt)


class UnknownTrustCenter(Exception):
    """The platform knows no Trust Center with this id."""


def set_slug_id(slug_id: str, *, actor: User) -> bool:
    """Enter the Trust Center of the tenant in scope by hand, and have everything fetched anew.

    Returns whether the platform has confirmed the id; it may not be able to just now. Raises UnknownTrustCenter.
    """
    is_verified = _is_known(slug_id)
    with transaction.atomic():
        connection = Connection.objects.select_for_update().get()
        details = {"before": connection.slug_id, "after": slug_id}
        connection.slug_id, connection.slug_verified_at = slug_id, timezone.now() if is_verified else None
        connection.probed_at = None
        _forget_center_answers()
        connection.save(update_fields=["slug_id", "slug_verified_at", "probed_at"])
        record(
            "connection.set_trust_center",
            target=("connection", str(connection.source_id)),
            summary=f"Set the Trust Center id to {slug_id}.",
            actor=actor,
            details=details,
        )
        touch_areas("connection")
        if connection.is_active:
            transaction.on_commit(partial(connected.send, Connection, tenant_id=connection.tenant_id))
    return is_verified


def _forget_center_answers() -> None:
    """Have the areas of the Trust Center asked anew: what was said of them was said without its id, or of another one."""
    Capability.objects.filter(area__in=[area.key for area in AREAS if area.ask_center]).delete()


def _is_known(slug_id: str) -> bool:
    """Ask the platform. Raises UnknownTrustCenter when it says that there is no such Trust Center."""
    try:
        client_for(Urgency.PERSON).trust_center(slug_id).get()
    except (NotFound, InvalidIdentifier):
        raise UnknownTrustCenter from None
    except (NotConnected, PlatformError):
        return False
    return True
