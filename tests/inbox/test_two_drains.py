"""Several workers drain one tenant's inbox at the same moment: nothing is done twice, and nobody waits in a circle."""

import json
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connections
from django.utils import timezone

from portal.inbox.models import Delivery, DeliveryState
from portal.inbox.routes import ROUTES
from portal.inbox.services import ensure_endpoints, process, store_delivery
from portal.platform_api.webhooks import Verified
from portal.questionnaires.models import Questionnaire
from portal.sync.models import StaleMark
from portal.sync.services import mark_many
from portal.tenants.scope import tenant_scope

WORKERS, OBJECTS = 4, 40
STATUSES = ("IN_PROGRESS", "IN_REVIEW", "COMPLETE")

pytestmark = pytest.mark.django_db(transaction=True)


def put(count: int, objects: int) -> None:
    """Have status events kept that name the same few objects in ever other orders."""
    endpoint = ensure_endpoints()[0]
    for number in range(count):
        place = number * 17 % objects if number // objects % 2 else objects - 1 - number % objects
        body = json.dumps({"questionnaire": {"id": f"q{place}", "status": STATUSES[number % 3]}}).encode()
        store_delivery(endpoint, Verified(f"msg_{number}", timestamp=0, secret_index=0), body=body)


def at_once(count: int, tenant_id: int, work) -> list:
    """Run something in several threads that begin together."""
    begin = threading.Barrier(count)

    def run(number: int) -> object:
        try:
            with tenant_scope(tenant_id):
                begin.wait()
                return work(number)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(count) as threads:
        return list(threads.map(run, range(count)))


def test_two_drains_do_each_delivery_once(acme, caplog):
    with tenant_scope(acme.pk):
        now = timezone.now()
        rows = [Questionnaire(platform_id=f"q{number}", created_at=now, updated_at=now) for number in range(OBJECTS)]
        Questionnaire.objects.bulk_create(rows)
        put(1600, OBJECTS)
        taken = at_once(WORKERS, acme.pk, lambda number: process(ROUTES))
        assert sum(taken) == 1600
        assert set(Delivery.objects.values_list("state", "attempts")) == {(DeliveryState.DONE, 1)}
        # One mark of each kind, raised once by each batch that named the object: eight batches at least, never more.
        assert StaleMark.objects.count() == 2 * OBJECTS
        assert max(StaleMark.objects.values_list("version", flat=True)) <= 8 + WORKERS
    # A batch that met a deadlock is retried one by one and would say so.
    assert not [record for record in caplog.records if record.name.startswith("portal.inbox")]


def test_marks_made_in_any_order_do_not_deadlock(acme):
    ids = [f"q{number}" for number in range(300)]
    with tenant_scope(acme.pk):
        mark_many("thing", ids)

    def mark(number: int) -> None:
        for turn in range(30):
            mark_many("thing", ids[turn:] if number % 2 else reversed(ids[: len(ids) - turn]))

    at_once(WORKERS, acme.pk, mark)
    with tenant_scope(acme.pk):
        assert StaleMark.objects.get(object_id="q150").version == 1 + WORKERS * 30
