"""The row is the queue: claims by lease, one commit per effect, poison rows, fair shares, silence of the broker."""

import json
from collections.abc import Callable, Sequence
from datetime import timedelta

import pytest
from celery import current_app
from django.db import DataError
from django.utils import timezone
from kombu.exceptions import ChannelError, OperationalError

from portal.celery import app
from portal.inbox import tasks
from portal.inbox.models import LEASE, Delivery, DeliveryState
from portal.inbox.selectors import tenants_with_due_deliveries
from portal.inbox.services import claiming, ensure_endpoints, process, process_tenants, replay, store_delivery
from portal.inbox.services.claiming import MOST_ATTEMPTS
from portal.inbox.services.handling import BATCH
from portal.lib import bell
from portal.platform_api.webhooks import Event, QuestionnaireChanged, Verified, parse
from portal.sync.models import StaleMark
from portal.sync.services import Effects, mark_many
from portal.tenants.scope import tenant_scope
from tests.inbox.conftest import send


def put(*object_ids: str) -> None:
    """Have deliveries kept that name these objects."""
    endpoint = ensure_endpoints()[0]
    for object_id in object_ids:
        body = json.dumps({"questionnaire": {"id": object_id}}).encode()
        store_delivery(endpoint, Verified(f"msg_{object_id}", timestamp=0, secret_index=0), body=body)


def make_due() -> None:
    """Let enough time pass for the next try."""
    past = timezone.now() - timedelta(seconds=1)
    Delivery.objects.update(due_at=past)
    Delivery.objects.exclude(lease_until=None).update(lease_until=past)


def states() -> dict[str, str]:
    return dict(Delivery.objects.values_list("hook_id", "state"))


class Handler:
    """Notes what it is called for; fails for the ids it is told to."""

    def __init__(self) -> None:
        self.calls: list[str] = []
        self.batches: list[int] = []
        self.failures: dict[str, BaseException] = {}
        self.during: Callable[[], None] = lambda: None

    def __call__(self, events: Sequence[QuestionnaireChanged], effects: Effects) -> None:
        ids = [event.questionnaire_id for event in events]
        self.batches.append(len(ids))
        self.calls += ids
        # Written at once, so that what fails afterwards has to take it back.
        mark_many("thing", ids)
        self.during()
        for object_id in ids:
            if failure := self.failures.get(object_id):
                raise failure

    @property
    def routes(self) -> dict:
        return {QuestionnaireChanged: self}


@pytest.fixture
def handler(scoped) -> Handler:
    return Handler()


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


@pytest.fixture
def robbed(monkeypatch) -> Callable[..., None]:
    """Have another worker take deliveries over between the claim and the work."""

    def rob(*hook_ids: str) -> None:
        def steal(body: bytes, **options: object) -> Event:
            Delivery.objects.filter(hook_id__in=hook_ids).update(lease_owner="another worker")
            return parse(body)

        monkeypatch.setattr("portal.inbox.services.reading.parse", steal)

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
    claiming.claim("dead worker", 10)
    assert process(handler.routes) == 0
    make_due()
    assert process(handler.routes) == 1
    assert handler.calls == ["a"]


def test_the_lease_is_longer_than_a_task_may_run():
    assert LEASE.total_seconds() > app.conf.task_time_limit


def test_q6_tries_grow_further_apart_and_end(handler):
    put("a")
    handler.failures["a"] = RuntimeError("broken")
    waits = []
    for _ in range(MOST_ATTEMPTS):
        make_due()
        process(handler.routes)
        waits.append((Delivery.objects.get().due_at - timezone.now()).total_seconds())
    assert waits[:-1] == sorted(waits[:-1])
    assert Delivery.objects.get().state == DeliveryState.DEAD
    make_due()
    assert process(handler.routes) == 0
    assert len(handler.calls) == MOST_ATTEMPTS


def test_q6_what_kills_its_worker_is_set_aside_and_its_neighbours_are_done(handler, monkeypatch):
    put("poison", "a", "b")
    handler.failures["poison"] = SystemExit()  # nothing of ours catches it
    # A killed process gives nothing back.
    monkeypatch.setattr(claiming, "release", lambda owner: None)
    deaths = 0
    while Delivery.objects.filter(state=DeliveryState.PENDING).exists():
        try:
            process(handler.routes)
        except SystemExit:
            deaths += 1
        make_due()
    assert deaths == MOST_ATTEMPTS
    assert states() == {"msg_poison": DeliveryState.DEAD, "msg_a": DeliveryState.DONE, "msg_b": DeliveryState.DONE}
    assert Delivery.objects.get(hook_id="msg_poison").error == "Its worker died each time."
    # Once together, once more before them, and then always after what was tried less.
    assert handler.calls == ["poison", "a", "b", "poison", "a", "b", *["poison"] * (MOST_ATTEMPTS - 2)]
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


def test_h4_a_dead_delivery_that_is_sent_again_is_processed(handler, catch_all):
    send(catch_all, {"questionnaire": {"id": "a"}}, hook_id="msg_a")
    Delivery.objects.update(state=DeliveryState.DEAD, attempts=MOST_ATTEMPTS, error="broken")
    send(catch_all, {"questionnaire": {"id": "a"}}, hook_id="msg_a")
    process(handler.routes)
    row = Delivery.objects.get()
    assert (row.state, row.error, row.attempts) == (DeliveryState.DONE, "", MOST_ATTEMPTS + 1)


def test_a_replay_gives_all_tries_back(handler, alice):
    put("a")
    Delivery.objects.update(state=DeliveryState.DEAD, attempts=MOST_ATTEMPTS, error="broken")
    replay(Delivery.objects.get(), actor=alice)
    process(handler.routes)
    row = Delivery.objects.get()
    assert (row.state, row.attempts, row.error) == (DeliveryState.DONE, 1, "")


@pytest.fixture
def silence(monkeypatch):
    """A broker that takes nothing. Returns how often it was asked."""
    asked: list[str] = []

    def refuse(error: Exception) -> list[str]:
        def send_task(name: str, **options: object) -> None:
            asked.append(name)
            raise error

        monkeypatch.setattr(bell, "_silent_until", 0.0)
        monkeypatch.setattr(current_app, "send_task", send_task)
        return asked

    yield refuse
    bell._silent_until = 0.0


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
