"""Setting up where the team reads: by admins, with a test at once, and the address never shown again."""

from io import BytesIO
from zipfile import ZipFile

import pytest
from django.conf import settings
from django.core import mail

from portal.audit.models import Entry
from portal.notifications.kinds import Channel
from portal.notifications.models import Preference, TeamChannel
from portal.notifications.services import set_up
from portal.tenants.offboarding import write_export
from portal.tenants.sealing import forget_locked, keys_in_use
from tests.notifications.conftest import SETTINGS
from tests.support.audit import recorded
from tests.support.listener import listening

SLACK, WEBHOOK = f"{SETTINGS}team/slack/", f"{SETTINGS}team/webhook/"
HTMX = {"HX-Request": "true"}


@pytest.fixture
def listener():
    with listening() as found:
        yield found


@pytest.fixture
def bob_in(client, bob, me):
    client.force_login(bob)
    return client


def test_an_admin_sets_a_channel_up_and_a_test_goes_there(alice_in, me, listener):
    assert b"Not set up" in alice_in.get(SETTINGS).content
    page = alice_in.post(SLACK, {"name": "#trust-desk", "url": listener.url}, follow=True)
    assert b"Test sent to Slack." in page.content
    assert "notifications reach #trust-desk" in listener.bodies[0]["text"]
    assert b"#trust-desk" in page.content
    assert b"Team notifications" in page.content
    assert Entry.objects.get(action="team_channel.set_up").actor == me.user


def test_s9_the_address_is_sealed_and_never_shown_again(alice_in, me, listener):
    alice_in.post(SLACK, {"name": "#trust-desk", "url": listener.url})
    for page in (alice_in.get(SLACK), alice_in.get(SETTINGS)):
        assert b"canary-address" not in page.content
    row = TeamChannel.objects.get()
    assert b"canary-address" not in bytes(row.url)
    assert row.open("url") == listener.url
    assert not Entry.objects.filter(summary__contains="canary-address").exists()
    assert sum(keys_in_use().values()) >= 1
    assert forget_locked() == 0


def test_s9_an_export_leaves_address_and_secret_out(me, listener):
    row = set_up(Channel.WEBHOOK, name="Tickets", url=listener.url, actor=me)
    target = BytesIO()
    write_export(target)
    with ZipFile(target) as archive:
        exported = [archive.read(name).decode() for name in archive.namelist()]
    [channels] = [text for text in exported if "Tickets" in text]
    for sealed in ('"url"', '"secret"', "canary-address", row.open("secret")):
        assert sealed not in channels
    assert "canary-address" not in "".join(exported)


def test_an_empty_address_keeps_the_one_that_is_there(alice_in, me, listener):
    alice_in.post(SLACK, {"name": "#one", "url": listener.url})
    with recorded("team_channel.change", by=str(me.user)):
        alice_in.post(SLACK, {"name": "#two", "url": ""})
    row = TeamChannel.objects.get()
    assert (row.name, row.open("url")) == ("#two", listener.url)


@pytest.mark.parametrize("url", ["", "https://evil.example/", "javascript:alert(1)", "https://hooks.slack.com@evil.example/"])
def test_another_address_is_refused_in_words_and_keeps_what_was_typed(alice_in, me, url):
    page = alice_in.post(SLACK, {"name": "#trust-desk", "url": url})
    assert page.status_code == 422
    assert b"#trust-desk" in page.content
    assert not TeamChannel.objects.exists()


def test_a_test_that_does_not_arrive_says_why(alice_in, me, listener):
    listener.status = 404
    page = alice_in.post(SLACK, {"name": "#trust-desk", "url": listener.url}, follow=True)
    assert b"The test didn&#x27;t arrive. 127.0.0.1 answered with status 404." in page.content
    assert TeamChannel.objects.get().name == "#trust-desk"
    listener.status = 200
    assert b"Test sent to Slack." in alice_in.post(f"{SLACK}test/", follow=True).content
    assert b"delivered" in alice_in.get(SETTINGS).content


def test_a_webhook_has_a_secret_that_can_be_replaced(alice_in, me, listener):
    alice_in.post(WEBHOOK, {"name": "Tickets", "url": listener.url})
    first = TeamChannel.objects.get().open("secret")
    page = alice_in.get(WEBHOOK)
    assert first.encode() in page.content
    assert "no-store" in page["Cache-Control"]
    with recorded("team_channel.replace_secret", by=str(me.user)):
        alice_in.post(f"{WEBHOOK}secret/")
    second = TeamChannel.objects.get().open("secret")
    assert second != first
    alice_in.post(WEBHOOK, {"name": "Ticket system", "url": ""})
    assert TeamChannel.objects.get().open("secret") == second


def test_a_channel_is_removed_with_its_address(alice_in, me, listener):
    alice_in.post(SLACK, {"name": "#trust-desk", "url": listener.url})
    with recorded("team_channel.remove", by=str(me.user)):
        page = alice_in.post(f"{SLACK}remove/", follow=True)
    assert b"Slack removed." in page.content
    assert not TeamChannel.objects.exists()
    assert alice_in.post(f"{SLACK}test/").status_code == 404


def test_choices_for_the_team_are_kept_and_written_down(alice_in, me, listener):
    set_up(Channel.SLACK, name="#trust-desk", url=listener.url, actor=me)
    choose = f"{SETTINGS}team/"
    assert alice_in.post(choose, {"requests:slack": "weekly"}, headers=HTMX).status_code == 204
    row = Preference.objects.get()
    assert (row.user, row.kind, row.channel, row.frequency) == (None, "requests", "slack", "weekly")
    assert Entry.objects.get(action="team_channel.choose").summary == (
        "Notifications by Slack, New access requests and second approvals: weekly."
    )
    for name in ("requests:teams", "requests:email", "mention:slack", "due:slack"):
        assert alice_in.post(choose, {name: "now"}).status_code == 400
    assert Preference.objects.count() == 1


def test_s7_only_admins_set_up_and_choose(bob_in, me, listener):
    row = set_up(Channel.SLACK, name="#trust-desk", url=listener.url, actor=me)
    page = bob_in.get(SETTINGS)
    assert b"#trust-desk" in page.content
    assert b"team/slack/" not in page.content
    assert bob_in.get(SLACK).status_code == 403
    for address, data in (
        (SLACK, {"name": "x", "url": listener.url}),
        (f"{SLACK}test/", {}),
        (f"{SLACK}secret/", {}),
        (f"{SLACK}remove/", {}),
        (f"{SETTINGS}team/", {"requests:slack": "never"}),
    ):
        assert bob_in.post(address, data).status_code == 403
    row.refresh_from_db()
    assert row.name == "#trust-desk"
    assert listener.bodies == []


def test_a_channel_that_there_is_not_has_no_page(alice_in, me):
    assert alice_in.get(f"{SETTINGS}team/fax/").status_code == 404


@pytest.mark.usefixtures("one_moment")
def test_s9_a_person_sends_so_many_tests_and_no_more(alice_in, me, listener):
    set_up(Channel.SLACK, name="#trust-desk", url=listener.url, actor=me)
    limit = int(settings.ACCOUNT_RATE_LIMITS["test_message"].partition("/")[0])
    for _ in range(limit):
        assert b"Test sent to Slack." in alice_in.post(f"{SLACK}test/", follow=True).content
    for address in (f"{SLACK}test/", f"{SETTINGS}test/"):
        assert b"No test was sent" in alice_in.post(address, follow=True).content
    assert b"No test was sent" in alice_in.post(WEBHOOK, {"name": "Tickets", "url": listener.url}, follow=True).content
    assert TeamChannel.objects.filter(channel=Channel.WEBHOOK).exists()
    assert (len(listener.bodies), mail.outbox) == (limit, [])
