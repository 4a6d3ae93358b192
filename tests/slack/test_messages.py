"""Messages in Slack: one for each request that waits, changed in place, and without a word of who was erased."""

import json
from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone

from portal.access_requests.models import AccessRequest
from portal.access_requests.services.erasure import erase
from portal.notifications.kinds import ACCESS_REQUESTS
from portal.notifications.models import Dispatch, DispatchState
from portal.notifications.services import notify, post_due
from portal.slack.models import DecisionMessage, MessageState
from portal.slack.services import tenants_with_outdated_messages, update_messages
from portal.slack.services.messages import WAITS
from portal.slack.tasks import sweep_messages
from portal.work_items.services import catch_up
from tests.access_requests.conftest import make
from tests.slack.conftest import labels, shown, tell_team

pytestmark = [pytest.mark.both, pytest.mark.usefixtures("app")]


def touch(row, **changes):
    AccessRequest.objects.filter(pk=row.pk).update(touched_at=timezone.now(), **changes)


def test_a_request_that_comes_stands_in_slack_with_its_buttons(slack, scoped):
    make("Ruth <b>", company="Corvane & Co", reason="Audit *now*", email="ruth@corvane.example")
    catch_up()
    assert post_due() == 1
    [message] = slack.messages.values()
    assert message["text"] == "Access request: Ruth &lt;b&gt;"
    link, facts = message["blocks"][0]["elements"][0]["elements"]
    assert (link["type"], link["text"]) == ("link", "Access request: Ruth <b>")
    assert "/t/acme/access-requests/id-Ruth" in link["url"]
    assert facts["text"].split("\n")[1:4] == [
        "Corvane & Co · ruth@corvane.example",
        "Requested: Everything",
        "Reason: Audit *now*",
    ]
    assert "mrkdwn" not in json.dumps(message)
    assert labels(slack) == ["Approve…", "Deny…"]


def test_what_nobody_can_do_in_slack_comes_together_in_one_message(slack, scoped):
    for number in range(3):
        notify(ACCESS_REQUESTS, [], key=str(number), title=f"News {number}", url=lambda slug: f"/t/{slug}/", with_team=True)
    assert post_due() == 1
    assert labels(slack) == []
    assert all(f"News {number}" in shown(slack) for number in range(3))
    assert not DecisionMessage.objects.exists()


def test_a_request_that_was_decided_before_its_message_left_has_no_buttons(slack, scoped):
    tell_team(make("Ruth", outcome="APPROVED"))
    assert labels(slack) == []
    assert not DecisionMessage.objects.exists()


def test_a_message_that_slack_does_not_take_is_tried_again(slack, scoped):
    row = make("Ruth")
    slack.refuses["chat.postMessage"] = "not_in_channel"
    tell_team(row)
    assert not slack.messages
    slack.refuses.clear()
    with time_machine.travel(timezone.now() + timedelta(minutes=2)):
        assert post_due() == 1
    assert labels(slack) == ["Approve…", "Deny…"]
    assert Dispatch.objects.get().state == DispatchState.SENT


def test_a_message_that_slack_refuses_for_itself_keeps_no_other_waiting(slack, scoped):
    slack.refuses_text = "Access request: Ruth"
    for name in ("Ruth", "Otto"):
        make(name)
    catch_up()
    assert post_due() == 1
    assert [message["text"] for message in slack.messages.values()] == ["Access request: Otto"]
    found = Dispatch.objects.by_team_channel().order_by("id")
    assert [each.state for each in found] == [DispatchState.WAITING, DispatchState.SENT]


def test_who_was_erased_is_in_no_message_any_more(slack, scoped, acme):
    row = make("Ruth", company="Corvane", outcome="PENDING")
    tell_team(row)
    touch(row, outcome="APPROVED")
    assert "Ruth" in shown(slack)
    assert DecisionMessage.objects.get().state == MessageState.SETTLED
    erase(AccessRequest.objects.all())
    assert tenants_with_outdated_messages() == [acme.pk]
    for part in ("Ruth", "ruth", "Corvane"):
        assert part not in shown(slack)
        assert part not in str(slack.messages)
    assert "is no longer in the portal" in shown(slack)
    assert tenants_with_outdated_messages() == []


def test_only_what_has_changed_is_changed_in_slack(slack, scoped, acme):
    first, second = make("Ruth"), make("Otto")
    tell_team(first)
    tell_team(second, key="two")
    assert tenants_with_outdated_messages() == []
    touch(first, gone_at=timezone.now())
    assert tenants_with_outdated_messages() == [acme.pk]
    slack.calls.clear()
    assert update_messages() == 1
    assert update_messages() == 0
    assert slack.calls == ["chat.update"]


def test_the_clock_and_the_bell_lead_to_the_same_work(slack, scoped, monkeypatch):
    row = make("Ruth")
    tell_team(row)
    touch(row, gone_at=timezone.now())
    asked = []
    monkeypatch.setattr("portal.slack.tasks.enqueue_on_commit", lambda name, tenant_id: asked.append((name, tenant_id)))
    sweep_messages()
    assert asked == [("portal.slack.tasks.update_messages", row.tenant_id)]


def test_what_cannot_be_changed_now_is_tried_again_and_not_for_ever(slack, scoped):
    row = make("Ruth")
    tell_team(row)
    touch(row, gone_at=timezone.now())
    slack.status = 500
    with time_machine.travel(timezone.now() + timedelta(seconds=1), tick=False) as clock:
        for wait in WAITS:
            assert update_messages() == 0
            assert tenants_with_outdated_messages() == []
            clock.shift(wait)
        assert update_messages() == 0
        clock.shift(timedelta(days=9))
        assert tenants_with_outdated_messages() == []
    assert DecisionMessage.objects.get().state == MessageState.DONE


def test_a_message_that_somebody_deleted_in_slack_is_left_alone(slack, scoped):
    row = make("Ruth")
    tell_team(row)
    touch(row, gone_at=timezone.now())
    slack.refuses["chat.update"] = "message_not_found"
    assert update_messages() == 1
    assert DecisionMessage.objects.get().state == MessageState.DONE


def test_without_the_app_nothing_is_called(slack, scoped, app):
    row = make("Ruth")
    tell_team(row)
    touch(row, gone_at=timezone.now())
    app.delete()
    slack.calls.clear()
    assert update_messages() == 0
    assert slack.calls == []
    assert tenants_with_outdated_messages() == []
