"""From kept deliveries to their effect, a batch at a time. The effect and the mark "done" are one commit (guarantee Q2)."""

import logging
import time
import uuid
from collections import defaultdict
from collections.abc import Iterable, Iterator

from django.db import DataError, transaction
from django.utils import timezone

from portal.inbox.models import Delivery
from portal.inbox.services import queue
from portal.inbox.services.erasure import cut_those_of_erased_people
from portal.inbox.services.parsing import ParsedDelivery, Routes, read
from portal.inbox.services.rotation import note_new_secrets
from portal.lib.database import update_each
from portal.lib.time_budget import TASK_TIME_BUDGET_SECONDS
from portal.page_refresh.services import touch_areas
from portal.platform_api.webhooks import Event
from portal.sync.services import Effects
from portal.tenants.turns import serve_in_turn

logger = logging.getLogger(__name__)

BATCH = 500
"""Handled in one transaction, in some 80 ms. Smaller ones pay for their round trips, larger ones hold their locks longer."""


def process(routes: Routes, *, limit: int = 2000, seconds: float = TASK_TIME_BUDGET_SECONDS) -> int:
    """Handle due deliveries of the tenant in scope; returns how many were taken on."""
    owner, deadline, pks = str(uuid.uuid4()), time.monotonic() + seconds, list[int]()
    try:
        while len(pks) < limit and time.monotonic() < deadline:
            new, tried = queue.claim(owner, min(BATCH, limit - len(pks)))
            pks += [delivery.pk for delivery in (*new, *tried)]
            if not new and not tried:
                break
            alone = tried
            if new and not _handle_together(new, routes):
                alone = new + tried
            for delivery in alone:
                if time.monotonic() >= deadline:
                    break
                _handle_alone(delivery, routes)
        if pks:
            note_new_secrets(pks)
    finally:
        if pks:
            queue.release(owner, pks)
            touch_areas("inbox")
    return len(pks)


def process_tenants(tenant_ids: Iterable[int], routes: Routes, *, seconds: float = TASK_TIME_BUDGET_SECONDS) -> list[int]:
    """Handle the deliveries of several tenants, a batch of each in turn, so that a noisy one does not starve the others."""
    deadline, waiting, worked = time.monotonic() + seconds, list(tenant_ids), list[int]()

    def turns() -> Iterator[tuple[int, int]]:
        while waiting:
            tenant_id = waiting.pop(0)
            yield tenant_id, tenant_id

    def handle_batch(tenant_id: int) -> None:
        if process(routes, limit=BATCH, seconds=deadline - time.monotonic()) == BATCH:
            waiting.append(tenant_id)
        if tenant_id not in worked:
            worked.append(tenant_id)

    serve_in_turn(turns(), handle_batch, what="handling deliveries", seconds=seconds)
    return worked


def _handle_together(deliveries: list[Delivery], routes: Routes) -> bool:
    """Handle new deliveries in one transaction. False: one of them has failed and taken the effects of all back."""
    try:
        _handle(deliveries, routes)
    except Exception as error:
        logger.warning("one of %s deliveries failed, each is tried alone: %s", len(deliveries), type(error).__name__)
        return False
    return True


def _handle_alone(delivery: Delivery, routes: Routes) -> None:
    """Handle one delivery that has failed before, or whose batch has: it harms nobody but itself."""
    if delivery.attempts >= queue.MAX_ATTEMPTS and delivery.has_killed_a_worker:  # type: ignore[attr-defined]
        queue.mark_dead(delivery, "The worker crashed on every attempt.")
        return
    if not queue.begin(delivery):
        return
    try:
        _handle([delivery], routes)
    except DataError as error:
        logger.exception("delivery %s cannot be stored", delivery.pk)
        # The same bytes fail the same way.
        queue.mark_dead(delivery, f"The database rejected its content ({type(error).__name__}).")
    except Exception as error:
        logger.exception("delivery %s failed", delivery.pk)
        queue.postpone(delivery, error)


def _handle(deliveries: list[Delivery], routes: Routes) -> None:
    readings = {reading.delivery.pk: reading for reading in read(deliveries, routes)}
    with transaction.atomic():
        # First: it shows which are still ours. A handler that fails takes the marks back.
        ours = [readings[delivery.pk] for delivery in queue.lock(deliveries)]
        if ours:
            _mark_handled(ours)
            _effects(ours, routes).write()
            cut_those_of_erased_people(reading.delivery for reading in ours)


def _effects(readings: list[ParsedDelivery], routes: Routes) -> Effects:
    """Have each kind of event looked at by its handler, all of a batch at once and in the order they came."""
    events: dict[type[Event], list[Event]] = defaultdict(list)
    for reading in readings:
        if not reading.ignored:
            events[type(reading.event)].append(reading.event)
    effects = Effects()
    for kind, handler in routes.items():
        if kind in events:
            handler(events[kind], effects)
    return effects


def _mark_handled(readings: list[ParsedDelivery]) -> None:
    columns = {
        "state": [each.state.value for each in readings],
        "event_type": [each.event_type for each in readings],
        "object_id": [each.object_id for each in readings],
        "outcome": [each.ignored for each in readings],
    }
    pks = [each.delivery.pk for each in readings]
    update_each(Delivery, pks, columns, error="", processed_at=timezone.now(), lease_owner="", lease_until=None)
