"""The broker is only a bell: a flood of one tenant keeps no other waiting, and a bell that is lost costs only time."""

import threading

import pytest
from celery import current_app
from kombu.exceptions import ChannelError, OperationalError

from portal.inbox import tasks
from portal.inbox.models import Delivery, DeliveryState
from portal.inbox.selectors import tenants_with_due_deliveries
from portal.inbox.services import process_tenants, queue
from portal.inbox.services.processing import BATCH
from portal.lib import enqueue
from portal.sync.models import StaleMark
from portal.tenants.scope import tenant_scope
from tests.inbox.conftest import send
from tests.inbox.handler import put, states
from tests.support.turns import fails_in


def test_q6_a_flood_of_one_tenant_does_not_keep_another_waiting(handler, globex):
    put(*(f"flood{number}" for number in range(2 * BATCH + 20)))
    with tenant_scope(globex.pk):
        put("quiet")
    process_tenants(tenants_with_due_deliveries(), handler.routes)
    assert handler.batches == [BATCH, 1, BATCH, 20]


def test_q6_the_sweep_sees_every_tenant_behind_a_flood(handler, acme, globex):
    put(*(f"flood{number}" for number in range(30)))
    with tenant_scope(globex.pk):
        put("quiet")
    assert tenants_with_due_deliveries() == [acme.pk, globex.pk]


def test_q6_a_tenant_whose_deliveries_cannot_be_claimed_keeps_no_other_waiting(handler, acme, globex, monkeypatch):
    put("a")
    with tenant_scope(globex.pk):
        put("b")
    monkeypatch.setattr(queue, "claim", fails_in(acme, queue.claim))
    tasks.sweep_deliveries()
    assert set(states().values()) == {DeliveryState.PENDING}
    with tenant_scope(globex.pk):
        assert set(states().values()) == {DeliveryState.DONE}


@pytest.fixture
def silence(monkeypatch):
    """A broker that takes nothing. Returns how often it was asked."""
    asked: list[str] = []

    def refuse(error: Exception) -> list[str]:
        def send_task(name: str, **options: object) -> None:
            asked.append(name)
            raise error

        monkeypatch.setattr(enqueue, "_silent_until", 0.0)
        monkeypatch.setattr(enqueue, "_last_sent", {})
        monkeypatch.setattr(current_app, "send_task", send_task)
        return asked

    yield refuse
    enqueue._silent_until = 0.0


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("error", [OperationalError("down"), ChannelError("full"), TimeoutError(), ValueError("odd")], ids=type)
def test_h6_a_broker_that_fails_does_not_spoil_the_answer_and_the_sweep_does_the_work(catch_all, acme, silence, error):
    asked = silence(error)
    for number in range(3):
        assert send(catch_all, {"questionnaire": {"id": f"q{number}"}}).status_code == 204
    # After the first failure nobody waits for the broker again for a while.
    assert len(asked) == 1
    tasks.sweep_deliveries()
    with tenant_scope(acme.pk):
        assert set(Delivery.objects.values_list("state", flat=True)) == {DeliveryState.DONE}
        assert StaleMark.objects.waiting().count() == 3


def test_q1_the_sweep_finds_every_due_row_of_every_tenant(handler, globex):
    put("a", "b")
    with tenant_scope(globex.pk):
        put("c")
    tasks.sweep_deliveries()
    assert set(states().values()) == {DeliveryState.DONE}
    with tenant_scope(globex.pk):
        assert set(states().values()) == {DeliveryState.DONE}


def test_h6_another_thread_rings_at_the_same_broker():
    """As threads of a web process do, and the timer of a bell that is rung a moment later."""
    found: list[str] = []
    thread = threading.Thread(target=lambda: found.append(current_app.main))
    thread.start()
    thread.join()
    assert found == ["portal"]
