"""Rows are claimed by a lease: a worker that was replaced has no effect."""

from collections.abc import Callable

import pytest

from portal.celery import app
from portal.inbox.models import LEASE, Delivery, DeliveryState
from portal.inbox.services import process, queue
from portal.platform_api.webhooks import Event, parse
from portal.sync.models import StaleMark
from tests.inbox.handler import make_due, put, states


@pytest.fixture
def robbed(monkeypatch) -> Callable[..., None]:
    """Have another worker take deliveries over between the claim and the work."""

    def rob(*hook_ids: str) -> None:
        def steal(body: bytes, **options: object) -> Event:
            Delivery.objects.filter(hook_id__in=hook_ids).update(lease_owner="another worker")
            return parse(body)

        monkeypatch.setattr("portal.inbox.services.parsing.parse", steal)

    return rob


def test_q3_a_worker_that_was_replaced_has_no_effect(handler, robbed):
    put("a")
    robbed("msg_a")
    process(handler.routes)
    assert handler.calls == []
    assert not StaleMark.objects.exists()
    assert states() == {"msg_a": DeliveryState.PENDING}


def test_q3_a_worker_that_is_replaced_in_mid_batch_does_only_what_is_still_its_own(handler, robbed):
    put("a", "b", "c")
    robbed("msg_b")
    process(handler.routes)
    assert handler.calls == ["a", "c"]
    assert states() == {"msg_a": DeliveryState.DONE, "msg_b": DeliveryState.PENDING, "msg_c": DeliveryState.DONE}
    assert Delivery.objects.get(hook_id="msg_b").lease_owner == "another worker"


def test_q3_a_worker_that_was_replaced_does_not_begin_what_it_tries_alone(handler, robbed):
    put("a", "b")
    Delivery.objects.update(attempts=1)
    robbed("msg_a", "msg_b")
    process(handler.routes)
    assert handler.calls == []
    assert dict(Delivery.objects.values_list("hook_id", "attempts")) == {"msg_a": 2, "msg_b": 1}


def test_q3_a_claimed_delivery_is_left_to_its_worker_until_the_lease_ends(handler):
    put("a")
    queue.claim("dead worker", 10)
    assert process(handler.routes) == 0
    make_due()
    assert process(handler.routes) == 1
    assert handler.calls == ["a"]


def test_the_lease_is_longer_than_a_task_may_run():
    assert LEASE.total_seconds() > app.conf.task_time_limit
