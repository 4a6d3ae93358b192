"""From a kept delivery to its effect. The effect and the mark "done" are one commit (guarantee Q2)."""

import logging
import random
import time
import uuid
from collections.abc import Callable, Iterable, Mapping
from datetime import timedelta

from django.db import DataError, connection, transaction
from django.db.models import QuerySet
from django.utils import timezone

from portal.connections.services import connection_of_tenant
from portal.inbox.models import LEASE, Delivery, DeliveryState
from portal.live.services import changed
from portal.platform_api.webhooks import AccessRequestChanged, Event, QuestionnaireChanged, Unrecognised, parse
from portal.sync.services import Outcome, Result
from portal.tenants.scope import tenant_scope

logger = logging.getLogger(__name__)

type Routes = Mapping[type[Event], Callable[..., None]]

BATCH = 50
MOST_ATTEMPTS = 12
FIRST_WAIT, LONGEST_WAIT = 5.0, 12 * 3600.0
OBJECT_FIELDS = ("access_request_id", "questionnaire_id", "vendor_id", "object_id")

LOOK_ALIKES: Mapping[type[Event], str] = {
    QuestionnaireChanged: "v1.questionnaire.created or deleted",
    AccessRequestChanged: "v1.trust-center.access-request.received or denied",
}
"""What to call an event whose type neither the address nor the body tells (platform-api 3.3)."""
OTHER_TRUST_CENTER = "Names another Trust Center than this tenant's; nothing was fetched."
NOT_OURS = "An event of an area that this portal does not keep."
UNRECOGNISED = "Unrecognised; kept as it came."
EXAMPLE = "Example, nothing to fetch: the platform has no object with this id."
OUTCOME_WORDS = {
    Result.CHANGED: "Fetched; the copy was brought up to date.",
    Result.UNCHANGED: "Fetched; the copy was up to date.",
    Result.GONE: "Fetched; the platform has no such object any more.",
}


class _LostLease(Exception):
    """Another worker has taken this delivery over."""


def process(routes: Routes, *, limit: int = 500, seconds: float = 30.0) -> int:
    """Handle due deliveries of the tenant in scope; returns how many were taken on."""
    owner, deadline, taken = str(uuid.uuid4()), time.monotonic() + seconds, 0
    try:
        while taken < limit and time.monotonic() < deadline:
            claimed = _claim(owner, min(BATCH, limit - taken))
            for delivery in claimed:
                if time.monotonic() >= deadline:
                    break
                taken += 1
                _work(delivery, routes)
            if not claimed:
                break
    finally:
        _release(owner)
        if taken:
            changed("inbox")
    return taken


def process_tenants(tenant_ids: Iterable[int], routes: Routes, *, seconds: float = 50.0) -> list[int]:
    """Handle the deliveries of several tenants, a batch of each in turn, so that a noisy one does not starve the others."""
    deadline, waiting, worked = time.monotonic() + seconds, list(tenant_ids), []
    while waiting and time.monotonic() < deadline:
        tenant_id = waiting.pop(0)
        with tenant_scope(tenant_id):
            if process(routes, limit=BATCH, seconds=deadline - time.monotonic()) == BATCH:
                waiting.append(tenant_id)
        if tenant_id not in worked:
            worked.append(tenant_id)
    return worked


@transaction.atomic
def _claim(owner: str, size: int) -> list[Delivery]:
    """Take due deliveries for one worker, in the order they are due."""
    due = Delivery.objects.due().order_by("due_at", "id")
    if connection.features.has_select_for_update_skip_locked:
        due = due.select_for_update(skip_locked=True)
    rows = list(due[:size])
    ids = [row.pk for row in rows]
    Delivery.objects.filter(pk__in=ids).update(lease_owner=owner, lease_until=timezone.now() + LEASE)
    for row in rows:
        # What is still there of an older lease tells that its worker died with this delivery in its hands.
        row.has_killed_a_worker = bool(row.lease_owner)  # type: ignore[attr-defined]
        row.lease_owner = owner
    # Those that were never tried go first: one that kills its worker must not take its neighbours along each time.
    return sorted(rows, key=lambda row: row.attempts)


def _release(owner: str) -> None:
    """Give back what a worker claimed and did not get to."""
    Delivery.objects.filter(lease_owner=owner, state=DeliveryState.PENDING).update(lease_owner="", lease_until=None)


def _work(delivery: Delivery, routes: Routes) -> None:
    if delivery.attempts >= MOST_ATTEMPTS and delivery.has_killed_a_worker:  # type: ignore[attr-defined]
        _bury(delivery, "Its worker died each time.")
        return
    if not _begin(delivery):
        return
    try:
        with transaction.atomic():
            _handle(delivery, routes)
    except _LostLease:
        logger.warning("delivery %s was taken over by another worker", delivery.pk)
    except DataError as error:
        logger.exception("delivery %s cannot be stored", delivery.pk)
        _bury(delivery, f"The database refuses what it says ({type(error).__name__}).")  # the same bytes fail the same way
    except Exception as error:
        logger.exception("delivery %s failed", delivery.pk)
        _fail(delivery, error)


def _begin(delivery: Delivery) -> bool:
    """Count the attempt before it is made: a delivery that kills its worker must not do so for ever (guarantee Q6)."""
    delivery.attempts += 1
    now = timezone.now()
    values = {"attempts": delivery.attempts, "due_at": now + _wait(delivery), "lease_until": now + LEASE}
    return bool(_held(delivery).update(**values))


def _handle(delivery: Delivery, routes: Routes) -> None:
    """Mark it done first: that locks the row and shows that it is still ours; a handler that fails takes the mark back."""
    event = parse(bytes(delivery.body), event_type=delivery.event_type or None)
    handler = routes.get(type(event))
    outcome = _reason_to_ignore(event, handler)
    values = {
        "state": DeliveryState.IGNORED if outcome else DeliveryState.DONE,
        "event_type": (event.type or LOOK_ALIKES.get(type(event), ""))[:200],
        "object_id": next((getattr(event, name) for name in OBJECT_FIELDS if hasattr(event, name)), "")[:200],
        "outcome": outcome,
        "error": "",
        "processed_at": timezone.now(),
        "lease_owner": "",
        "lease_until": None,
    }
    if not _held(delivery).update(**values):
        raise _LostLease
    if handler is not None and not outcome:
        handler(event)


def _reason_to_ignore(event: Event, handler: Callable[..., None] | None) -> str:
    """Say why an event has no effect here; empty when it has one."""
    if isinstance(event, Unrecognised):
        return UNRECOGNISED
    if handler is None:
        return NOT_OURS
    slug_id = getattr(event, "slug_id", "")
    if slug_id:
        grant = connection_of_tenant()
        if grant is not None and grant.slug_id not in ("", slug_id):
            return OTHER_TRUST_CENTER
    return ""


def _fail(delivery: Delivery, error: Exception) -> None:
    reason = f"{type(error).__name__}: {error}"
    if delivery.attempts >= MOST_ATTEMPTS:
        _bury(delivery, reason)
        return
    due_at = timezone.now() + _wait(delivery)
    _held(delivery).update(due_at=due_at, error=reason[:300], lease_owner="", lease_until=None)


def _wait(delivery: Delivery) -> timedelta:
    """Wait 5 s, 10 s, 20 s ... before the next try, with jitter: what failed together does not come back together."""
    seconds = min(FIRST_WAIT * 2.0 ** min(delivery.attempts - 1, 20), LONGEST_WAIT)
    return timedelta(seconds=seconds * random.uniform(1.0, 1.2))  # noqa: S311 - jitter, not a secret


def _bury(delivery: Delivery, reason: str) -> None:
    """Set a delivery aside with the reason. A person or the platform can send it on its way again."""
    logger.error("delivery %s is set aside after %s attempts", delivery.pk, delivery.attempts)
    _held(delivery).update(
        state=DeliveryState.DEAD, error=reason[:300], processed_at=timezone.now(), lease_owner="", lease_until=None
    )


def _held(delivery: Delivery) -> QuerySet[Delivery]:
    return Delivery.objects.filter(pk=delivery.pk, lease_owner=delivery.lease_owner, state=DeliveryState.PENDING)


@transaction.atomic
def note_outcomes(outcomes: Iterable[Outcome]) -> None:
    """Write to the deliveries what became of the objects they named, so that a person can follow the chain."""
    noted = 0
    for outcome in outcomes:
        words = _outcome_words(outcome)
        if words:
            told = Delivery.objects.filter(object_id=outcome.object_id, outcome="", state=DeliveryState.DONE)
            noted += told.update(outcome=words)
    if noted:
        changed("inbox")


def _outcome_words(outcome: Outcome) -> str:
    if outcome.result is not Result.NOTHING:
        return OUTCOME_WORDS.get(outcome.result, "")
    earlier = Delivery.objects.filter(object_id=outcome.object_id, outcome__in=OUTCOME_WORDS.values())
    return OUTCOME_WORDS[Result.GONE] if earlier.exists() else EXAMPLE
