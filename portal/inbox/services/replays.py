"""Sending kept deliveries on their way again, or giving them up. What was applied already is applied again to the same end."""

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from django.db import transaction
from django.utils import timezone

from portal.audit.services import record
from portal.inbox.models import Delivery, DeliveryState
from portal.inbox.services.replay_limits import MANY, MAX_AT_ONCE, ONE, TooManyReplays, take
from portal.lib.counted import counted
from portal.page_refresh.services import touch_areas
from portal.tenants.scope import current_tenant_id
from portal.users.models import User

BATCH = 500
BEGINNING = datetime(2000, 1, 1, tzinfo=UTC)
REPLAYABLE = (DeliveryState.DONE, DeliveryState.IGNORED, DeliveryState.DEAD)
DISMISSED = "Dismissed after it had failed."


class BodyIsCut(Exception):
    """There is nothing left to handle again."""

    def __init__(self) -> None:
        super().__init__("This delivery cannot be replayed: its payload is no longer kept.")


@transaction.atomic
def replay(delivery: Delivery, *, actor: User) -> None:
    """Have one delivery handled again, with all its tries. Raises BodyIsCut, TooManyReplays."""
    take(ONE)
    if not Delivery.objects.filter(pk=delivery.pk, is_cut=False).update(**_afresh()):
        raise BodyIsCut
    record(
        "delivery.replay",
        target=("delivery", str(delivery.pk)),
        summary=f"Replayed the delivery {delivery.hook_id[:100]}.",
        actor=actor,
    )
    touch_areas("inbox")


@transaction.atomic
def dismiss(delivery: Delivery, *, actor: User) -> bool:
    """Give up one delivery that failed for good: nobody has to look at it any more. False when it is not failed (any more)."""
    failed = Delivery.objects.filter(pk=delivery.pk, state=DeliveryState.DEAD)
    if not failed.update(state=DeliveryState.IGNORED, outcome=f"{DISMISSED} {delivery.error}".strip()[:200], error=""):
        return False
    record(
        "delivery.dismiss",
        target=("delivery", str(delivery.pk)),
        summary=f"Dismissed the delivery {delivery.hook_id[:100]}, which had failed.",
        actor=actor,
    )
    touch_areas("inbox")
    return True


def replay_range(
    *, since: datetime, until: datetime, states: Iterable[str] = REPLAYABLE, actor: User | None = None
) -> tuple[int, int]:
    """Have the deliveries of a time handled again, in batches; returns how many, and how many have no body any more.

    Each batch is a commit; what was sent on its way is written down once, with the count, even when it ends early.
    Raises TooManyReplays when a person asks too often or for too many; on the command line nobody is limited.
    """
    found = Delivery.objects.filter(received_at__gte=since, received_at__lt=until, state__in=set(states) & set(REPLAYABLE))
    rows = found.filter(is_cut=False).order_by("pk")
    if actor is not None:
        if rows.order_by()[: MAX_AT_ONCE + 1].count() > MAX_AT_ONCE:
            raise TooManyReplays(f"Nothing was replayed: that is more than {MAX_AT_ONCE:,} deliveries. Choose a shorter range.")
        take(MANY)
    replayed, last = 0, 0
    try:
        # One that has been handled again meanwhile is not met twice: the keys only go up.
        while pks := list(rows.filter(pk__gt=last).values_list("pk", flat=True)[:BATCH]):
            replayed += rows.order_by().filter(pk__in=pks).update(**_afresh())
            last = pks[-1]
    finally:
        with transaction.atomic():
            _note_range(since, until, replayed, actor)
    return replayed, found.filter(is_cut=True).count()


def replay_failed(*, actor: User) -> tuple[int, int]:
    """Have everything that failed for good handled again. Raises TooManyReplays."""
    return replay_range(since=BEGINNING, until=timezone.now(), states=[DeliveryState.DEAD], actor=actor)


def _note_range(since: datetime, until: datetime, count: int, actor: User | None) -> None:
    times = f"{since:%Y-%m-%d %H:%M} to {until:%Y-%m-%d %H:%M} UTC"
    record(
        "delivery.replay_range",
        target=("tenant", str(current_tenant_id())),
        summary=f"Replayed {counted(count, 'delivery', 'deliveries')} received {times}.",
        actor=actor,
        details={"since": since.isoformat(), "until": until.isoformat(), "count": count},
    )
    touch_areas("inbox")


def _afresh() -> dict[str, Any]:
    return {
        "state": DeliveryState.PENDING,
        "attempts": 0,
        "due_at": timezone.now(),
        "lease_owner": "",
        "lease_until": None,
        "outcome": "",
        "error": "",
        "processed_at": None,
    }
