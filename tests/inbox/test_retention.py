"""Old bodies are cut and their keys stay; ranges are replayed; the command does what workers do."""

import json
from datetime import UTC, datetime, timedelta
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse
from django.utils import timezone

from portal.audit.models import Entry
from portal.celery import app
from portal.inbox import services, tasks
from portal.inbox.models import Delivery, DeliveryState
from portal.inbox.services import replays, retention
from portal.platform_api.webhooks import Verified
from portal.sync.models import StaleMark
from portal.tenants.scope import all_tenants, tenant_scope
from tests.inbox.conftest import send
from tests.support.plans import plan_of

LONG_AGO = timedelta(days=91)


def put(hook_id: str, *, state: str = DeliveryState.DONE, age: timedelta = timedelta()) -> None:
    """Have a delivery kept, as it is after some time."""
    body = json.dumps({"questionnaire": {"id": hook_id}}).encode()
    services.store_delivery(services.ensure_endpoints()[0], Verified(hook_id, timestamp=0, secret_index=0), body=body)
    Delivery.objects.filter(hook_id=hook_id).update(state=state, received_at=timezone.now() - age)


def cut() -> set[str]:
    return set(Delivery.objects.filter(is_cut=True, body=b"").values_list("hook_id", flat=True))


def waiting() -> set[str]:
    return set(Delivery.objects.filter(state=DeliveryState.PENDING).values_list("hook_id", flat=True))


def command(*arguments: str) -> str:
    out = StringIO()
    call_command("inbox", *arguments, stdout=out)
    return out.getvalue()


def test_o7_bodies_of_finished_deliveries_are_cut_after_their_time(scoped, globex, monkeypatch):
    monkeypatch.setattr(retention, "BATCH", 2)
    for number in range(5):
        put(f"old{number}", age=LONG_AGO)
    put("ignored", state=DeliveryState.IGNORED, age=LONG_AGO)
    put("dead", state=DeliveryState.DEAD, age=LONG_AGO)
    put("waiting", state=DeliveryState.PENDING, age=LONG_AGO)
    with tenant_scope(globex.pk):
        put("theirs", age=LONG_AGO)
    put("young", age=timedelta(days=89))
    tasks.prune_deliveries()
    assert cut() == {"old0", "old1", "old2", "old3", "old4", "ignored"}
    assert Delivery.objects.exclude(body=b"").count() == 3
    with tenant_scope(globex.pk):
        assert cut() == {"theirs"}
    assert services.prune_bodies() == 0


def test_o7_what_was_cut_before_is_not_read_again(acme):
    """Only what is to be cut stands in the index."""
    with all_tenants("old bodies are cut for all tenants together"):
        plan = plan_of(retention.old_bodies(timezone.now())[: retention.BATCH])
    assert plan.sought_in("deliveries_to_be_cut") == ["received_at"], plan.text
    assert not plan.sorts, plan.text


def test_o7_one_that_was_replayed_long_after_is_cut_as_well(scoped):
    put("dead", state=DeliveryState.DEAD, age=LONG_AGO)
    put("old", age=LONG_AGO)
    services.prune_bodies()
    Delivery.objects.filter(hook_id="dead").update(state=DeliveryState.DONE)
    assert services.prune_bodies() == 1
    assert cut() == {"dead", "old"}


def test_o7_one_that_was_sent_on_its_way_meanwhile_keeps_its_body(scoped, monkeypatch):
    put("old", age=LONG_AGO)
    found = retention.Delivery.objects.filter

    def replayed_in_between(**conditions):
        if "pk__in" in conditions:
            found(hook_id="old").update(state=DeliveryState.PENDING)
        return found(**conditions)

    monkeypatch.setattr(type(Delivery.objects), "filter", lambda self, *args, **conditions: replayed_in_between(**conditions))
    assert services.prune_bodies() == 0


def test_o7_a_very_late_duplicate_is_still_known(catch_all, acme):
    for _ in range(2):
        assert send(catch_all, {"questionnaire": {"id": "a"}}, hook_id="msg_a").status_code == 204
        with tenant_scope(acme.pk):
            Delivery.objects.update(state=DeliveryState.DONE, received_at=timezone.now() - LONG_AGO)
        services.prune_bodies()
    with tenant_scope(acme.pk):
        assert Delivery.objects.count() == 1
        assert cut() == {"msg_a"}


def test_the_clock_prunes():
    assert app.conf.beat_schedule["prune_deliveries"]["schedule"] == 3600
    assert app.conf.beat_schedule["prune_deliveries"]["task"] == tasks.prune_deliveries.name


def test_the_page_says_that_the_body_was_cut_and_offers_no_replay(client, alice, scoped):
    put("old", age=LONG_AGO)
    row = Delivery.objects.get()
    address = reverse("inbox:delivery", args=["acme", row.pk])
    client.force_login(alice)
    assert "Replay" in client.get(address).content.decode()
    services.prune_bodies()
    page = client.get(address).content.decode()
    assert "was removed after its retention period" in page
    assert "Replay" not in page
    answer = client.post(reverse("inbox:replay", args=["acme", row.pk]), follow=True)
    assert "cannot be replayed" in answer.content.decode()
    assert waiting() == set()
    assert not Entry.objects.filter(action="delivery.replay").exists()


def test_q9_a_range_is_replayed_in_batches_and_written_down_once(scoped, globex, alice, monkeypatch):
    monkeypatch.setattr(replays, "BATCH", 2)
    for number, age in enumerate((9, 5, 4, 3, 1)):
        put(f"msg_{number}", age=timedelta(hours=age))
    put("dead", state=DeliveryState.DEAD, age=timedelta(hours=4))
    with tenant_scope(globex.pk):
        put("theirs", age=timedelta(hours=4))
    now = timezone.now()
    found = services.replay_range(since=now - timedelta(hours=6), until=now - timedelta(hours=2), actor=alice)
    assert found == (4, 0)
    assert waiting() == {"msg_1", "msg_2", "msg_3", "dead"}
    entry = Entry.objects.get(action="delivery.replay_range")
    assert (entry.actor, entry.details["count"]) == (alice, 4)
    with tenant_scope(globex.pk):
        assert waiting() == set()


def test_q9_only_one_state_and_nothing_without_a_body(scoped):
    put("old", age=LONG_AGO)
    put("dead", state=DeliveryState.DEAD)
    put("done")
    services.prune_bodies()
    assert "2 deliveries" not in command("replay", "--tenant", "acme", "--state", "dead")
    assert waiting() == {"dead"}
    said = command("replay", "--tenant", "acme", "--until", "2999-01-01T00:00")
    assert "1 delivery" in said
    assert "1 cannot be" in said
    assert waiting() == {"dead", "done"}


def test_the_command_reads_moments(scoped):
    put("early", age=timedelta(days=2))
    put("late")
    since = (datetime.now(UTC) - timedelta(days=1)).replace(tzinfo=None).isoformat()
    command("replay", "--tenant", "acme", "--since", since)
    assert waiting() == {"late"}


def test_the_command_drains_one_tenant_or_all(scoped, globex):
    put("a", state=DeliveryState.PENDING)
    with tenant_scope(globex.pk):
        put("b", state=DeliveryState.PENDING)
    assert "Drained 1" in command("drain", "--tenant", "acme")
    assert waiting() == set()
    assert StaleMark.objects.get().object_id == "a"
    with tenant_scope(globex.pk):
        assert waiting() == {"b"}
    command("drain")
    with tenant_scope(globex.pk):
        assert waiting() == set()


def test_the_command_prunes(scoped):
    put("old", age=timedelta(days=8))
    assert "0 bodies" in command("prune")
    assert "1 bodies" in command("prune", "--days", "7")
    assert cut() == {"old"}


@pytest.mark.parametrize(
    "arguments", [(), ("drain", "--tenant", "nobody"), ("replay",), ("replay", "--tenant", "nobody"), ("prune", "--days", "0")]
)
def test_the_command_refuses_what_it_cannot_do(db, arguments):
    with pytest.raises(CommandError):
        command(*arguments)
