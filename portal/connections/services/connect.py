"""The authorization-code flow: one state, one browser, one person, one tenant, ten minutes, once."""

import secrets
import time
from dataclasses import dataclass, field
from datetime import timedelta
from hashlib import sha256

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from portal.connections.models import ConnectFlow, Connection, GrantType, Region
from portal.connections.policy import Urgency
from portal.connections.services.budget import BudgetSpent, seconds_until_connect
from portal.connections.services.grants import save_grant
from portal.connections.services.platform import api_url, app_url, application, call_token_endpoint
from portal.lib.database import give_back
from portal.platform_api.errors import InvalidGrant, PlatformError, RateLimited
from portal.platform_api.oauth import TokenAnswer
from portal.tenants.models import Membership, Role, Tenant
from portal.tenants.scope import all_tenants, tenant_scope
from portal.users.models import User

EXCHANGED_WITHIN = 10.0
"""Seconds a callback waits for its call (guarantee T9): a code lives thirty, and the person is looking at a blank page.

The call is there within five (`policy.HELD_WITHIN`), a little later where the clocks of two machines differ. Who stayed on the
consent screen until nothing was held any more may be asked to start again.
"""
MOST_TRIES, TRIES_WITHIN = 10, timedelta(minutes=10)
"""A person who starts more walks than this is asked to wait (guarantee S9)."""


class ConnectRefused(Exception):
    """The walk through the consent screen did not end in a grant. `reason` is one of REASONS; nothing was changed."""

    REASONS = frozenset(
        {"state", "expired", "browser", "role", "refused", "code", "busy", "unavailable", "platform", "issuer", "registration"}
    )

    def __init__(self, reason: str, *, tenant: Tenant | None = None, detail: str = "") -> None:
        super().__init__(reason)
        self.reason = reason
        self.tenant = tenant
        self.detail = detail


@dataclass(frozen=True)
class Walk:
    """Who came back from the consent screen, in which browser, with which state."""

    user: User
    session_key: str = field(repr=False)
    state: str = field(repr=False)


@dataclass(frozen=True)
class ConnectStart:
    """Where to send the browser, or how long to hold it back because no code could be exchanged now."""

    url: str
    wait_seconds: float = 0.0


@transaction.atomic
def start_connect(*, user: User, region: Region, session_key: str) -> ConnectStart:
    """Begin a walk to the consent screen of a region.

    A code lives 30 seconds and its exchange costs one call of the token budget: without a free call the person is held
    back here, where waiting costs nothing.
    """
    wait = max(seconds_until_connect(api_url(region), besides=user.pk), _seconds_after_too_many(user))
    if wait > 0:
        return ConnectStart(url="", wait_seconds=wait)
    state = secrets.token_urlsafe(32)
    connection, _ = Connection.objects.get_or_create(defaults={"region": region})
    redirect_uri = f"{settings.PUBLIC_URL}/connect/callback/"
    ConnectFlow.objects.create(
        state_hash=_hash(state), user=user, session_hash=_hash(session_key), region=region, redirect_uri=redirect_uri
    )
    url = application(region).authorize_url(
        app_url(region),
        scope=settings.PLATFORM_SCOPES,
        state=state,
        redirect_uri=redirect_uri,
        source_id=str(connection.source_id),
    )
    return ConnectStart(url=url)


def complete_connect(walk: Walk, *, code: str, issuer: str = "") -> Connection:
    """End a walk: check and use up the state, exchange the code at once, save the grant. Raises ConnectRefused.

    `issuer` is what the platform calls itself, if it does (RFC 9207): another one than the flow's means a mix-up.
    """
    flow = _use_flow(walk)
    if issuer and issuer.rstrip("/") not in (app_url(flow.region).rstrip("/"), api_url(flow.region).rstrip("/")):
        raise ConnectRefused("issuer", tenant=flow.tenant)
    with tenant_scope(flow.tenant_id):
        if not code:
            raise ConnectRefused("code", tenant=flow.tenant)
        connection = Connection.objects.get()
        asked_at = timezone.now()
        answer = _exchange(flow, connection, code)
        if not answer.refresh_token:
            raise ConnectRefused("platform", tenant=flow.tenant, detail="The answer had no refresh token.")
        connection.region, connection.grant_type = flow.region, GrantType.AUTHORIZATION_CODE
        connection.scopes, connection.client_id, connection.client_secret = settings.PLATFORM_SCOPES, "", b""
        return save_grant(connection, answer, actor=walk.user, asked_at=asked_at)


def refuse_connect(walk: Walk) -> Tenant:
    """End a walk that the person or the platform refused; the state is used up like any other."""
    return _use_flow(walk).tenant


def _use_flow(walk: Walk) -> ConnectFlow:
    """Check the state before anything else is read, and use it up, so that of two callbacks only one goes on."""
    with all_tenants("the state is all that says which tenant a callback belongs to"):
        flow = ConnectFlow.objects.select_related("tenant").filter(state_hash=_hash(walk.state)).first()
        if flow is None or flow.used_at is not None or flow.user_id != walk.user.pk:
            raise ConnectRefused("state")
        if not secrets.compare_digest(flow.session_hash, _hash(walk.session_key)):
            raise ConnectRefused("browser", tenant=flow.tenant)
        now = timezone.now()
        if not ConnectFlow.objects.filter(pk=flow.pk, used_at=None).update(used_at=now):
            raise ConnectRefused("state")
    if flow.has_expired(now):
        raise ConnectRefused("expired", tenant=flow.tenant)
    membership = Membership.objects.filter(user=walk.user, tenant=flow.tenant).first()
    if membership is None or not membership.may(Role.OWNER):
        raise ConnectRefused("role", tenant=flow.tenant if membership else None)
    return flow


def _seconds_after_too_many(user: User) -> float:
    since = timezone.now() - TRIES_WITHIN
    with all_tenants("how often a person tries counts over all of their tenants"):
        tries = ConnectFlow.objects.filter(user=user, created_at__gt=since).order_by("-created_at")
        begun = list(tries.values_list("created_at", flat=True)[:MOST_TRIES])
    return (begun[-1] - since).total_seconds() if len(begun) == MOST_TRIES else 0.0


def _exchange(flow: ConnectFlow, connection: Connection, code: str) -> TokenAnswer:
    deadline, source_id = time.monotonic() + EXCHANGED_WITHIN, str(connection.source_id)
    while True:
        try:
            return call_token_endpoint(
                application(flow.region),
                flow.region,
                Urgency.CODE,
                lambda app: app.exchange(code, redirect_uri=flow.redirect_uri, source_id=source_id),
            )
        except BudgetSpent as error:
            if time.monotonic() + error.retry_after > deadline:
                raise ConnectRefused("busy", tenant=flow.tenant) from None
            give_back()
            time.sleep(error.retry_after)
        except PlatformError as error:
            raise ConnectRefused(_reason(error), tenant=flow.tenant, detail=str(error)) from None


def _reason(error: PlatformError) -> str:
    match error:
        case InvalidGrant():
            return "code"
        case RateLimited():
            return "busy"
    return "unavailable" if error.status is None or error.status >= 500 else "platform"


def _hash(value: str) -> str:
    return sha256(value.encode("utf-8", "surrogatepass")).hexdigest()
