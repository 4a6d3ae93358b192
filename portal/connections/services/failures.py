"""What a call to the token endpoint that did not work out means for the grant."""

import logging
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone

from portal.audit.services import record
from portal.connections.error_messages import error_message
from portal.connections.models import Connection, GrantType, State
from portal.connections.services.leases import Lease
from portal.page_refresh.services import touch_areas
from portal.platform_api.errors import (
    InvalidClient,
    InvalidGrant,
    InvalidScope,
    PlatformError,
    RedirectRefused,
    Unavailable,
    UnexpectedAnswer,
)
from portal.tenants.scope import all_tenants, tenant_scope

logger = logging.getLogger(__name__)

UNRESOLVED = timedelta(minutes=15)
"""A refresh token that was used and whose answer was never stored is on its way to its end: the operator should know."""
KEY_LOST = "The portal's encryption key was lost, and with it the stored tokens."


def grant_end_message(connection: Connection, error: PlatformError) -> str:
    """Say how a grant has come to its end; empty when it has not."""
    match error:
        case InvalidGrant():
            return "The platform has ended the grant."
        case InvalidClient() if connection.is_own_application:
            return "The platform no longer accepts the id and secret of your application."
        case InvalidScope() if connection.is_own_application:
            return "The platform no longer gives your application the scopes it asks for."
    return ""


@transaction.atomic
def end_grant(lease: Lease, words: str) -> None:
    """The platform has clearly ended the grant: a person has to connect again. Nothing is deleted."""
    now = timezone.now()
    # No token of an ended grant is good, whatever its life was said to be.
    ended = lease.end(
        state=State.NEEDS_RECONNECTION, access_expires_at=None, ended_at=now, told_at=None, last_error=words, last_error_at=now
    )
    if ended:
        record("connection.end", target=("connection", str(lease.connection.source_id)), summary=words)
        touch_areas("connection")


def fail(lease: Lease, error: PlatformError) -> None:
    """Keep the grant as it is; note what went wrong, and that the stored access token may be dead."""
    connection, now = lease.connection, timezone.now()
    values: dict[str, Any] = {"failures": F("failures") + 1}
    if not isinstance(error, InvalidClient | RedirectRefused):
        # Those are the operator's matter, told once and not per tenant.
        values |= {"last_error": error_message(error)[:300], "last_error_at": now}
    if isinstance(error, UnexpectedAnswer) or (isinstance(error, Unavailable) and error.sent):
        # No answer does not mean that nothing was done: the platform may have minted, and then ours is dead (guarantee T6).
        values["access_expires_at"] = None
    else:
        values["attempted_at"] = connection.attempted_at
    began, before = connection.attempted_at, connection.last_error_at
    if began and now - began >= UNRESOLVED and (before is None or before - began < UNRESOLVED):
        logger.error("connection %s has no answer to its refresh since %s", connection.source_id, began)
    if lease.end(**values):
        touch_areas("connection")


def end_grants_without_tokens() -> int:
    """After a key was lost for good: the grants whose tokens were emptied need a new consent. Returns how many."""
    with all_tenants("a lost key concerns every tenant"):
        tenant_ids = list(_without_tokens().values_list("tenant_id", flat=True))
    return sum(_end_without_tokens(tenant_id) for tenant_id in tenant_ids)


def _without_tokens() -> QuerySet[Connection]:
    consents = Q(grant_type=GrantType.AUTHORIZATION_CODE, refresh_token=b"")
    own = Q(grant_type=GrantType.CLIENT_CREDENTIALS, client_secret=b"")
    return Connection.objects.filter(consents | own, state__in=(State.ACTIVE, State.UNCONFIRMED))


def _end_without_tokens(tenant_id: int) -> bool:
    with tenant_scope(tenant_id), transaction.atomic():
        row = _without_tokens().select_for_update().first()
        if row is None:
            return False
        Connection.objects.filter(pk=row.pk).update(
            state=State.NEEDS_RECONNECTION,
            ended_at=timezone.now(),
            told_at=None,
            last_error=KEY_LOST,
            generation=F("generation") + 1,
        )
        record("connection.end", target=("connection", str(row.source_id)), summary=KEY_LOST)
        touch_areas("connection")
    return True
