"""Replaying the deliveries of a time, from the page."""

from datetime import timedelta

import pytest
from django.utils import timezone

from portal.audit.models import Entry
from portal.inbox.models import Delivery, DeliveryState
from portal.tenants.models import Role
from portal.tenants.scope import tenant_scope

pytestmark = pytest.mark.once

PAGE = "/t/acme/settings/webhooks/"


@pytest.fixture
def handled(connected, acme, deliver):
    """Three handled deliveries of three hours; the last one failed for good."""
    for number in range(3):
        deliver({"questionnaire": {"id": f"q{number}"}}, hook_id=f"msg_r{number}")
    with tenant_scope(acme.pk):
        for number in range(3):
            at, state = timezone.now() - timedelta(hours=3 - number), DeliveryState.DONE if number < 2 else DeliveryState.DEAD
            Delivery.objects.filter(hook_id=f"msg_r{number}").update(state=state, received_at=at)


def replay(client, *, hours_ago: float, until: float = 0, **form):
    def local(hours: float) -> str:
        return (timezone.now() - timedelta(hours=hours)).strftime("%Y-%m-%dT%H:%M:%S")

    values = {"replay-since": local(hours_ago), "replay-until": local(until), "replay-state": ""} | form
    return client.post(PAGE + "replay/", values, follow=True)


def waiting(acme) -> set[str]:
    with tenant_scope(acme.pk):
        return set(Delivery.objects.filter(state=DeliveryState.PENDING).values_list("hook_id", flat=True))


def test_q9_a_range_is_replayed_and_written_down_once(handled, client, alice, acme):
    client.force_login(alice)
    response = replay(client, hours_ago=2.5)
    assert b"2 deliveries queued for replay" in response.content
    assert waiting(acme) == {"msg_r1", "msg_r2"}
    with tenant_scope(acme.pk):
        assert Entry.objects.get(action="delivery.replay_range").actor == alice


def test_q9_only_those_that_failed(handled, client, alice, acme):
    client.force_login(alice)
    replay(client, hours_ago=24, **{"replay-state": "dead"})
    assert waiting(acme) == {"msg_r2"}


@pytest.mark.parametrize("form", [{"replay-since": ""}, {"replay-until": "2001-01-01T00:00"}, {"replay-state": "pending"}])
def test_a_senseless_range_is_an_error_on_the_form(handled, client, alice, acme, form):
    client.force_login(alice)
    assert replay(client, hours_ago=24, **form).status_code == 422
    assert waiting(acme) == set()


def test_an_analyst_replays_nothing(handled, client, member, acme):
    client.force_login(member(Role.ANALYST))
    assert replay(client, hours_ago=24).status_code == 403
    assert waiting(acme) == set()
