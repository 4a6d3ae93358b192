"""The authorization-code flow: one state, one browser, one person, one tenant, ten minutes, once."""

import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from hashlib import sha256

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from portal.audit.services import record
from portal.connections.models import ConnectFlow, Connection, Region, State
from portal.connections.services.budget import BudgetSpent, seconds_until_call
from portal.connections.services.platform import api_url, app_url, application, call_token_endpoint
from portal.connections.signals import connected
from portal.live.services import changed
from portal.platform_api.errors import InvalidGrant, PlatformError, RateLimited
from portal.platform_api.oauth import TokenAnswer
from portal.tenants.models import Membership, Role, Tenant
from portal.tenants.scope import all_tenants, tenant_scope
from portal.users.models import User


class ConnectRefused(Exception):
    """The walk through the consent screen did not end in a grant. `reason` is one of REASONS; nothing was changed."""

    REASONS = frozenset({"state", "expired", "browser", "role", "refused", "code", "busy", "unavailable", "platform"})

    def __init__(self, reason: str, *, tenant: Tenant | None = None, detail: str = "") -> None:
        super().__init__(reason)
        self.reason = reason
        self.tenant = tenant
        self.detail = detail


@dataclass(frozen=True)
class ConnectStart:
    """Where to send the browser, or how long to hold it back because no code could be exchanged now."""

    url: str
    wait_seconds: float = 0.0


def start_connect(*, user: User, region: Region, session_key: str) -> ConnectStart:
    """Begin a walk to the consent screen of a region.

    A code lives 30 seconds and its exchange costs one call of the token budget: without a free call the person is held
    back here, where waiting costs nothing.
    """
    wait = seconds_until_call(api_url(region))
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


def complete_connect(*, user: User, session_key: str, state: str, code: str) -> Connection:
    """End a walk: check and use up the state, exchange the code at once, save the grant. Raises ConnectRefused."""
    flow = _use_flow(user=user, session_key=session_key, state=state)
    with tenant_scope(flow.tenant_id):
        if not code:
            raise ConnectRefused("code", tenant=flow.tenant)
        connection = Connection.objects.get()
        asked_at = timezone.now()
        answer = _exchange(flow, connection, code)
        if not answer.refresh_token:
            raise ConnectRefused("platform", tenant=flow.tenant, detail="The answer had no refresh token.")
        return _save_grant(flow, answer, actor=user, asked_at=asked_at)


def refuse_connect(*, user: User, session_key: str, state: str) -> Tenant:
    """End a walk that the person or the platform refused; the state is used up like any other."""
    return _use_flow(user=user, session_key=session_key, state=state).tenant


def _use_flow(*, user: User, session_key: str, state: str) -> ConnectFlow:
    """Check the state before anything else is read, and use it up, so that of two callbacks only one goes on."""
    with all_tenants("the state is all that says which tenant a callback belongs to"):
        flow = ConnectFlow.objects.select_related("tenant").filter(state_hash=_hash(state)).first()
        if flow is None or flow.used_at is not None or flow.user_id != user.pk:
            raise ConnectRefused("state")
        if not secrets.compare_digest(flow.session_hash, _hash(session_key)):
            raise ConnectRefused("browser", tenant=flow.tenant)
        now = timezone.now()
        if not ConnectFlow.objects.filter(pk=flow.pk, used_at=None).update(used_at=now):
            raise ConnectRefused("state")
    if flow.has_expired(now):
        raise ConnectRefused("expired", tenant=flow.tenant)
    membership = Membership.objects.filter(user=user, tenant=flow.tenant).first()
    if membership is None or not membership.may(Role.OWNER):
        raise ConnectRefused("role", tenant=flow.tenant if membership else None)
    return flow


def _exchange(flow: ConnectFlow, connection: Connection, code: str) -> TokenAnswer:
    try:
        return call_token_endpoint(
            flow.region,
            lambda application: application.exchange(code, redirect_uri=flow.redirect_uri, source_id=str(connection.source_id)),
        )
    except InvalidGrant:
        raise ConnectRefused("code", tenant=flow.tenant) from None
    except (BudgetSpent, RateLimited) as error:
        raise ConnectRefused("busy", tenant=flow.tenant, detail=f"{error.retry_after or 60:.0f}") from None
    except PlatformError as error:
        reason = "unavailable" if error.status is None or error.status >= 500 else "platform"
        raise ConnectRefused(reason, tenant=flow.tenant, detail=str(error)) from None


@transaction.atomic
def _save_grant(flow: ConnectFlow, answer: TokenAnswer, *, actor: User, asked_at: datetime) -> Connection:
    connection = Connection.objects.select_for_update().get()
    generation = connection.generation + 1
    connection.access_token = connection.seal("access_token", answer.access_token, generation=generation)
    connection.refresh_token = connection.seal("refresh_token", answer.refresh_token or "", generation=generation)
    connection.previous_refresh_token = b""
    connection.generation = generation
    connection.access_expires_at = asked_at + timedelta(seconds=answer.expires_in)
    connection.state, connection.region = State.ACTIVE, flow.region
    connection.scopes = settings.PLATFORM_SCOPES
    connection.connected_by, connection.connected_at = actor, asked_at
    connection.refreshed_at = asked_at
    connection.refused_at = connection.lease_until = None
    connection.lease_owner = connection.last_error = ""
    connection.save()
    record(
        "connection.connect",
        target=("connection", str(connection.source_id)),
        summary=f"Connected the platform ({connection.get_region_display()}).",
        actor=actor,
    )
    changed("connection")
    transaction.on_commit(partial(connected.send, Connection, tenant_id=connection.tenant_id))
    return connection


def _hash(value: str) -> str:
    return sha256(value.encode("utf-8", "surrogatepass")).hexdigest()
