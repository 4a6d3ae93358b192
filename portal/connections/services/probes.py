"""Trying out what a grant covers. The documented scopes do not tell (specification section 4), so each area is asked daily."""

from collections.abc import Sequence
from datetime import timedelta

from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone

from portal.connections.areas import AREAS, Area
from portal.connections.error_messages import error_message
from portal.connections.errors import NotConnected, NoTrustCenter
from portal.connections.models import EXPIRY_MARGIN, Answer, Capability, Connection, State
from portal.connections.policy import Urgency
from portal.connections.services.clients import client_for, trust_center
from portal.connections.services.queue import Waiting
from portal.connections.services.tokens import connection_of_tenant
from portal.page_refresh.services import touch_areas
from portal.platform_api import Platform
from portal.platform_api.errors import (
    AuthenticationFailed,
    NotAnApiAnswer,
    NotFound,
    OAuthError,
    PermissionRefused,
    PlatformError,
    TemporaryError,
    Unavailable,
)
from portal.tenants.scope import all_tenants

BETWEEN_PROBES = timedelta(days=1)
FOR_OTHERS = (Answer.UNKNOWN, "Only an audit firm's application can have the scopes for it.")
MAX_FAILURES = 3
"""In a row: the platform is down for everything. One area that fails says nothing about those behind it."""
BETWEEN_CHECKS = timedelta(minutes=1)
"""A person may ask for a check this often (guarantee S9)."""


class Overtaken(Exception):
    """Another grant, or another Trust Center, has taken the place of the one that was asked about."""


def probe(urgency: Urgency) -> bool:
    """Ask for every area of the tenant in scope that was not asked for lately; False when it has to go on later."""
    connection = connection_of_tenant()
    if connection is None or not connection.is_active:
        return False
    Connection.objects.filter(pk=connection.pk).update(probe_begun_at=timezone.now())
    since = max(filter(None, [connection.connected_at, connection.checked_at, timezone.now() - BETWEEN_PROBES / 2]))
    asked = set(Capability.objects.filter(asked_at__gt=since).values_list("area", flat=True))
    try:
        client = client_for(urgency, Waiting(work=len(AREAS)))
        _verify_slug_id(connection, client)
        is_whole = _ask_for_each([area for area in AREAS if area.key not in asked], connection, client)
    except (AuthenticationFailed, OAuthError, TemporaryError, NotConnected, Overtaken):
        # Not about this area: the rest would fare no better now, and the next probe begins where this one has ended.
        return False
    if is_whole:
        # Whoever has asked for a check meanwhile gets one that began after that.
        still = _still_about(connection).filter(checked_at=connection.checked_at)
        is_whole = bool(still.update(probed_at=timezone.now()))
    touch_areas("connection")
    return is_whole


def _ask_for_each(areas: Sequence[Area], connection: Connection, client: Platform) -> bool:
    """Ask for areas and keep the answers; False when some have none, which the next probe asks for again."""
    failures, is_whole = 0, True
    for area in areas:
        if not area.is_granted_by(connection):
            _save(connection, area, *FOR_OTHERS)
            continue
        try:
            _save(connection, area, *_ask(area, client))
        except Unavailable as error:
            failures, is_whole = failures + 1, False
            if failures >= MAX_FAILURES or error.path_template.startswith("/oauth/"):
                raise
        else:
            failures = 0
    return is_whole


def _ask(area: Area, client: Platform) -> tuple[Answer, str]:
    try:
        if area.ask_center:
            area.ask_center(trust_center(client))
        elif area.ask:
            area.ask(client)
        else:
            return Answer.UNKNOWN, "Not known until it is used."
    except NoTrustCenter:
        return Answer.UNKNOWN, "The Trust Center id is not known yet."
    except PermissionRefused as error:
        return Answer.NO, (error.message or "The platform refuses it for this grant.")[:300]
    except NotFound:
        return (
            Answer.UNKNOWN,
            "The platform has no such Trust Center." if area.ask_center else "The platform has no such area.",
        )
    except NotAnApiAnswer as error:
        if error.path_template.startswith("/oauth/"):
            raise
        return Answer.UNKNOWN, error_message(error)
    except (AuthenticationFailed, OAuthError, TemporaryError):
        raise
    except PlatformError as error:
        return Answer.UNKNOWN, error_message(error)[:300]
    return Answer.YES, ""


def _still_about(connection: Connection) -> QuerySet[Connection]:
    """The row, as long as it stands for the grant and the Trust Center that are asked about."""
    same = {"connected_at": connection.connected_at, "slug_id": connection.slug_id}
    return Connection.objects.filter(pk=connection.pk, state=State.ACTIVE, **same)


@transaction.atomic
def _save(connection: Connection, area: Area, answer: Answer, detail: str) -> None:
    """Keep an answer. Raises Overtaken where it would be taken for one about the next grant, or the next Trust Center."""
    # Locked: whoever puts the next one there locks it too, and then forgets what was known of the last one.
    if not _still_about(connection).select_for_update().first():
        raise Overtaken
    values = {"answer": answer, "detail": detail, "asked_at": timezone.now()}
    Capability.objects.update_or_create(area=area.key, defaults=values)


def _verify_slug_id(connection: Connection, client: Platform) -> None:
    """Find out whether the Trust Center's id, which an event told, is one of this account."""
    if not connection.slug_id or connection.slug_verified_at:
        return
    try:
        client.trust_center(connection.slug_id).get()
    except (AuthenticationFailed, OAuthError, TemporaryError):
        raise
    except PlatformError:  # it stays unproven: the areas below say what the platform answers
        return
    Connection.objects.filter(slug_id=connection.slug_id).update(slug_verified_at=timezone.now())


def request_check() -> bool:
    """Have the tenant in scope probed anew, now; False when that was asked for a moment ago."""
    now = timezone.now()
    due = Connection.objects.filter(state=State.ACTIVE).exclude(checked_at__gt=now - BETWEEN_CHECKS)
    return bool(due.update(checked_at=now, probed_at=None, probe_begun_at=None))


def tenants_to_probe(*, most: int = 50) -> list[int]:
    """Return the connected tenants whose areas were not asked for in a day, those first that were longest not tried.

    Only those that hold a live token: a token fetched for this alone would cost ten thousand tenants the whole budget.
    """
    now = timezone.now()
    with all_tenants("probes are due over all tenants"):
        active = Connection.objects.filter(state=State.ACTIVE, access_expires_at__gt=now + 2 * EXPIRY_MARGIN)
        due = active.filter(Q(probed_at=None) | Q(probed_at__lt=now - BETWEEN_PROBES))
        return list(due.order_by(F("probe_begun_at").asc(nulls_first=True), "id").values_list("tenant_id", flat=True)[:most])
