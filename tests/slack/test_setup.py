"""An admin sets the app up: Slack is asked whose token it is, a test goes there, and neither secret is shown again."""

from io import BytesIO
from urllib.parse import parse_qs, urlsplit
from zipfile import ZipFile

import pytest

from portal.audit.models import Entry
from portal.notifications.kinds import Channel
from portal.notifications.models import TeamChannel
from portal.notifications.services import set_up
from portal.tenants.offboarding import write_export
from tests.notifications.conftest import SETTINGS
from tests.slack.conftest import ADDRESS, SIGNING_SECRET
from tests.slack.stand_in import CONVERSATION, TOKEN, WORKSPACE
from tests.support.audit import recorded
from tests.support.listener import listening

PAGE, WEBHOOK = f"{SETTINGS}team/slack/app/", f"{SETTINGS}team/slack/"
FILLED = {"name": "#trust-desk", "conversation": CONVERSATION, "token": TOKEN, "signing_secret": SIGNING_SECRET}


@pytest.fixture
def admin(client, alice, me):
    client.force_login(alice)
    return client


def test_an_admin_sets_the_app_up_and_a_test_goes_to_its_channel(admin, me, slack):
    with recorded("team_channel.set_up", by=str(me.user)):
        page = admin.post(PAGE, FILLED, follow=True)
    assert b"Test sent to Slack." in page.content
    assert slack.calls == ["auth.test", "chat.postMessage"]
    [message] = slack.messages.values()
    assert (message["channel"], message["text"]) == (CONVERSATION, "Test: notifications reach #trust-desk.")
    row = TeamChannel.objects.get()
    assert (row.has_app, row.workspace, row.conversation) == (True, WORKSPACE, CONVERSATION)


def test_slacks_form_for_new_apps_is_filled_in(admin, me):
    page = admin.get(PAGE)
    query = parse_qs(urlsplit(page.context["create_url"]).query)
    assert query["new_app"] == ["1"]
    assert page.context["interaction_url"].endswith(ADDRESS)
    assert page.context["interaction_url"] in query["manifest_json"][0]
    assert "users:read.email" in query["manifest_json"][0]


def test_s9_token_and_secret_are_sealed_and_never_shown_again(admin, me, slack):
    admin.post(PAGE, FILLED)
    row = TeamChannel.objects.get()
    assert (row.open("token"), row.open("signing_secret")) == (TOKEN, SIGNING_SECRET)
    target = BytesIO()
    write_export(target)
    with ZipFile(target) as archive:
        exported = "".join(archive.read(name).decode() for name in archive.namelist())
    audit = "".join(Entry.objects.values_list("summary", flat=True))
    for shown in (admin.get(PAGE).content.decode(), admin.get(SETTINGS).content.decode(), exported, audit, repr(row)):
        assert "canary-token" not in shown
        assert SIGNING_SECRET not in shown


def test_left_empty_they_stay_and_what_was_typed_is_changed(admin, app, me):
    with recorded("team_channel.change", by=str(me.user)):
        admin.post(PAGE, FILLED | {"name": "#two", "token": "", "signing_secret": ""})
    row = TeamChannel.objects.get()
    assert (row.name, row.open("token"), row.open("signing_secret")) == ("#two", TOKEN, SIGNING_SECRET)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("token", "xoxp-1234567890"),
        ("token", ""),
        ("signing_secret", "short"),
        ("signing_secret", ""),
        ("conversation", "#trust"),
    ],
)
def test_what_cannot_be_right_is_refused_beside_its_field(admin, me, slack, field, value):
    page = admin.post(PAGE, FILLED | {field: value})
    assert page.status_code == 422
    assert [*page.context["form"].errors] == [field]
    assert slack.calls == []
    assert not TeamChannel.objects.exists()


def test_a_token_that_slack_does_not_know_changes_nothing(admin, app, slack):
    page = admin.post(PAGE, FILLED | {"token": "xoxb-of-somebody-else"})
    assert page.status_code == 422
    assert page.context["form"].errors["token"][0].startswith("Slack doesn't accept the bot token.")
    assert TeamChannel.objects.get().open("token") == TOKEN


def test_slack_that_is_down_is_said_and_nothing_is_kept(admin, me, slack):
    slack.status = 500
    page = admin.post(PAGE, FILLED)
    assert page.status_code == 422
    assert not TeamChannel.objects.exists()


def test_a_channel_that_the_app_is_not_in_is_said_by_the_test(admin, me, slack):
    slack.refuses["chat.postMessage"] = "not_in_channel"
    page = admin.post(PAGE, FILLED, follow=True)
    assert "The app isn&#x27;t in the channel. Invite it there with /invite." in page.content.decode()


def test_the_app_takes_the_place_of_an_incoming_webhook(admin, me, slack):
    with listening() as listener:
        set_up(Channel.SLACK, name="#old", url=listener.url, actor=me)
        assert b"replaces your current incoming webhook" in admin.get(PAGE).content
        admin.post(PAGE, FILLED)
        assert listener.bodies == []
    row = TeamChannel.objects.get()
    assert (row.name, bytes(row.url)) == ("#trust-desk", b"")
    assert admin.get(WEBHOOK)["Location"] == PAGE
    assert admin.post(WEBHOOK, {"name": "#old", "url": ""})["Location"] == PAGE


def test_it_is_removed_with_its_secrets(admin, app, me):
    with recorded("team_channel.remove", by=str(me.user)):
        admin.post(f"{WEBHOOK}remove/")
    assert not TeamChannel.objects.exists()
