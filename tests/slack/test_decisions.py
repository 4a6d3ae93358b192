"""Deciding in Slack, from the message to what the platform has: with the page's terms, rules, second approval and undo."""

from datetime import timedelta

import pytest
from django.utils import timezone
from django.utils.dateparse import parse_datetime

from portal.access_requests.forms import REASONS
from portal.access_requests.models import Decision, DecisionState, DeskSettings, Outcome, Verb
from portal.access_requests.services import Terms, schedule_decision, undo
from portal.audit.models import Entry
from portal.notifications.services import post_due
from portal.slack.cards import REJECT
from portal.slack.models import DecisionMessage
from portal.tenants.models import Role
from portal.tenants.scope import tenant_scope
from portal.trust_center.models import Resource
from portal.work_items.models import WorkItem
from portal.work_items.services import catch_up
from tests.access_requests.conftest import CALLS, approve, fresh, let_leave, make
from tests.slack.conftest import buttons, fields, hand_in, labels, post, press, pressed, shown, tell_team, text
from tests.support.members import find_member

pytestmark = [pytest.mark.both, pytest.mark.usefixtures("app")]
BOB = "U0BOB"
FULL, PARTIAL = "FULL_ACCESS", "PARTIAL_ACCESS"


@pytest.fixture
def row(desk):
    """The request that has waited longest, with its message in Slack."""
    tell_team(desk.waiting)
    return desk.waiting


@pytest.fixture
def bob_decides(slack, bob):
    slack.knows(BOB, bob.email)
    member = find_member(user=bob)
    member.role = Role.APPROVER
    member.save()
    return member


@pytest.fixture
def globex_decision(globex):
    """The keys of a request of another tenant, and of what was decided there."""
    with tenant_scope(globex.pk):
        decision = Decision.objects.create(access_request=make("Otto"), verb=Verb.DENY, decided_by_name="Mallory Moss")
    return decision.access_request_id, decision.pk


def chosen(dialog, name, *wanted):
    """The options of a field with these labels."""
    [field] = [each for each in fields(dialog) if each["block_id"] == name]
    return [each for each in field["element"]["options"] if each["text"]["text"] in wanted]


def test_a_request_whose_decision_is_undone_stands_once_in_slack(slack, desk, me):
    catch_up()
    row = make("Ruth")
    catch_up()
    post_due()
    number = len(slack.messages)
    decision = schedule_decision(row, verb=Verb.DENY, reason="Wrong address", member=me)
    catch_up()
    undo(decision, member=me)
    catch_up()
    assert WorkItem.objects.get(object_id=row.pk).arrived_at > decision.created_at
    post_due()
    assert len(slack.messages) == number


def test_an_approval_arrives_with_exactly_the_terms_chosen(client, slack, row, desk, wire, alice):
    assert labels(slack) == ["Approve…", "Deny…"]
    press(client, slack, "approve")
    [dialog] = slack.dialogs
    documents = desk.documents[:2]
    day = timezone.localdate() + timedelta(days=40)
    answer = hand_in(
        client,
        dialog,
        access_level={"selected_option": chosen(dialog, "access_level", "Chosen documents")[0]},
        resources={"selected_options": chosen(dialog, "resources", *(each.title for each in documents))},
        expiry={"selected_option": chosen(dialog, "expiry", "On a date you choose")[0]},
        expires_on={"selected_date": day.isoformat()},
        is_nda_required={"selected_options": []},
    )
    assert answer == {"response_action": "clear"}
    assert wire.sent == []
    assert "Approved by Alice Ames: " in shown(slack)
    assert "unless someone undoes it" in shown(slack)
    assert labels(slack) == ["Undo"]
    let_leave()
    [body] = wire.sent
    assert sorted(body.pop("resourceIds")) == sorted(each.platform_id for each in documents)
    assert timezone.localtime(parse_datetime(body.pop("expirationDate"))).date() == day
    assert body == {"accessLevel": PARTIAL, "isNdaRequired": False}
    assert fresh(row).outcome == Outcome.APPROVED
    assert f"until {day.isoformat()}; no NDA." in shown(slack)
    assert labels(slack) == []
    assert Entry.objects.get(action="access_request.approve").actor == alice


def test_the_dialog_begins_with_what_was_asked_for(client, slack, row, desk, wire):
    press(client, slack, "approve")
    assert hand_in(client, slack.dialogs[0]) == {"response_action": "clear"}
    let_leave()
    [body] = wire.sent
    assert body["accessLevel"] == row.access_level
    assert sorted(body.get("resourceIds", [])) == sorted(row.requested_resources or [])
    assert body["isNdaRequired"] is True


def test_more_documents_than_slack_shows_are_said_to_be_there(client, slack, row, desk):
    Resource.objects.bulk_create(
        Resource(tenant_id=row.tenant_id, platform_id=f"many-{number}", title=f"Report {number}") for number in range(150)
    )
    press(client, slack, "approve")
    [dialog] = slack.dialogs
    [documents] = [each for each in fields(dialog) if each["block_id"] == "resources"]
    assert len(documents["element"]["options"]) == 100
    assert "Slack shows 100 documents." in str(dialog["blocks"])


def test_a_denial_arrives_with_its_reason(client, slack, row, wire):
    press(client, slack, "deny")
    [dialog] = slack.dialogs
    assert hand_in(client, dialog)["errors"].keys() == {"words"}
    hand_in(client, dialog, words=text("Ask <your> sales contact & wait."))
    let_leave()
    assert wire.sent == [{"reason": "Ask <your> sales contact & wait."}]
    assert "Denied by Alice Ames: Ask <your> sales contact & wait." in shown(slack)


def test_a_reason_can_be_chosen_instead_of_written(client, slack, row, wire):
    press(client, slack, "deny")
    [dialog] = slack.dialogs
    hand_in(client, dialog, canned={"selected_option": chosen(dialog, "canned", REASONS[0])[0]})
    let_leave()
    assert wire.sent == [{"reason": REASONS[0]}]


def test_what_was_not_filled_in_well_is_said_beside_its_field_and_decides_nothing(client, slack, row):
    press(client, slack, "approve")
    [dialog] = slack.dialogs
    on_a_day = {"selected_option": chosen(dialog, "expiry", "On a date you choose")[0]}
    partial = {"selected_option": chosen(dialog, "access_level", "Chosen documents")[0]}
    cases = [
        ({"expiry": on_a_day}, {"expires_on": "Choose a date."}),
        ({"expiry": on_a_day, "expires_on": {"selected_date": "2020-01-01"}}, {"expires_on": "Choose a date after today."}),
        (
            {"access_level": partial, "resources": {"selected_options": []}},
            {"resources": "Choose at least one document, or give access to everything."},
        ),
    ]
    for changes, errors in cases:
        assert hand_in(client, dialog, **changes) == {"response_action": "errors", "errors": errors}, changes
    forged = {"selected_option": {"value": "EVERYTHING_AND_MORE"}}
    assert hand_in(client, dialog, access_level=forged)["errors"].keys() == {"access_level"}
    assert not Decision.objects.exists()


def test_w3_undone_within_the_window_nothing_leaves_and_the_buttons_are_back(client, slack, row, wire, bob_decides):
    press(client, slack, "approve")
    hand_in(client, slack.dialogs[0])
    shown(slack)
    [(ts, message)] = slack.messages.items()
    [undo] = buttons(message)
    press(client, slack, "undo", user=BOB)
    assert labels(slack) == ["Undo"]
    assert "Undo" not in shown(slack)
    assert labels(slack) == ["Approve…", "Deny…"]
    assert Decision.objects.get().undone_by_name == str(bob_decides.user)
    let_leave()
    assert wire.sent == []
    # A press that comes twice, or late, undoes nothing else.
    press(client, slack, "approve")
    hand_in(client, slack.dialogs[-1])
    post(client, pressed(undo, ts, user=BOB))
    assert "Already undone" in slack.whispers[-1]["blocks"][0]["text"]["text"]
    assert Decision.objects.scheduled().count() == 1


def test_w3_too_late_to_undo_is_said_to_whoever_pressed(client, slack, row):
    press(client, slack, "approve")
    hand_in(client, slack.dialogs[0])
    shown(slack)
    let_leave()
    press(client, slack, "undo")
    assert "It's too late for that" in slack.whispers[0]["blocks"][0]["text"]["text"]


def test_w3_two_who_decide_at_once_make_one_decision(client, slack, row, bob_decides):
    press(client, slack, "approve")
    press(client, slack, "deny", user=BOB)
    first, second = slack.dialogs
    hand_in(client, first)
    answer = hand_in(client, second, user=BOB, words=text("No."))
    assert answer["response_action"] == "update"
    assert "Alice Ames approved it" in answer["view"]["blocks"][0]["text"]["text"]
    assert hand_in(client, first)["response_action"] == "update"
    assert Decision.objects.count() == 1


def test_two_people_approve_where_the_tenant_wants_two(client, slack, row, wire, bob_decides):
    DeskSettings.objects.update_or_create(defaults={"needs_two_for_approval": True})
    press(client, slack, "approve")
    hand_in(client, slack.dialogs[0])
    assert "Waiting for second approval" in shown(slack)
    assert labels(slack) == ["Approve", "Reject…", "Withdraw"]
    press(client, slack, "confirm")
    assert "Someone else has to confirm it" in slack.whispers[0]["blocks"][0]["text"]["text"]
    press(client, slack, "undo", user=BOB)
    assert "Only Alice Ames can withdraw this approval.\nConfirm it or reject it." in str(
        slack.whispers[1]["blocks"][0]["text"]["text"]
    )
    press(client, slack, "confirm", user=BOB)
    let_leave()
    assert len(wire.sent) == 1
    assert f"confirmed by {bob_decides.user}" in shown(slack)


def test_the_second_person_can_turn_it_down_with_a_word(client, slack, row, wire, bob_decides):
    DeskSettings.objects.update_or_create(defaults={"needs_two_for_approval": True})
    press(client, slack, "approve")
    hand_in(client, slack.dialogs[0])
    shown(slack)
    press(client, slack, REJECT, user=BOB)
    assert hand_in(client, slack.dialogs[-1], user=BOB)["errors"].keys() == {"words"}
    hand_in(client, slack.dialogs[-1], user=BOB, words=text("We don't know them."))
    decision = Decision.objects.get()
    assert (decision.state, decision.description) == (DecisionState.REJECTED, "We don't know them.")
    shown(slack)
    assert labels(slack) == ["Approve…", "Deny…"]


def test_a_message_whose_row_was_lost_is_kept_up_again_once_it_is_pressed(client, slack, row, approver):
    DecisionMessage.objects.all().delete()
    approve(approver, row)
    assert "Approve…" in labels(slack), "nobody knows of the message"
    press(client, slack, "approve")
    assert "Approved by Alice Ames" in shown(slack)
    assert labels(slack) == ["Undo"]


def test_a_request_that_is_gone_is_said_to_be(client, slack, row):
    press(client, slack, "approve")
    row.delete()
    answer = hand_in(client, slack.dialogs[0])
    assert "is no longer in the portal" in answer["view"]["blocks"][0]["text"]["text"]


def test_s1_a_button_of_another_tenants_request_finds_nothing(client, slack, row, globex, globex_decision):
    [ts] = slack.messages
    request, decision = globex_decision
    for name, key in {
        "approve": request,
        "deny": request,
        "undo": decision,
        "confirm": decision,
        REJECT: decision,
    }.items():
        post(client, pressed({"action_id": name, "value": str(key)}, ts))
        assert "is no longer in the portal" in slack.whispers[-1]["blocks"][0]["text"]["text"], name
    assert slack.dialogs == []
    with tenant_scope(globex.pk):
        assert Decision.objects.get().state == DecisionState.SCHEDULED


def test_w3_decided_on_the_page_the_message_says_so(client, slack, row, approver, wire):
    approve(approver, row)
    assert "Approved by Alice Ames" in shown(slack)
    assert labels(slack) == ["Undo"]


def test_a_decision_that_failed_does_not_hide_what_was_decided_since(client, slack, row, desk, sandbox):
    press(client, slack, "approve")
    hand_in(client, slack.dialogs[0])
    sandbox.fail("status", method="POST", path=CALLS, value=422, times=1)
    let_leave()
    assert "Not approved, by Alice Ames" in shown(slack)
    assert labels(slack) == ["Approve…", "Deny…"]
    desk.happen("denied", row)
    desk.fetch()
    said = shown(slack)
    assert "Not approved" not in said
    assert "Denied" in said
    assert labels(slack) == []


def test_a_rules_decision_and_the_platforms_own_are_shown_too(slack, row, desk, owner):
    schedule_decision(row, verb="approve", terms=Terms(access_level=FULL), member=owner)
    assert "no end date" in shown(slack)
    let_leave()
    assert labels(slack) == ["Undo"]
    shown(slack)
    assert labels(slack) == []
