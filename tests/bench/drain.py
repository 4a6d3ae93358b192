"""How fast is a backlog drained, against one task per event, and does it slow down as the inbox grows?"""

import time

from celery import shared_task
from django.db import connection
from django.utils import timezone

from portal.inbox.models import Delivery, DeliveryState
from portal.inbox.routes import ROUTES
from portal.inbox.services import ensure_endpoints, process
from portal.questionnaires.models import Questionnaire
from portal.tenants.models import Tenant
from portal.tenants.scope import tenant_scope
from tests.bench.world import make_tenant

BACKLOG, BY_TASK, ROUNDS, OBJECTS = 4_000, 300, 3, 1_000
SIZES = (1_000, 100_000, 1_000_000)
LEAST_A_SECOND, LEAST_GAIN = 3_000, 8

FILL = """
    WITH RECURSIVE numbers(n) AS (SELECT {first} UNION ALL SELECT n + 1 FROM numbers WHERE n < {last})
    INSERT INTO inbox_delivery (tenant_id, endpoint_id, hook_id, received_at, body, event_type, secret_index, state, attempts,
                                due_at, lease_owner, object_id, outcome, error)
    SELECT %s, %s, 'msg_' || n, %s, {body}, '', 0, %s, 0, %s, '', {object_id}, '', '' FROM numbers
"""
OBJECT = f"'q' || n %% {OBJECTS}"


class Inbox:
    """The inbox of one tenant."""

    def __init__(self, tenant: Tenant) -> None:
        with tenant_scope(tenant.pk):
            self._endpoint = ensure_endpoints()[0]
        self.tenant, self._count = tenant, 0

    def fill(self, count: int, *, state: str = DeliveryState.PENDING) -> None:
        """Put deliveries into the table, as they are when they have just come or when they have been handled long ago."""
        is_new = state == DeliveryState.PENDING
        text = f"""'{{"questionnaire": {{"id": "' || {OBJECT} || '", "status": "S' || n || '"}}}}'"""
        body = f"convert_to({text}, 'UTF8')" if connection.vendor == "postgresql" else f"CAST({text} AS BLOB)"
        first, last = self._count + 1, self._count + count
        statement = FILL.format(first=first, last=last, body=body, object_id="''" if is_new else OBJECT)
        now = connection.ops.adapt_datetimefield_value(timezone.now())
        with tenant_scope(self.tenant.pk), connection.cursor() as cursor:
            cursor.execute(statement, [self.tenant.pk, self._endpoint.pk, now, str(state), now])
            if connection.vendor == "postgresql":
                # What autovacuum has long done to rows that came one by one.
                cursor.execute("VACUUM ANALYZE inbox_delivery")
        self._count = last

    def drain(self) -> float:
        """Handle all that waits; return the events a second."""
        started, taken = time.perf_counter(), 0
        with tenant_scope(self.tenant.pk):
            while found := process(ROUTES):
                taken += found
            assert not Delivery.objects.filter(state=DeliveryState.PENDING).exists()
        return taken / (time.perf_counter() - started)


@shared_task
def process_one(tenant_id: int) -> None:
    """What a receiver asks for that makes one task of each event."""
    with tenant_scope(tenant_id):
        process(ROUTES, limit=1)


def print_drain() -> None:
    tenant, _ = make_tenant("Drain")
    _make_questionnaires(tenant)
    inbox = Inbox(tenant)
    inbox.fill(BACKLOG)
    inbox.drain()
    batch, single = [], []
    for _ in range(ROUNDS):
        inbox.fill(BACKLOG)
        batch.append(inbox.drain())
        inbox.fill(BY_TASK)
        single.append(_by_task(inbox))
    gain = sorted(mine / other for mine, other in zip(batch, single, strict=True))[ROUNDS // 2]
    print(f"\nDraining {BACKLOG:,} status events over {OBJECTS:,} objects, one process, no call to the platform:")
    print(f"  in batches {_span(batch)} a second (wanted: {LEAST_A_SECOND:,})")
    print(
        f"  a Celery task for each, run in this process without any broker {_span(single)}: x {gain:.1f} (wanted: {LEAST_GAIN})"
    )
    _print_growth()


def _make_questionnaires(tenant: Tenant) -> None:
    """Let the events find what they name, in another status: their facts have to be written."""
    now = timezone.now()
    rows = [Questionnaire(platform_id=f"q{number}", created_at=now, updated_at=now) for number in range(OBJECTS)]
    with tenant_scope(tenant.pk):
        Questionnaire.objects.bulk_create(rows)


def _by_task(inbox: Inbox) -> float:
    started = time.perf_counter()
    for _ in range(BY_TASK):
        process_one.apply(args=[inbox.tenant.pk])
    return BY_TASK / (time.perf_counter() - started)


def _print_growth() -> None:
    inbox, rows, first = Inbox(make_tenant("Large")[0]), 0, 0.0
    print("  the same with handled rows in the inbox already:")
    for size in SIZES:
        started = time.perf_counter()
        inbox.fill(size - rows, state=DeliveryState.DONE)
        filled, rows = time.perf_counter() - started, size
        speeds = []
        for _ in range(ROUNDS):
            inbox.fill(BACKLOG)
            speeds.append(inbox.drain())
            rows += BACKLOG
        cost = 1_000_000 / max(speeds)
        first = first or cost
        growth = f"{cost:.0f} µs an event at best = x {cost / first:.2f}"
        print(f"    {size:>9,} rows  {_span(speeds)} a second, {growth}   (filled in {filled:.0f} s)")


def _span(speeds: list[float]) -> str:
    ordered = sorted(speeds)
    return f"{ordered[len(ordered) // 2]:,.0f} ({ordered[0]:,.0f} to {ordered[-1]:,.0f})"
