"""The rows as a queue: claiming by lease, counting tries, giving back, putting off, setting aside."""

import logging
import random
from collections.abc import Iterable
from datetime import timedelta

from django.db import connection, transaction
from django.db.models import QuerySet
from django.utils import timezone

from portal.inbox.models import LEASE, Delivery, DeliveryState
from portal.inbox.services.erasure import cut_those_of_erased_people

logger = logging.getLogger(__name__)

MAX_ATTEMPTS = 12
FIRST_WAIT, MAX_WAIT = 5.0, 12 * 3600.0


@transaction.atomic
def claim(owner: str, size: int) -> tuple[list[Delivery], list[Delivery]]:
    """Take due deliveries for one worker, in the order they are due; return the new ones, and those that were tried before.

    The first try of the new ones is counted here, before it is made: what kills its worker must not do so for ever
    (guarantee Q6). The others are counted one by one as they are begun, see `begin`.
    """
    due = Delivery.objects.due().order_by("due_at", "id").only("body", "event_type", "attempts", "lease_owner")
    if connection.features.has_select_for_update_skip_locked:
        due = due.select_for_update(skip_locked=True)
    rows = list(due[:size])
    new = [row for row in rows if not row.attempts]
    tried = [row for row in rows if row.attempts]
    lease = {"lease_owner": owner, "lease_until": timezone.now() + LEASE}
    if new:
        # Their due time stays: it is in an index, and the wait after a first try is shorter than the lease.
        _rows(new).update(attempts=1, **lease)
    if tried:
        _rows(tried).update(**lease)
    for row in rows:
        # What is still there of an older lease tells that its worker died with this delivery in its hands.
        row.has_killed_a_worker = bool(row.lease_owner)  # type: ignore[attr-defined]
        row.lease_owner = owner
        row.attempts = row.attempts or 1
    # The least tried first: one that kills its worker must not take its neighbours along each time.
    return new, sorted(tried, key=lambda row: row.attempts)


def begin(delivery: Delivery) -> bool:
    """Count one more try of one delivery before it is made. False: it is not ours any more."""
    delivery.attempts += 1
    now = timezone.now()
    values = {"attempts": delivery.attempts, "due_at": now + wait_after(delivery.attempts), "lease_until": now + LEASE}
    return bool(claimed([delivery]).update(**values))


def lock(deliveries: Iterable[Delivery]) -> list[Delivery]:
    """Lock those that are still this worker's, in the order of their ids, until the transaction ends; return them."""
    rows = list(deliveries)
    ours = set(claimed(rows).select_for_update().order_by("pk").values_list("pk", flat=True))
    if len(ours) < len(rows):
        logger.warning("%s deliveries were taken over by another worker", len(rows) - len(ours))
    return [row for row in rows if row.pk in ours]


def release(owner: str, keys: list[int]) -> None:
    """Give back what a worker claimed, by these keys, and did not get to: no index knows who has what."""
    rows = Delivery.objects.filter(pk__among=keys, lease_owner=owner, state=DeliveryState.PENDING)
    rows.update(lease_owner="", lease_until=None)


def postpone(delivery: Delivery, error: Exception) -> None:
    """Have it tried again later; after the last try, set it aside."""
    reason = f"{type(error).__name__}: {error}"
    if delivery.attempts >= MAX_ATTEMPTS:
        mark_dead(delivery, reason)
        return
    due_at = timezone.now() + wait_after(delivery.attempts)
    claimed([delivery]).update(due_at=due_at, error=reason[:300], lease_owner="", lease_until=None)


def mark_dead(delivery: Delivery, reason: str) -> None:
    """Set a delivery aside with the reason. A person or the platform can send it on its way again."""
    logger.error("delivery %s is set aside after %s attempts", delivery.pk, delivery.attempts)
    claimed([delivery]).update(
        state=DeliveryState.DEAD, error=reason[:300], processed_at=timezone.now(), lease_owner="", lease_until=None
    )
    cut_those_of_erased_people([delivery])


def wait_after(attempts: int) -> timedelta:
    """Wait 5 s, 10 s, 20 s ... before the next try, with jitter: what failed together does not come back together."""
    seconds = min(FIRST_WAIT * 2.0 ** min(attempts - 1, 20), MAX_WAIT)
    return timedelta(seconds=seconds * random.uniform(1.0, 1.2))  # noqa: S311 - jitter, not a secret


def claimed(deliveries: list[Delivery]) -> QuerySet[Delivery]:
    """Narrow to those that their worker still owns."""
    return _rows(deliveries).filter(lease_owner=deliveries[0].lease_owner, state=DeliveryState.PENDING)


def _rows(deliveries: list[Delivery]) -> QuerySet[Delivery]:
    return Delivery.objects.filter(pk__among=[delivery.pk for delivery in deliveries])
