"""The row is the queue: in order, one commit per batch and effect, again when asked."""

from django.utils import timezone

from portal.inbox.models import Delivery, DeliveryState
from portal.inbox.services import process, replay
from portal.inbox.services.queue import MAX_ATTEMPTS
from portal.sync.models import StaleMark
from tests.inbox.conftest import send
from tests.inbox.handler import put, states


def test_they_are_handled_in_the_order_they_came(handler):
    put("a", "b", "c")
    assert process(handler.routes) == 3
    assert handler.calls == ["a", "b", "c"]
    assert process(handler.routes) == 0


def test_q2_the_effect_of_a_handler_that_fails_is_taken_back(handler):
    put("a", "b")
    handler.failures["a"] = RuntimeError("broken")
    process(handler.routes)
    assert states() == {"msg_a": DeliveryState.PENDING, "msg_b": DeliveryState.DONE}
    assert list(StaleMark.objects.values_list("object_id", flat=True)) == ["b"]
    row = Delivery.objects.get(hook_id="msg_a")
    assert row.error == "RuntimeError: broken"
    assert row.due_at > timezone.now()
    assert not row.lease_owner


def test_h4_a_dead_delivery_that_is_sent_again_is_processed(handler, catch_all):
    send(catch_all, {"questionnaire": {"id": "a"}}, hook_id="msg_a")
    Delivery.objects.update(state=DeliveryState.DEAD, attempts=MAX_ATTEMPTS, error="broken")
    send(catch_all, {"questionnaire": {"id": "a"}}, hook_id="msg_a")
    process(handler.routes)
    row = Delivery.objects.get()
    assert (row.state, row.error, row.attempts) == (DeliveryState.DONE, "", MAX_ATTEMPTS + 1)


def test_a_replay_gives_all_tries_back(handler, alice):
    put("a")
    Delivery.objects.update(state=DeliveryState.DEAD, attempts=MAX_ATTEMPTS, error="broken")
    replay(Delivery.objects.get(), actor=alice)
    process(handler.routes)
    row = Delivery.objects.get()
    assert (row.state, row.attempts, row.error) == (DeliveryState.DONE, 1, "")
