"""The silence alarm: a feed that says nothing for longer than this tenant's own rhythm explains.

A feed breaks silently: the endpoint was disabled after failures, a type was taken out, the address was changed. What is normal
differs from tenant to tenant, so the longest pause of the last weeks is the measure.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F, OuterRef, Subquery
from django.urls import reverse
from django.utils import timezone

from portal.connections.models import Connection, State
from portal.inbox.models import Delivery, Rhythm
from portal.inbox.services.parsing import EXAMPLE
from portal.notifications.kinds import CONNECTION
from portal.notifications.services import notify_once
from portal.page_refresh.services import touch_areas
from portal.tenants.models import Role
from portal.tenants.scope import all_tenants
from portal.tenants.turns import serve_in_turn
from portal.users.dates import stored

WEEKS = timedelta(days=30)
KNOWN_AFTER = timedelta(days=3)
"""A rhythm is known once events have come for this long; a weekend is in it by then, or the measure is generous."""
MIN_PAUSE, MAX_PAUSES = 600.0, 50
"""Seconds, and how many: only the longest matter."""
LONGER_BY = 1.5
MIN_SILENCE = timedelta(hours=1)
UNTIL_SETTLED = timedelta(minutes=1)
"""By then it is known of a delivery whether it was an example: those are sent by hand and no part of the rhythm."""
LOOKED_AT = 5000
"""Deliveries that one look takes in; the rest at the next."""


def watch_all() -> int:
    """Look at the feed of every tenant whose deliveries are stored, as far as the time goes; return how many are silent.

    First those that nobody has looked at for longest. Those of a grant that waits for an owner are stored too. Whoever has
    disconnected gets none: that is no silence.
    """
    with all_tenants("the feed of every tenant is watched"):
        left = Connection.objects.filter(state=State.DISCONNECTED).values("tenant_id")
        over = list(Rhythm.objects.exclude(silent_since=None).filter(tenant_id__in=left).values_list("tenant_id"))
        last = Subquery(Rhythm.objects.filter(tenant=OuterRef("tenant")).values("watched_at")[:1])
        there = Connection.objects.exclude(state=State.DISCONNECTED).annotate(last=last)
        turns = list(there.order_by(F("last").asc(nulls_first=True), "tenant_id").values_list("tenant_id"))
    serve_in_turn(over, _end_silence, what="ending a silence")
    return serve_in_turn(turns, watch, what="watching a feed")


def watch() -> bool:
    """Take in what has come to the tenant in scope since the last look, and say whether its feed is silent."""
    rhythm, _ = Rhythm.objects.get_or_create()
    rhythm.watched_at = timezone.now()
    settled = Delivery.objects.filter(pk__gt=rhythm.last_delivery_id, received_at__lt=rhythm.watched_at - UNTIL_SETTLED)
    newest = settled.exclude(outcome__startswith=EXAMPLE).order_by("pk").values_list("pk", "received_at")
    take_in(rhythm, list(newest[:LOOKED_AT]))
    was_silent = rhythm.silent_since is not None
    rhythm.silent_since = rhythm.last_at if _is_silent(rhythm, timezone.now()) else None
    has_changed = was_silent != (rhythm.silent_since is not None)
    if has_changed:
        rhythm.told_at = None
    with transaction.atomic():
        rhythm.save()
        if has_changed:
            touch_areas("inbox")
    return rhythm.silent_since is not None


@transaction.atomic
def _end_silence() -> None:
    Rhythm.objects.update(silent_since=None, told_at=None)
    touch_areas("inbox")


def take_in(rhythm: Rhythm, deliveries: Iterable[tuple[int, datetime]]) -> None:
    """Note the pauses between deliveries, oldest first."""
    for delivery_id, at in deliveries:
        rhythm.first_at, before = rhythm.first_at or at, rhythm.last_at or at
        pause = (at - before).total_seconds()
        if pause >= MIN_PAUSE:
            rhythm.pauses.append([at.timestamp(), pause])
        rhythm.last_delivery_id, rhythm.last_at = delivery_id, max(before, at)
    since = (timezone.now() - WEEKS).timestamp()
    recent = [pause for pause in rhythm.pauses if pause[0] >= since]
    rhythm.pauses = sorted(recent, key=lambda pause: -pause[1])[:MAX_PAUSES]


def _is_silent(rhythm: Rhythm, now: datetime) -> bool:
    if rhythm.last_at is None or rhythm.first_at is None or rhythm.last_at - rhythm.first_at < KNOWN_AFTER:
        return False
    longest = max(MIN_SILENCE, rhythm.longest_pause * LONGER_BY)
    return now - rhythm.last_at > longest and now - _last_sign_of_life(rhythm.last_at) > longest


def _last_sign_of_life(last_at: datetime) -> datetime:
    """Return when the feed was last heard: an example says nothing about the rhythm, but it shows that the way is open.

    Whoever connected again a moment ago was heard then: before, nothing could come.
    """
    latest = Delivery.objects.values_list("received_at", flat=True).first()
    connected_at = Connection.objects.values_list("connected_at", flat=True).first()
    return max(filter(None, (latest, connected_at, last_at)))


def tell_of_silences() -> int:
    """Tell the admins of tenants whose feed has fallen silent, once per silence; return of how many."""
    with all_tenants("silent feeds are found over all tenants"):
        silent = Rhythm.objects.exclude(silent_since=None).filter(told_at=None).order_by("silent_since", "pk")
        turns = [(rhythm.tenant_id, rhythm) for rhythm in silent]
    return serve_in_turn(turns, _tell, what="telling of a silence")


def _tell(rhythm: Rhythm) -> bool:
    since = rhythm.silent_since
    return notify_once(
        rhythm,
        "told_at",
        kind=CONNECTION,
        role=Role.ADMIN,
        title=f"No events from the platform since {stored(since)}" if since else "No events from the platform",
        text="This is the longest gap in 30 days. Check the endpoint in the platform's dashboard (Settings, Webhooks). "
        "Until events arrive again, the portal syncs everything once an hour, as long as it is connected.",
        url=lambda slug: reverse("inbox:webhooks", args=[slug]),
        with_team=True,
    )
