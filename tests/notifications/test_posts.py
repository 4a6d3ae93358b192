"""A team's channels: nothing lost and nothing told twice, whatever the other side does; a dead one is told otherwise."""

import socket
from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone
from standardwebhooks import Webhook

from portal.connections.services import delete_tenant
from portal.notifications.http import is_address
from portal.notifications.kinds import ACCESS_REQUESTS, TEAM, TEAM_CHANNEL, Channel, Frequency
from portal.notifications.models import Dispatch, DispatchState, Notification, TeamChannel
from portal.notifications.services import (
    deliver_due,
    notify,
    post_due,
    posts,
    remove,
    send_test_message,
    set_team_preference,
    set_up,
)
from portal.notifications.services.dispatches import WAITS
from portal.notifications.services.posts import MAX_IN_ONE
from portal.tenants.models import Role
from portal.tenants.scope import tenant_scope
from tests.support.listener import listening
from tests.support.members import add_member, find_member
from tests.support.polls import until
from tests.support.turns import fails_in

pytestmark = pytest.mark.both


@pytest.fixture
def listener():
    with listening() as found:
        yield found


@pytest.fixture
def channel(me, listener):
    """Set up a channel that leads to the listener."""

    def make(kind=Channel.SLACK, name="#trust-desk"):
        return set_up(kind, name=name, url=listener.url, actor=me)

    return make


@pytest.fixture
def quick(monkeypatch):
    monkeypatch.setattr("portal.lib.outside_http.TIMEOUT_SECONDS", 0.3)
    monkeypatch.setattr("portal.lib.outside_http.MAX_SECONDS", 0.5)


def tell_team(key="one", title="Access request: Ruth <b> [x](http://evil.example) *y*", text="Corvane Bank & Co"):
    return notify(ACCESS_REQUESTS, [], key=key, title=title, text=text, url=lambda slug: f"/t/{slug}/", with_team=True)


def states():
    return list(Dispatch.objects.by_team_channel().order_by("id").values_list("state", flat=True))


def test_slack_gets_one_message_for_what_is_due_together(channel, listener):
    channel()
    for number in range(3):
        tell_team(key=str(number))
    assert post_due() == 1
    assert post_due() == 0
    [body] = listener.bodies
    assert len(body["blocks"]) == 4
    link, text = body["blocks"][0]["elements"][0]["elements"]
    # Names are text, whatever they look like; the line for lock screens is the one place with markup.
    assert (link["type"], link["text"]) == ("link", "Access request: Ruth <b> [x](http://evil.example) *y*")
    assert link["url"].endswith("/t/acme/")
    assert text == {"type": "text", "text": "\nCorvane Bank & Co"}
    assert body["text"].startswith("Access request: Ruth &lt;b&gt; [x]")
    assert body["text"].endswith(", and 2 more")
    assert states() == [DispatchState.SENT] * 3
    assert TeamChannel.objects.get().delivered_at


def test_what_one_message_cannot_hold_follows_in_the_same_run(channel, listener):
    channel()
    for number in range(MAX_IN_ONE + 1):
        tell_team(key=str(number))
    assert post_due() == 2
    assert len(listener.bodies) == 2
    assert set(states()) == {DispatchState.SENT}


def test_a_message_that_cannot_be_written_keeps_no_other_team_waiting(channel, listener, acme, globex, mallory, monkeypatch):
    channel()
    tell_team()
    with tenant_scope(globex.pk):
        set_up(Channel.SLACK, name="#theirs", url=listener.url, actor=find_member(user=mallory))
        tell_team()
    monkeypatch.setattr(posts, "payload_of", fails_in(acme, posts.payload_of))
    assert post_due() == 1
    assert len(listener.bodies) == 1
    assert states() == [DispatchState.WAITING]


def test_teams_gets_an_adaptive_card_without_markup(channel, listener):
    channel(Channel.TEAMS)
    tell_team()
    assert post_due() == 1
    [attachment] = listener.bodies[0]["attachments"]
    assert attachment["contentType"] == "application/vnd.microsoft.card.adaptive"
    title = attachment["content"]["body"][0]["inlines"][0]
    assert (title["type"], title["text"]) == ("TextRun", "Access request: Ruth <b> [x](http://evil.example) *y*")
    assert title["selectAction"]["url"].endswith("/t/acme/")
    assert {block["type"] for block in attachment["content"]["body"]} == {"RichTextBlock"}


def test_a_webhook_is_signed_as_standard_webhooks_says(channel, listener):
    row = channel(Channel.WEBHOOK)
    tell_team()
    tell_team(key="two")
    assert post_due() == 2
    for body, seen in zip(listener.raw, listener.seen, strict=True):
        said = Webhook(row.open("secret")).verify(body, seen)
        assert said["type"] == "notification.requests"
        assert said["data"]["tenant"] == "Acme"
    assert len({seen["webhook-id"] for seen in listener.seen}) == 2


def test_the_team_is_told_once_under_a_key_and_no_members_with_it(channel, me):
    channel()
    assert [row.user for row in tell_team()] == [None]
    assert tell_team() == []
    assert Notification.objects.count() == 1
    assert not Notification.objects.in_bell_of(me.user_id).exists()
    assert deliver_due() == 0


def test_without_a_channel_nothing_is_kept_for_the_team(me):
    assert tell_team() == []
    assert not Notification.objects.exists()


@pytest.mark.parametrize("kind", TEAM)
def test_what_is_not_taken_is_tried_again_for_a_day(channel, listener, kind):
    channel(kind)
    listener.status = 500
    now = timezone.now()
    with time_machine.travel(now, tick=False) as clock:
        tell_team()
        for wait in WAITS:
            assert post_due() == 0
            assert Dispatch.objects.by_team_channel().get().due_at == timezone.now() + wait
            clock.shift(wait)
        assert post_due() == 0
    assert states() == [DispatchState.FAILED]
    assert len(listener.bodies) == len(WAITS) + 1
    assert len({seen.get("webhook-id") for seen in listener.seen}) == 1


def test_a_channel_that_comes_back_gets_everything_once(channel, listener):
    channel(Channel.WEBHOOK)
    listener.status = 503
    with time_machine.travel(timezone.now(), tick=False) as clock:
        for number in range(4):
            tell_team(key=str(number))
        # Only the first is tried: the others would not be taken either.
        assert post_due() == 0
        assert len(listener.bodies) == 1
        listener.status = 204
        clock.shift(WAITS[0])
        assert post_due() == 4
    assert states() == [DispatchState.SENT] * 4
    assert len({seen["webhook-id"] for seen in listener.seen[1:]}) == 4
    assert TeamChannel.objects.get().failing_since is None


@pytest.mark.parametrize("status", [400, 413, 422])
def test_a_message_that_is_refused_for_itself_keeps_no_other_waiting(channel, listener, status):
    channel(Channel.WEBHOOK)
    listener.status, listener.then = status, 200
    for number in range(3):
        tell_team(key=str(number))
    assert post_due() == 2
    assert states() == [DispatchState.WAITING, DispatchState.SENT, DispatchState.SENT]
    assert Dispatch.objects.by_team_channel().earliest("id").attempts == 1


def test_a_test_that_arrives_brings_what_was_tried_in_vain(channel, listener, me):
    channel()
    listener.status = 500
    with time_machine.travel(timezone.now(), tick=False) as clock:
        tell_team()
        for wait in WAITS[:5]:
            post_due()
            clock.shift(wait)
        post_due()
        assert Dispatch.objects.by_team_channel().get().due_at > timezone.now() + timedelta(hours=1)
        listener.status = 200
        set_up(Channel.SLACK, name="#other", url=listener.url, actor=me)
        assert send_test_message(TeamChannel.objects.get(), url="/") == ""
        assert post_due() == 1
    assert states() == [DispatchState.SENT]


def test_a_test_that_arrives_brings_what_waited_behind_it_too(channel, listener):
    row = channel(Channel.WEBHOOK)
    listener.status = 500
    with time_machine.travel(timezone.now(), tick=False):
        for number in range(3):
            tell_team(key=str(number))
        post_due()
        listener.status = 200
        send_test_message(row, url="/")
        assert post_due() == 3


def test_a_pause_that_is_asked_for_is_kept(channel, listener):
    channel()
    listener.status, listener.headers = 429, {"Retry-After": "900"}
    with time_machine.travel(timezone.now(), tick=False):
        tell_team()
        post_due()
        assert Dispatch.objects.by_team_channel().get().due_at == timezone.now() + timedelta(seconds=900)


def test_a_chat_that_never_answers_is_told_once(channel, listener, quick):
    channel()
    listener.waits = 1.0
    tell_team()
    assert post_due() == 0
    assert states() == [DispatchState.UNCONFIRMED]
    assert post_due() == 0
    assert len(listener.bodies) == 1
    assert "didn't answer in time" in TeamChannel.objects.get().error


def test_a_chat_that_hangs_up_after_a_message_is_told_once(channel, listener):
    channel()
    listener.hangs_up = True
    tell_team()
    assert post_due() == 0
    assert states() == [DispatchState.UNCONFIRMED]
    assert post_due() == 0
    assert len(listener.bodies) == 1
    assert "closed the connection without answering" in TeamChannel.objects.get().error


def test_a_host_where_nobody_listens_got_nothing_and_is_tried_again(channel, listener):
    row = channel()
    with socket.create_server(("127.0.0.1", 0)) as closed:
        url = f"http://127.0.0.1:{closed.getsockname()[1]}/x"
    row.url = row.seal("url", url)
    row.save()
    tell_team()
    assert post_due() == 0
    assert states() == [DispatchState.WAITING]
    assert "couldn't be reached" in TeamChannel.objects.get().error


def test_a_head_that_comes_to_no_end_is_cut_off(channel, listener, quick):
    channel()
    listener.drips_head = True
    tell_team()
    assert post_due() == 0
    assert states() == [DispatchState.UNCONFIRMED]
    until(lambda: listener.was_cut, seconds=10, what="the end of the connection")


def test_a_receiver_that_takes_its_time_leaves_the_rest_to_the_next_turn(channel, listener):
    channel(Channel.WEBHOOK)
    for number in range(3):
        tell_team(key=str(number))
    listener.waits = 1.2
    assert post_due(seconds=1) == 1
    assert states() == [DispatchState.SENT, DispatchState.WAITING, DispatchState.WAITING]
    listener.waits = 0.0
    assert post_due() == 2
    assert len(listener.bodies) == 3


def test_a_webhook_that_never_answers_gets_the_same_id_again(channel, listener, quick):
    channel(Channel.WEBHOOK)
    listener.waits = 1.0
    with time_machine.travel(timezone.now(), tick=False) as clock:
        tell_team()
        assert post_due() == 0
        listener.waits = 0.0
        clock.shift(WAITS[0])
        assert post_due() == 1
    assert len({seen["webhook-id"] for seen in listener.seen}) == 1


def test_a_host_that_answers_no_handshake_got_nothing_and_is_tried_again(me, quick):
    with socket.create_server(("127.0.0.1", 0)) as silent:
        set_up(Channel.SLACK, name="x", url=f"https://127.0.0.1:{silent.getsockname()[1]}/x", actor=me)
        tell_team()
        assert post_due() == 0
    assert states() == [DispatchState.WAITING]
    assert "couldn't be reached" in TeamChannel.objects.get().error


def test_a_channel_whose_key_is_missing_says_so_and_keeps_what_waits(channel, listener):
    row = channel()
    TeamChannel.objects.update(url=b"\x01nobody opens this")
    tell_team()
    assert post_due() == 0
    row.refresh_from_db()
    assert "an encryption key of this portal is missing" in row.error
    assert states() == [DispatchState.WAITING]


def test_an_answer_that_comes_to_no_end_is_an_answer(channel, listener, quick):
    channel()
    listener.drips = True
    tell_team()
    assert post_due() == 1
    assert states() == [DispatchState.SENT]


@pytest.mark.parametrize("location", ["http://169.254.169.254/", "/elsewhere"])
def test_s4_a_redirect_is_not_followed(channel, listener, location):
    channel()
    listener.status, listener.headers = 307, {"Location": location}
    tell_team()
    assert post_due() == 0
    assert states() == [DispatchState.WAITING]
    assert len(listener.bodies) == 1


def test_s4_a_name_that_leads_into_a_network_is_not_posted_to(channel, listener, settings):
    row = channel()
    tell_team()
    settings.TEAM_CHANNEL_PRIVATE_HOSTS = []
    assert post_due() == 0
    assert listener.bodies == []
    row.refresh_from_db()
    assert row.error == "127.0.0.1 isn't an address that this portal may call."


@pytest.mark.parametrize(
    ("channel", "url", "is_one"),
    [
        (Channel.SLACK, "https://hooks.slack.com/services/T1/B1/x", True),
        (Channel.SLACK, "https://hooks.slack.com.evil.example/services/T1", False),
        (Channel.SLACK, "https://hooks.slack.com@evil.example/", False),
        (Channel.SLACK, "http://hooks.slack.com/services/T1/B1/x", False),
        (Channel.TEAMS, "https://acme.webhook.office.com/webhookb2/x", True),
        (Channel.TEAMS, "https://prod-07.westus.logic.azure.com/workflows/x?sig=y", True),
        (Channel.TEAMS, "https://default1.6b.environment.api.powerplatform.com/x", True),
        (Channel.TEAMS, "https://evilwebhook.office.com.example/", False),
        (Channel.WEBHOOK, "https://tickets.acme.example/hook?x=1", True),
        (Channel.WEBHOOK, "ftp://tickets.acme.example/", False),
        (Channel.WEBHOOK, "https://", False),
        (Channel.WEBHOOK, "", False),
        (Channel.WEBHOOK, "https://x.example/" + "y" * 2000, False),
    ],
)
def test_s4_addresses_are_those_of_the_channel(channel, url, is_one):
    assert is_address(channel, url) is is_one


def test_a_dead_channel_is_told_to_admins_by_other_means_once(channel, listener, me, carol):
    channel()
    listener.status = 404
    with time_machine.travel(timezone.now(), tick=False) as clock:
        tell_team()
        post_due()
        assert not Notification.objects.filter(kind=TEAM_CHANNEL.name).exists()
        for wait in WAITS[:3]:
            clock.shift(wait)
            post_due()
        row = Notification.objects.get(kind=TEAM_CHANNEL.name)
        assert (row.user, row.title) == (me.user, "Slack stopped delivering")
        assert row.text == "127.0.0.1 answered with status 404."
        assert row.path == "/t/acme/settings/notifications/team/slack/"
        assert deliver_due() == 1


def test_a_channel_that_delivers_and_fails_in_one_turn_has_a_new_outage(channel, listener):
    channel(Channel.WEBHOOK)
    listener.status = 500
    with time_machine.travel(timezone.now(), tick=False) as clock:
        tell_team()
        tell_team(key="two")
        post_due()
        clock.shift(WAITS[0])
        listener.status, listener.then = 200, 500
        assert post_due() == 1
        assert TeamChannel.objects.get().failing_since == timezone.now()


def test_a_channel_that_was_removed_gets_nothing_more(channel, listener, me):
    row = channel()
    tell_team()
    remove(row, actor=me)
    assert post_due() == 0
    assert listener.bodies == []
    assert states() == [DispatchState.NOT_NEEDED]


def test_a_tenant_that_was_deleted_posts_nothing_more(channel, listener, acme, alice):
    channel()
    tell_team()
    delete_tenant(acme, actor=alice)
    assert post_due() == 0
    assert listener.bodies == []


def test_s1_each_tenant_posts_to_its_own(channel, listener, globex, alice):
    channel()
    with tenant_scope(globex.pk):
        set_up(Channel.WEBHOOK, name="x", url=listener.url, actor=add_member(tenant=globex, user=alice, role=Role.ADMIN))
        tell_team(title="Theirs")
        assert states() == [DispatchState.WAITING]
    assert states() == []
    assert post_due() == 1
    assert listener.bodies[0]["data"] == {"tenant": "Globex", "title": "Theirs"} | {
        key: listener.bodies[0]["data"][key] for key in ("text", "url")
    }


def test_never_and_daily_hold_for_the_team_too(channel, listener, me):
    channel()
    set_team_preference(me, kind="requests", channel="slack", frequency=Frequency.NEVER)
    assert tell_team() == []
    set_team_preference(me, kind="requests", channel="slack", frequency=Frequency.DAILY)
    [row] = tell_team(key="two")
    assert row.dispatches.get().due_at.hour == 9
    assert post_due() == 0


def test_a_choice_of_the_team_holds_for_what_waits_too(channel, listener, me):
    channel()
    [row] = tell_team()
    set_team_preference(me, kind="requests", channel="slack", frequency=Frequency.DAILY)
    assert row.dispatches.get().due_at.hour == 9
    assert post_due() == 0
    set_team_preference(me, kind="requests", channel="slack", frequency=Frequency.NEVER)
    assert states() == [DispatchState.NOT_NEEDED]


def test_s9_no_log_and_no_repr_says_the_address_or_the_secret(channel, listener, caplog):
    caplog.set_level("DEBUG")
    row = channel(Channel.WEBHOOK)
    secret = row.open("secret")
    listener.status = 500
    tell_team()
    post_due()
    assert "does not deliver" in caplog.text
    assert "canary-address" not in caplog.text
    for shown in (repr(row), str(row), row.error, str(vars(row))):
        assert "canary-address" not in shown
        assert secret not in shown
