"""The change of a signing secret in steps (guarantee H9): the new one is entered, seen at work, then the old one ends.

An old secret is kept, sealed, for some time after its end: only so can a delivery that comes late be told from a forged one,
and the tenant be told that the platform still signs with it.
"""

import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from time import monotonic

from django.conf import settings
from django.db import Error, transaction
from django.db.models import Exists, F, OuterRef
from django.urls import reverse
from django.utils import timezone

from portal.audit.services import record
from portal.inbox.models import Delivery, Endpoint
from portal.lib.database import waiting_for_locks
from portal.lib.sealed import Locked
from portal.notifications.kinds import CONNECTION
from portal.notifications.selectors import members_from
from portal.notifications.services import notify, notify_once
from portal.page_refresh.services import touch_areas
from portal.platform_api.webhooks import InvalidSignature, verify
from portal.tenants.models import Role
from portal.tenants.scope import all_tenants, tenant_scope
from portal.tenants.turns import serve_in_turn
from portal.users.models import User

ENDED_KEPT = timedelta(days=30)
BETWEEN_WRITES = 60.0
"""Seconds: each process writes down at most so often that an endpoint refuses its old secret."""
MAX_WAIT = 1.0
_lock = threading.Lock()
_counted: dict[int, int] = {}
_written: dict[int, float] = {}


@transaction.atomic
def end_previous(endpoint: Endpoint, *, actor: User) -> bool:
    """End the secret before the current one now; False when it had ended already."""
    locked = Endpoint.objects.select_for_update().get(pk=endpoint.pk)
    now = timezone.now()
    if not locked.accepts_previous(now):
        return False
    locked.previous_until = now
    locked.save(update_fields=["previous_until"])
    record(
        "endpoint.end_old_secret",
        target=("endpoint", str(locked.pk)),
        summary=f"Revoked the old signing secret of “{locked}”.",
        actor=actor,
    )
    touch_areas("inbox")
    return True


def note_new_secrets(delivery_ids: Sequence[int]) -> None:
    """Tick off the secrets of the tenant in scope that have now signed their first delivery, one of these."""
    unseen = Endpoint.objects.filter(confirmed_at=None).exclude(secret_entered_at=None)
    if not unseen.exists():
        return
    signed = Delivery.objects.filter(
        pk__in=delivery_ids, endpoint=OuterRef("pk"), secret_index=0, received_at__gte=OuterRef("secret_entered_at")
    )
    unseen.filter(Exists(signed)).update(confirmed_at=timezone.now())


def note_if_late(endpoint: Endpoint, body: bytes, headers: Mapping[str, str], now: datetime) -> None:
    """Count a refused delivery that is signed with the secret whose time has ended. Nothing of it is kept."""
    if not endpoint.previous_secret or endpoint.accepts_previous(now):
        return
    try:
        secret = endpoint.open("previous_secret")
        verify(body, headers, [secret], now=now.timestamp(), prefix=settings.WEBHOOK_HEADER_PREFIX)
    except (InvalidSignature, Locked):
        return
    count = _to_write(endpoint.pk)
    # A refusal must not become an error because it could not be written down.
    if count:
        with suppress(Error), waiting_for_locks(MAX_WAIT), tenant_scope(endpoint.tenant_id), transaction.atomic():
            Endpoint.objects.filter(pk=endpoint.pk).update(late_count=F("late_count") + count, late_at=now)
            touch_areas("inbox")


def _to_write(endpoint_id: int) -> int:
    """Count one; return how many are to be written now, 0 when that was done a moment ago."""
    now = monotonic()
    with _lock:
        _counted[endpoint_id] = _counted.get(endpoint_id, 0) + 1
        if now - _written.get(endpoint_id, -BETWEEN_WRITES) < BETWEEN_WRITES:
            return 0
        _written[endpoint_id] = now
        return _counted.pop(endpoint_id)


def tell_of_late_secrets() -> int:
    """Tell the admins of tenants whose platform still signs with an ended secret, once per change; return of how many."""
    with all_tenants("endpoints that refuse their old secret are found over all tenants"):
        late = Endpoint.objects.exclude(late_at=None).filter(late_told_at=None).order_by("late_at", "pk")
        turns = [(endpoint.tenant_id, endpoint) for endpoint in late]
    return serve_in_turn(turns, _tell, what="telling of an ended secret")


def _tell(endpoint: Endpoint) -> bool:
    return notify_once(
        endpoint,
        "late_told_at",
        kind=CONNECTION,
        role=Role.ADMIN,
        title=f"“{endpoint}” is refusing events",
        text="The platform still signs with the old secret. Enter the one its dashboard shows for this endpoint (Settings, "
        "Webhooks), then have the platform resend what failed.",
        url=lambda slug: reverse("inbox:webhooks", args=[slug]),
        with_team=True,
    )


def tell_of_known_secrets(user: User) -> None:
    """Have the admins of the tenant in scope replace the secrets that a former one may have entered, where there are any."""
    if not Endpoint.objects.exclude(secret=b"").exists():
        return
    notify(
        CONNECTION,
        members_from(Role.ADMIN),
        key=f"known_endpoint_secrets:{user.pk}:{timezone.now():%Y%m%d%H%M%S%f}",
        title="Replace the signing secrets of your webhooks",
        text=f"{user} is no longer an admin or owner and may still know them. Have the platform make new ones (Settings, "
        "Webhooks), then enter those here.",
        url=lambda slug: reverse("inbox:webhooks", args=[slug]),
    )


def wipe_ended() -> int:
    """Remove the secrets that ended long ago, of every tenant."""
    with all_tenants("ended secrets are wiped for all tenants together"):
        ended = Endpoint.objects.filter(previous_until__lt=timezone.now() - ENDED_KEPT).exclude(previous_secret=b"")
        return ended.update(previous_secret=b"", previous_until=None)
