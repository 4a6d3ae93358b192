"""Guarantees Q9 and S9: replaying is limited, and replaying what was done changes nothing but the deliveries."""

from datetime import timedelta

import pytest
from django.utils import timezone

from portal.audit.models import Entry
from portal.inbox.models import Delivery, DeliveryState
from portal.inbox.services import TooManyReplays, ensure_endpoints, replay_limits, replay_range, replays
from portal.questionnaires.models import Questionnaire
from portal.tenants.models import Role
from portal.tenants.scope import tenant_scope
from tests.inbox.test_replay_page import PAGE, handled, replay, waiting  # noqa: F401 - `handled` is a fixture
from tests.support.sizes import size

MANY = size(1_000, whole=9_999)
"""With the one that came by itself: as many as can be replayed at once."""
A_TURN = 1_000
"""Fewer than one turn of a worker handles."""


def first(acme) -> int:
    with tenant_scope(acme.pk):
        return Delivery.objects.order_by("pk").values_list("pk", flat=True)[0]


def replay_failed(client):
    return client.post(PAGE + "replay-failed/", follow=True)


def test_q9_everything_that_failed_is_replayed_and_written_down(handled, client, alice, acme):  # noqa: F811
    client.force_login(alice)
    assert b"Replay all failed" in client.get(PAGE).content
    assert b"1 delivery queued for replay" in replay_failed(client).content
    assert waiting(acme) == {"msg_r2"}
    with tenant_scope(acme.pk):
        assert Entry.objects.get(action="delivery.replay_range").details["count"] == 1


def test_q9_s9_single_replays_are_limited_per_tenant_and_the_page_says_until_when(handled, client, alice, acme, monkeypatch):  # noqa: F811
    monkeypatch.setitem(replay_limits.MAX_REPLAYS, replay_limits.ONE, 3)
    client.force_login(alice)
    address = f"{PAGE}deliveries/{first(acme)}/replay/"
    answers = [client.post(address, follow=True).content.decode() for _ in range(5)]
    assert ["queued for replay" in text for text in answers] == [True] * 3 + [False] * 2
    assert "the limit for one tenant is 3 deliveries in 10 minutes. Try again in 10 minutes." in answers[-1]
    with tenant_scope(acme.pk):
        assert Entry.objects.filter(action="delivery.replay").count() == 3


def test_q9_s9_ranges_and_failed_ones_share_a_limit_and_it_ends(handled, client, alice, acme, time_machine):  # noqa: F811
    client.force_login(alice)
    assert [replay(client, hours_ago=24).status_code for _ in range(2)] == [200] * 2
    assert b"queued for replay" in replay_failed(client).content
    answer = replay(client, hours_ago=24)
    assert answer.status_code == 429
    assert b"Nothing was replayed: the limit for one tenant is 3 times in 10 minutes" in answer.content
    assert b"Nothing was replayed" in replay_failed(client).content
    with tenant_scope(acme.pk):
        assert Entry.objects.filter(action="delivery.replay_range").count() == 3
    time_machine.move_to(timezone.now() + timedelta(minutes=11))
    assert replay(client, hours_ago=24).status_code == 200


def test_s9_one_tenant_s_replays_are_not_another_s(scoped, globex):
    for _ in range(replay_limits.MAX_REPLAYS[replay_limits.MANY]):
        replay_limits.take(replay_limits.MANY)
    with pytest.raises(TooManyReplays):
        replay_limits.take(replay_limits.MANY)
    with tenant_scope(globex.pk):
        replay_limits.take(replay_limits.MANY)


def test_q9_more_than_can_be_handled_at_once_is_refused_in_words(handled, client, alice, acme, monkeypatch):  # noqa: F811
    monkeypatch.setattr(replays, "MAX_AT_ONCE", 2)
    client.force_login(alice)
    answer = replay(client, hours_ago=24)
    assert b"that is more than 2 deliveries. Choose a shorter range." in answer.content
    assert waiting(acme) == set()
    assert replay(client, hours_ago=2.5).status_code == 200


def test_q9_on_the_command_line_nobody_is_limited(handled, acme, monkeypatch):  # noqa: F811
    monkeypatch.setattr(replays, "MAX_AT_ONCE", 1)
    with tenant_scope(acme.pk):
        for _ in range(5):
            replay_range(since=timezone.now() - timedelta(days=1), until=timezone.now())


@pytest.mark.parametrize("role", [Role.VIEWER, Role.APPROVER])
def test_q9_who_is_no_admin_replays_no_failed_ones(handled, client, member, acme, role):  # noqa: F811
    client.force_login(member(role))
    assert replay_failed(client).status_code == 403
    assert b"Replay all failed" not in client.get(PAGE).content
    assert waiting(acme) == set()


def work_off(world):
    for _ in range(0, MANY + 1, A_TURN):
        world.process()
    world.drain()


def test_q9_replaying_a_thousand_done_rows_changes_no_object_and_spends_no_token_call(world, alice):
    """Objects are marked once each, however many deliveries name them."""
    row, hour_ago = world.through("v1.questionnaire.created"), timezone.now() - timedelta(hours=1)
    ids = [row.object_id, *list(world.there("questionnaires"))[:3]]
    with tenant_scope(world.tenant.pk):
        endpoint = ensure_endpoints()[0]
        Delivery.objects.bulk_create(
            Delivery(
                endpoint=endpoint,
                hook_id=f"msg_many_{number}",
                body=b'{"questionnaire": {"id": "%s"}}' % ids[number % len(ids)].encode(),
                state=DeliveryState.DONE,
                received_at=timezone.now(),
            )
            for number in range(MANY)
        )
        replay_range(since=hour_ago, until=timezone.now() + timedelta(minutes=1), actor=alice)
    work_off(world)
    before, calls = objects(world), world.sandbox.requests()
    with tenant_scope(world.tenant.pk):
        replayed, _ = replay_range(
            since=timezone.now() - timedelta(hours=1), until=timezone.now() + timedelta(minutes=1), actor=alice
        )
    assert replayed == MANY + 1
    work_off(world)
    assert objects(world) == before
    made = world.sandbox.requests()[len(calls) :]
    assert len(made) <= 3 * len(ids)
    assert not [call for call in made if "/oauth/token" in call["path"]]
    with tenant_scope(world.tenant.pk):
        assert set(Delivery.objects.values_list("state", flat=True)) == {DeliveryState.DONE}


def objects(world) -> list[dict]:
    """The copies as they are, but for when they were looked at."""
    with tenant_scope(world.tenant.pk):
        rows = Questionnaire.objects.order_by("pk").values()
        return [{name: value for name, value in row.items() if not name.endswith("_at")} for row in rows]
