"""The authorization-code flow: one state, one browser, one person, one tenant, ten minutes, once."""

import logging
import secrets
import time
from dataclasses import dataclass, field
from datetime import timedelta
from hashlib import sha256
from typing import NoReturn

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from portal.connections.errors import BudgetSpent
from portal.connections.models import AuthorizationRequest, Connection, GrantType, Region
from portal.connections.policy import Urgency
from portal.connections.selectors import Attempt
from portal.connections.services.budget import pause_of, seconds_until_connect
from portal.connections.services.grants import save_grant
from portal.connections.services.platform import (
    api_url,
    app_url,
    application,
    call_token_endpoint,
    issuers_of,
    region_of_issuer,
    regions,
)
from portal.connections.services.suspensions import queue_suspension
from portal.lib.database import give_back
from portal.platform_api.errors import (
    InvalidClient,
    InvalidGrant,
    InvalidScope,
    NotAnApiAnswer,
    PlatformError,
    RateLimited,
    RedirectRefused,
    TemporaryError,
    UnexpectedAnswer,
)
from portal.platform_api.oauth import TokenAnswer
from portal.tenants.access import membership_of
from portal.tenants.models import Role, Tenant
from portal.tenants.scope import all_tenants, tenant_scope
from portal.users.models import User

logger = logging.getLogger(__name__)

EXCHANGED_WITHIN = 10.0
"""Seconds a callback waits for its call (guarantee T9): a code lives thirty, and the person is looking at a blank page.

The call is there within five (`policy.HELD_WITHIN`), a little later where the clocks of two machines differ. Who stayed on the
consent screen until nothing was held any more may be asked to start again.
"""
MAX_TRIES, TRIES_WITHIN = 10, timedelta(minutes=10)
"""A person who starts more walks than this is asked to wait (guarantee S9)."""


REASON_OF_ERROR = {
    "access_denied": "refused",
    "invalid_scope": "scope",
    "unauthorized_client": "registration",
    "server_error": "unavailable",
    "temporarily_unavailable": "unavailable",
}
"""Of the errors that the consent screen sends back (RFC 6749, section 4.1.2.1)."""
REASON_OF_FAILURE: dict[type[PlatformError], str] = {
    InvalidGrant: "code",
    InvalidClient: "registration",
    InvalidScope: "scope",
    RedirectRefused: "address",
    RateLimited: "limited",
    UnexpectedAnswer: "unreadable",
    NotAnApiAnswer: "unreadable",
    TemporaryError: "unavailable",
}
"""Of the failures of the token endpoint; the first kind that fits."""


class ConnectRefused(Exception):
    """The walk through the consent screen did not end in a grant. `reason` is one of REASONS; nothing was changed."""

    REASONS = frozenset(
        {"state", "expired", "browser", "role", "refused", "code", "busy", "limited", "unavailable", "unreadable", "platform"}
        | {"issuer", "region", "registration", "scope", "address", "incomplete"}
    )

    def __init__(self, reason: str, *, tenant: Tenant | None = None, detail: str = "") -> None:
        super().__init__(reason)
        self.reason = reason
        self.tenant = tenant
        self.detail = detail


@dataclass(frozen=True)
class AuthorizationResponse:
    """Who came back from the consent screen, in which browser, with which state."""

    user: User
    session_key: str = field(repr=False)
    state: str = field(repr=False)


@dataclass(frozen=True)
class ConnectStart:
    """Where to send the browser, or how long to hold it back, and for which of the reasons in `selectors.refusals.WAITS`."""

    url: str
    wait_seconds: float = 0.0
    reason: str = ""


@transaction.atomic
def start_connect(*, user: User, region: Region, session_key: str) -> ConnectStart:
    """Begin a walk to the consent screen of a region.

    A code lives 30 seconds and its exchange costs one call of the token budget: without a free call the person is held
    back here, where waiting costs nothing.
    """
    tries, budget = _seconds_after_too_many(user), seconds_until_connect(api_url(region), besides=user.pk)
    if tries > budget:
        return ConnectStart(url="", wait_seconds=tries, reason="tries")
    if budget > 0:
        reason = "limited" if pause_of(api_url(region)) else "busy"
        return ConnectStart(url="", wait_seconds=budget, reason=reason)
    state = secrets.token_urlsafe(32)
    connection, _ = Connection.objects.get_or_create(defaults={"region": region})
    redirect_uri = f"{settings.PUBLIC_URL}/connect/callback/"
    AuthorizationRequest.objects.create(
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


def complete_connect(walk: AuthorizationResponse, *, code: str, issuer: str = "") -> Connection:
    """End a walk: check and use up the state, exchange the code at once, save the grant. Raises ConnectRefused.

    `issuer` is what the platform calls itself, if it does (RFC 9207): another one than the flow's means a mix-up.
    """
    flow = _use_flow(walk)
    _check_issuer(flow, issuer)
    with tenant_scope(flow.tenant_id):
        if not code:
            raise ConnectRefused("code", tenant=flow.tenant)
        connection = Connection.objects.get()
        asked_at = timezone.now()
        answer = _exchange(flow, connection, code)
        if not answer.refresh_token:
            queue_suspension(Connection(tenant=flow.tenant, region=flow.region), answer.access_token)
            raise ConnectRefused("incomplete", tenant=flow.tenant)
        connection.region, connection.grant_type = flow.region, GrantType.AUTHORIZATION_CODE
        connection.scopes, connection.client_id, connection.client_secret = settings.PLATFORM_SCOPES, "", b""
        return save_grant(connection, answer, actor=walk.user, asked_at=asked_at)


def refuse_connect(walk: AuthorizationResponse, *, error: str, issuer: str = "") -> NoReturn:
    """End a walk that the person or the platform refused; the state is used up like any other. Raises ConnectRefused.

    `error` is one of RFC 6749's; only one of them says that it was the person.
    """
    flow = _use_flow(walk)
    _check_issuer(flow, issuer)
    raise ConnectRefused(REASON_OF_ERROR.get(error, "platform"), tenant=flow.tenant)


def _check_issuer(flow: AuthorizationRequest, issuer: str) -> None:
    """Refuse an answer of somebody else than the flow's platform (guarantee A2). Raises ConnectRefused."""
    if not issuer or issuer.rstrip("/") in {each.rstrip("/") for each in issuers_of(flow.region)}:
        return
    with tenant_scope(flow.tenant_id):
        AuthorizationRequest.objects.filter(pk=flow.pk).update(issuer=issuer[:200] if issuer.isprintable() else "")
    logger.warning("the consent screen of region %s called itself %.200r: see PLATFORM_ISSUERS", flow.region, issuer)
    raise ConnectRefused("region" if region_of_issuer(issuer) else "issuer", tenant=flow.tenant)


def last_attempt(user: User, tenant: Tenant) -> Attempt:
    """Return what is known of the flow that a person ended last in a tenant, for the page that says why it was refused."""
    since = timezone.now() - TRIES_WITHIN
    with tenant_scope(tenant.pk):
        flow = AuthorizationRequest.objects.filter(user=user, used_at__gt=since).order_by("-used_at").first()
    if flow is None or flow.region not in regions():
        return Attempt()
    region, other = Region(flow.region), region_of_issuer(flow.issuer) if flow.issuer else None
    return Attempt(
        region=region.label,
        issuer=flow.issuer or Attempt.issuer,
        expected=" or ".join(dict.fromkeys(issuers_of(region))),
        other=other.label if other else Attempt.other,
    )


def _use_flow(walk: AuthorizationResponse) -> AuthorizationRequest:
    """Check the state before anything else is read, and use it up, so that of two callbacks only one goes on."""
    with all_tenants("the state is all that says which tenant a callback belongs to"):
        flow = AuthorizationRequest.objects.select_related("tenant").filter(state_hash=_hash(walk.state)).first()
        if flow is None or flow.used_at is not None or flow.user_id != walk.user.pk:
            raise ConnectRefused("state")
        if not secrets.compare_digest(flow.session_hash, _hash(walk.session_key)):
            raise ConnectRefused("browser", tenant=flow.tenant)
        now = timezone.now()
        if not AuthorizationRequest.objects.filter(pk=flow.pk, used_at=None).update(used_at=now):
            raise ConnectRefused("state")
    if flow.has_expired(now):
        raise ConnectRefused("expired", tenant=flow.tenant)
    membership = membership_of(walk.user, flow.tenant.slug)
    if membership is None or not membership.may(Role.OWNER):
        raise ConnectRefused("role", tenant=flow.tenant if membership else None)
    return flow


def _seconds_after_too_many(user: User) -> float:
    since = timezone.now() - TRIES_WITHIN
    with all_tenants("how often a person tries counts over all of their tenants"):
        tries = AuthorizationRequest.objects.filter(user=user, created_at__gt=since).order_by("-created_at")
        begun = list(tries.values_list("created_at", flat=True)[:MAX_TRIES])
    return (begun[-1] - since).total_seconds() if len(begun) == MAX_TRIES else 0.0


def _exchange(flow: AuthorizationRequest, connection: Connection, code: str) -> TokenAnswer:
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
                raise ConnectRefused("limited" if error.because else "busy", tenant=flow.tenant) from None
            give_back()
            time.sleep(error.retry_after)
        except PlatformError as error:
            raise ConnectRefused(_reason(error), tenant=flow.tenant, detail=str(error)) from None


def _reason(error: PlatformError) -> str:
    return next((reason for kind, reason in REASON_OF_FAILURE.items() if isinstance(error, kind)), "platform")


def _hash(value: str) -> str:
    return sha256(value.encode("utf-8", "surrogatepass")).hexdigest()
