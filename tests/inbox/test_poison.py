"""What fails is tried alone, ever later, and set aside in the end; its neighbours are done."""

from django.db import DataError
from django.utils import timezone

from portal.inbox.models import Delivery, DeliveryState
from portal.inbox.services import process, queue
from portal.inbox.services.queue import MAX_ATTEMPTS
from portal.sync.models import StaleMark
from tests.inbox.handler import make_due, put, states


def test_q6_a_poison_row_costs_its_batch_one_retry_each(handler):
    put("a", "b", "poison", "c", "d")
    handler.failures["poison"] = RuntimeError("broken")
    process(handler.routes)
    assert handler.batches == [5, 1, 1, 1, 1, 1]
    assert [state for hook_id, state in sorted(states().items())] == [DeliveryState.DONE] * 4 + [DeliveryState.PENDING]
    assert set(StaleMark.objects.values_list("object_id", "version")) == {(each, 1) for each in "abcd"}
    put("e", "f")
    make_due()
    process(handler.routes)
    # From now on it is tried alone, and after what is new.
    assert handler.batches[6:] == [2, 1]


def test_q6_the_first_try_of_a_whole_batch_is_counted_before_it_is_made(handler):
    put("a", "b", "c")
    counted: list[list[int]] = []
    handler.during = lambda: counted.append(list(Delivery.objects.values_list("attempts", flat=True)))
    process(handler.routes)
    assert counted == [[1, 1, 1]]


def test_q6_tries_grow_further_apart_and_end(handler):
    put("a")
    handler.failures["a"] = RuntimeError("broken")
    waits = []
    for _ in range(MAX_ATTEMPTS):
        make_due()
        process(handler.routes)
        waits.append((Delivery.objects.get().due_at - timezone.now()).total_seconds())
    assert waits[:-1] == sorted(waits[:-1])
    assert Delivery.objects.get().state == DeliveryState.DEAD
    make_due()
    assert process(handler.routes) == 0
    assert len(handler.calls) == MAX_ATTEMPTS


def test_q6_what_kills_its_worker_is_set_aside_and_its_neighbours_are_done(handler, monkeypatch):
    put("poison", "a", "b")
    handler.failures["poison"] = SystemExit()  # nothing of ours catches it
    # A killed process gives nothing back.
    monkeypatch.setattr(queue, "release", lambda owner, keys: None)
    deaths = 0
    while Delivery.objects.filter(state=DeliveryState.PENDING).exists():
        try:
            process(handler.routes)
        except SystemExit:
            deaths += 1
        make_due()
    assert deaths == MAX_ATTEMPTS
    assert states() == {"msg_poison": DeliveryState.DEAD, "msg_a": DeliveryState.DONE, "msg_b": DeliveryState.DONE}
    assert Delivery.objects.get(hook_id="msg_poison").error == "The worker crashed on every attempt."
    # Once together, once more before them, and then always after what was tried less.
    assert handler.calls == ["poison", "a", "b", "poison", "a", "b", *["poison"] * (MAX_ATTEMPTS - 2)]
    assert set(StaleMark.objects.values_list("object_id", "version")) == {("a", 1), ("b", 1)}


def test_q6_the_wait_is_set_before_the_try_in_case_its_worker_dies(handler):
    put("a")
    Delivery.objects.update(attempts=7)  # tried before, so alone
    waits: list[float] = []
    handler.during = lambda: waits.append((Delivery.objects.get().due_at - timezone.now()).total_seconds())
    process(handler.routes)
    assert waits[0] > 5 * 2**6


def test_q6_what_the_database_refuses_is_not_tried_again(handler):
    put("a", "b")
    handler.failures["a"] = DataError("value too long")
    process(handler.routes)
    assert states() == {"msg_a": DeliveryState.DEAD, "msg_b": DeliveryState.DONE}
