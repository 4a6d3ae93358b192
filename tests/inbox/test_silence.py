"""The silence alarm: against the tenant's own rhythm, said once, and taken back when the feed speaks again."""

from datetime import timedelta

import pytest
from django.utils import timezone

from portal.connections.models import Connection, Region, State
from portal.inbox.models import Delivery, Endpoint, Rhythm
from portal.inbox.selectors import attention_count
from portal.inbox.services import ensure_endpoints, silence, tell_of_silences, watch, watch_all
from portal.tenants.scope import all_tenants, tenant_scope
from tests.support.mails import delivered
from tests.support.turns import fails_in, one_turn_each

HOUR = timedelta(hours=1)


@pytest.fixture
def events(connected, acme):
    """Make deliveries of the past: so many hours ago each."""

    def make(*hours_ago: float) -> None:
        with tenant_scope(acme.pk):
            Connection.objects.update(connected_at=timezone.now() - timedelta(days=90))
            ensure_endpoints()
            endpoint, before = Endpoint.objects.first(), Delivery.objects.count()
            for number, hours in enumerate(sorted(hours_ago, reverse=True)):
                at = timezone.now() - hours * HOUR
                Delivery.objects.create(endpoint=endpoint, hook_id=f"msg_{before + number}", received_at=at, body=b"{}")

    return make


def test_a_feed_that_pauses_as_it_always_does_is_not_silent(events, scoped):
    events(*range(9, 24 * 10, 8))
    assert not watch()
    assert Rhythm.objects.get().longest_pause == pytest.approx(8 * HOUR, abs=timedelta(seconds=5))


def test_a_feed_that_pauses_longer_than_ever_is_silent(events, scoped):
    events(*range(13, 24 * 10, 8))
    assert watch()
    assert Rhythm.objects.get().silent_since == Delivery.objects.first().received_at


def test_whoever_has_just_connected_again_is_not_told_of_a_silence(events, scoped):
    """Nothing could come while the grant was gone, and the first event of the new one takes its time."""
    events(*range(24 * 5, 24 * 15, 8))
    Connection.objects.update(connected_at=timezone.now() - HOUR)
    assert not watch()
    Connection.objects.update(connected_at=timezone.now() - 13 * HOUR)
    assert watch()


def test_a_busy_feed_is_silent_sooner_than_a_quiet_one(events, scoped):
    events(*(2 + step / 10 for step in range(24 * 40)))
    assert watch()


def test_a_rhythm_that_is_not_known_yet_raises_no_alarm(events, scoped):
    events(48, 49, 50)
    assert not watch()
    assert not Rhythm.objects.exclude(silent_since=None).exists()


def test_what_came_before_is_taken_in_once(events, scoped):
    events(*range(9, 24 * 10, 8))
    watch()
    pauses = Rhythm.objects.get().pauses
    watch()
    assert Rhythm.objects.get().pauses == pauses
    events(0.1)
    watch()
    assert len(Rhythm.objects.get().pauses) == len(pauses) + 1


def test_old_pauses_are_forgotten(events, scoped):
    events(24 * 60, 24 * 33, *range(9, 24 * 10, 8))
    watch()
    assert Rhythm.objects.get().longest_pause < timedelta(days=25)


def test_the_admins_are_told_once_and_the_page_says_so_until_it_speaks(events, acme, client, alice, bob):
    events(*range(13, 24 * 10, 8))
    for _ in range(2):
        assert watch_all() == 1
        tell_of_silences()
    (mail,) = delivered()
    assert (mail.to, "No events from the platform since" in mail.subject) == ([alice.email], True)
    client.force_login(bob)
    assert b"No event since" in client.get("/t/acme/settings/webhooks/").content
    assert b"have stopped arriving" in client.get("/t/acme/").content
    events(0)
    assert watch_all() == 0
    assert b"No event since" not in client.get("/t/acme/settings/webhooks/").content
    with tenant_scope(acme.pk):
        assert Rhythm.objects.get().told_at is None


def test_a_feed_is_watched_while_its_grant_waits_for_an_owner(events, acme):
    events(*range(13, 24 * 10, 8))
    with tenant_scope(acme.pk):
        Connection.objects.update(state=State.NEEDS_RECONNECTION)
    assert watch_all() == 1
    events(0)
    assert watch_all() == 0
    with tenant_scope(acme.pk):
        assert Rhythm.objects.get().silent_since is None


def test_a_tenant_that_left_is_not_watched_and_its_silence_is_over(events, acme, client, alice):
    events(*range(13, 24 * 10, 8))
    assert watch_all() == 1
    client.force_login(alice)
    assert b"No event since" in client.get("/t/acme/settings/webhooks/").content
    with tenant_scope(acme.pk):
        Connection.objects.update(state=State.DISCONNECTED)
    assert watch_all() == 0
    assert b"No event since" not in client.get("/t/acme/settings/webhooks/").content
    assert not tell_of_silences()
    with tenant_scope(acme.pk):
        assert attention_count() == 0


@pytest.fixture
def connections(acme, globex):
    """Two tenants whose feeds are watched."""
    for tenant in (acme, globex):
        with tenant_scope(tenant.pk):
            Connection.objects.create(region=Region.EU, state=State.ACTIVE)


def watched() -> list[int]:
    with all_tenants("which feeds were looked at"):
        return list(Rhythm.objects.exclude(watched_at=None).order_by("tenant_id").values_list("tenant_id", flat=True))


def test_where_the_time_is_enough_for_one_feed_each_has_its_turn(connections, acme, globex, monkeypatch):
    one_turn_each(monkeypatch)
    watch_all()
    assert watched() == [acme.pk]
    watch_all()
    assert watched() == [acme.pk, globex.pk]


def test_a_feed_that_cannot_be_watched_keeps_no_other_unwatched(connections, acme, globex, monkeypatch):
    monkeypatch.setattr(silence, "take_in", fails_in(acme, silence.take_in))
    watch_all()
    assert watched() == [globex.pk]


def test_admins_who_cannot_be_told_keep_no_others_from_hearing(acme, globex, mallory, monkeypatch):
    for tenant in (acme, globex):
        with tenant_scope(tenant.pk):
            Rhythm.objects.create(silent_since=timezone.now())
    monkeypatch.setattr(silence, "notify_once", fails_in(acme, silence.notify_once))
    assert tell_of_silences() == 1
    (mail,) = delivered()
    assert mail.to == [mallory.email]
