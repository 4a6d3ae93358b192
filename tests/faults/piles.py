"""What a process of the house can be told about many deliveries at once: to have them, to cut them, to say how they fared."""

import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any

from django.db.models import Max, Min
from django.utils import timezone

from portal.inbox.models import Delivery, DeliveryState
from portal.inbox.services import ensure_endpoints, prune_bodies
from portal.tenants.scope import all_tenants, tenant_scope

BATCH = 5000


def pile(tenant_id: int, count: int, *, days: int = 0) -> None:
    """Have so many deliveries kept: those of this moment wait, those of some days ago were handled then."""
    at = timezone.now() - timedelta(days=days)
    state = DeliveryState.DONE if days else DeliveryState.PENDING
    with all_tenants("keys are given out in the order of time: what is there already is no younger than what comes now"):
        Delivery.objects.filter(received_at__gt=at).update(received_at=at)
    with tenant_scope(tenant_id):
        endpoint = ensure_endpoints()[0]
        for start in range(0, count, BATCH):
            Delivery.objects.bulk_create(
                Delivery(
                    endpoint=endpoint,
                    hook_id=f"pile_{number}",
                    body=json.dumps({"questionnaire": {"id": f"p{number}"}}).encode(),
                    received_at=at,
                    due_at=at,
                    state=state,
                )
                for number in range(start, min(start + BATCH, count))
            )


def prune() -> int:
    """Cut old bodies until there are none; return how many there were."""
    number = 0
    while cut := prune_bodies():
        number += cut
    return number


def bodies(tenant_id: int) -> dict[str, int]:
    """Return how many deliveries have their body and how many had it cut."""
    with tenant_scope(tenant_id):
        cut = Delivery.objects.filter(is_cut=True)
        return {"cut": cut.filter(body=b"").count(), "whole": Delivery.objects.filter(is_cut=False).exclude(body=b"").count()}


def waits(tenant_id: int) -> list[float]:
    """Return the seconds from the arrival of each delivery to its effect, the shortest first."""
    with tenant_scope(tenant_id):
        times = Delivery.objects.exclude(processed_at=None).values_list("received_at", "processed_at")
        return sorted((done - came).total_seconds() for came, done in times)


def handled_between(tenant_id: int) -> tuple[float, float]:
    """Return when the first and when the last delivery had its effect, in seconds since the epoch."""
    with tenant_scope(tenant_id):
        span = Delivery.objects.aggregate(first=Min("processed_at"), last=Max("processed_at"))
    return span["first"].timestamp(), span["last"].timestamp()


COMMANDS: dict[str, Callable[..., Any]] = {
    command.__name__: command for command in (pile, prune, bodies, waits, handled_between)
}
