"""The second approval, and the settings that ask for it."""

import pytest

from portal.access_requests import services
from portal.access_requests.models import FULL, AccessRequest, Decision, DecisionState, DeskSettings, Outcome, Verb
from portal.access_requests.services import RuleMark, Terms
from portal.audit.models import Entry
from portal.page_refresh.services import touch_areas
from portal.tenants.models import Role
from tests.access_requests.conftest import PAGE, address, approve, deny, fresh, let_leave, words
from tests.support.members import find_member, set_role

SETTINGS, BULK = f"{PAGE}settings/", f"{PAGE}bulk/"
EVERYTHING = Terms(access_level=FULL)


@pytest.fixture
def two(desk, acme):
    return DeskSettings.objects.create(needs_two_for_approval=True)


@pytest.fixture
def second(desk, client, approver, member):
    """Another approver, with a way to change places."""
    user = member(Role.APPROVER)
    return lambda: client.force_login(user)


def act(client, verb, **data):
    return client.post(f"{PAGE}decisions/{Decision.objects.latest('pk').pk}/{verb}/", data)


def test_an_approval_waits_for_a_second_person_and_leaves_half_a_minute_later(desk, approver, two, second):
    row = desk.waiting
    approve(approver, row)
    let_leave()
    assert Decision.objects.get().state == DecisionState.AWAITING_SECOND
    assert desk.decisions_sent() == []
    assert "Waiting for second approval" in words(approver.get(PAGE))
    own = words(approver.get(address(row)))
    assert "Withdraw approval" in own
    assert "Confirm approval" not in own
    # Not by whoever asked.
    assert act(approver, "confirm").status_code == 422
    assert Decision.objects.get().state == DecisionState.AWAITING_SECOND
    second()
    assert "Confirm approval" in words(approver.get(address(row)))
    assert act(approver, "confirm").status_code == 302
    decision = Decision.objects.get()
    assert (decision.state, decision.second_by_name) == (DecisionState.SCHEDULED, "Approver of Acme")
    assert "confirmed by Approver of Acme" in words(approver.get(PAGE))
    assert desk.decisions_sent() == []
    let_leave()
    assert desk.decisions_sent() == ["approve"]
    assert fresh(row).outcome == Outcome.APPROVED
    entry = Entry.objects.get(action="access_request.approve")
    assert (entry.actor_name, entry.details["second"]) == ("Alice Ames", "Approver of Acme")
    page = words(approver.get(address(row)))
    assert "Alice Ames" in page
    assert "Confirmed by" in page


def test_the_second_person_turns_it_down_with_a_word_and_the_first_is_told(desk, approver, alice, two, second):
    row = desk.waiting
    approve(approver, row)
    second()
    refused = act(approver, "reject", **{"reject-words": " "})
    assert refused.status_code == 422
    assert "Enter a reason" in words(refused)
    assert act(approver, "reject", **{"reject-words": "They are a competitor."}).status_code == 302
    assert Decision.objects.get().state == DecisionState.REJECTED
    assert act(approver, "confirm").status_code == 422
    approver.force_login(alice)
    assert "approval: They are a competitor." in words(approver.get(PAGE))
    entry = Entry.objects.get(action="access_request.reject")
    assert "competitor" not in entry.summary + str(entry.details)
    let_leave()
    assert desk.decisions_sent() == []
    deny(approver, row)
    let_leave()
    assert desk.decisions_sent() == ["deny"]


def test_a_denial_needs_one_person_and_a_question_can_be_taken_back(desk, approver, two):
    row = desk.waiting
    approve(approver, row)
    assert "waiting for second approval" in words(deny(approver, row))
    assert act(approver, "undo").status_code == 302
    deny(approver, row)
    assert Decision.objects.get(verb="deny").state == DecisionState.SCHEDULED


def test_what_somebody_confirmed_is_undone_with_what_they_decided(desk, approver, two, second):
    first, other = AccessRequest.objects.pending()[:2]
    approve(approver, first)
    second()
    act(approver, "confirm")
    deny(approver, other)
    page = words(approver.get(PAGE))
    assert "Undo all 2 of mine" in page
    assert f"Undo the approval of {first}" in words(approver.get(address(other)))
    approver.post(f"{PAGE}decisions/undo-mine/")
    assert set(Decision.objects.values_list("state", flat=True)) == {DecisionState.UNDONE}


def test_what_is_asked_is_answered_not_undone_by_others(desk, approver, two, second):
    approve(approver, desk.waiting)
    second()
    refused = act(approver, "undo")
    assert refused.status_code == 422
    assert "Only Alice Ames can withdraw this approval" in words(refused)
    assert "Confirm it or reject it." in words(refused)
    assert Decision.objects.get().state == DecisionState.AWAITING_SECOND


def test_a_rule_can_ask_for_a_person_and_two_people_bind_rules_too(desk, approver, two, alice):
    decision = services.schedule_decision(
        desk.waiting, verb=Verb.APPROVE, terms=EVERYTHING, rule=RuleMark("r1", "Customers", 1)
    )
    assert decision.state == DecisionState.AWAITING_SECOND
    DeskSettings.objects.all().delete()
    services.confirm(decision, member=find_member(user=alice))
    let_leave()
    asked = services.schedule_decision(
        desk.waiting, verb=Verb.APPROVE, terms=EVERYTHING, rule=RuleMark("r1", "Customers", 1), needs_second=True
    )
    assert asked.state == DecisionState.AWAITING_SECOND
    assert desk.decisions_sent() == ["approve"]


def test_many_at_once_wait_for_the_second_person_and_whoever_asked_takes_them_back(desk, approver, alice, two, second):
    rows = list(AccessRequest.objects.pending().order_by("created_at", "id"))
    number, chosen = len(rows), {"action": "approve", "chosen": [row.pk for row in rows]}
    asked = words(approver.post(BULK, chosen))
    assert "for another approver to confirm it" in asked
    assert "after 30 seconds" not in asked
    batch = approver.post(BULK, chosen | {"confirmed": "1", "approve-expiry": "90"})["Location"]
    page = words(approver.get(batch))
    assert f"{number} waiting for second approval" in page
    assert f"Undo all {number}" in page
    assert "Sent one at a time" not in page
    second()
    assert "Undo all" not in words(approver.get(batch))
    assert act(approver, "reject", **{"reject-words": "They are a competitor."}).status_code == 302
    assert approver.post(f"{batch}undo/").status_code == 302
    assert Decision.objects.filter(state=DecisionState.AWAITING_SECOND).count() == number - 1
    approver.force_login(alice)
    assert "approval: They are a competitor." in words(approver.get(PAGE))
    approver.post(f"{batch}undo/")
    assert Decision.objects.filter(state=DecisionState.UNDONE).count() == number - 1
    assert "Each approval" not in words(approver.post(BULK, chosen | {"action": "deny"}))


def test_w3_decided_elsewhere_while_it_waits_for_the_second_person(desk, approver, two, second):
    row = desk.waiting
    approve(approver, row)
    desk.happen("denied", row)
    desk.fetch()
    assert Decision.objects.get().state == DecisionState.ELSEWHERE
    second()
    assert act(approver, "confirm").status_code == 422
    let_leave()
    assert desk.decisions_sent() == []


def test_s7_a_second_person_who_lost_the_role_does_not_count(desk, approver, two, second):
    approve(approver, desk.waiting)
    second()
    act(approver, "confirm")
    set_role(Role.ANALYST, role=Role.APPROVER)
    let_leave()
    assert Decision.objects.get().description.startswith("Approver of Acme can no longer decide")
    assert desk.decisions_sent() == []


def test_admins_change_the_settings_and_every_change_is_written_down(desk, client, alice, member):
    client.force_login(alice)
    assert client.post(f"{SETTINGS}save/", {"needs_two_for_approval": "on", "deadline_hours": "16"}).status_code == 302
    settings = DeskSettings.objects.get()
    assert (settings.needs_two_for_approval, settings.deadline_hours) == (True, 16)
    entry = Entry.objects.get(action="access_request.settings")
    assert entry.details["before"] == {"needs_two_for_approval": False, "deadline_hours": None}
    assert client.post(f"{SETTINGS}save/", {"deadline_hours": "0"}).status_code == 422
    assert client.post(f"{SETTINGS}save/", {"deadline_hours": ""}).status_code == 302
    assert not DeskSettings.objects.get().needs_two_for_approval
    client.force_login(member(Role.APPROVER))
    assert "You need the Admin role to change these settings" in words(client.get(SETTINGS))
    assert client.post(f"{SETTINGS}save/", {}).status_code == 403


def test_a_deadline_counts_office_time_and_stands_in_the_row(desk, approver):
    assert approver.get(PAGE).context["rows"][0].due_at is None
    DeskSettings.objects.create(deadline_hours=8)
    touch_areas("access_requests")
    row = approver.get(PAGE).context["rows"][0]
    assert row.due_at > row.request.created_at
