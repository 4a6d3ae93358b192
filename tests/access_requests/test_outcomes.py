"""Outcomes are confirmed, never guessed (W1), and of several deciders one decides (W3)."""

from datetime import timedelta

import pytest
from django.core.management import call_command
from django.utils import timezone

from portal.access_requests.mirror import mark_access_request_gone
from portal.access_requests.models import ANSWER_TIME, Decision, DecisionState, Outcome, Verb
from portal.access_requests.refusals import error_message, refusal_for
from portal.access_requests.services.due_decisions import claim, send
from portal.audit.models import Entry
from portal.platform_api.errors import Unavailable
from portal.sync.models import StaleMark
from tests.access_requests.conftest import CALLS, PAGE, address, approve, deny, fresh, let_leave, words
from tests.sync.desk import two_minutes_pass


def later() -> None:
    """Let the time go by in which an unanswered call may still be on its way."""
    past = timezone.now() - ANSWER_TIME - timedelta(seconds=1)
    Decision.objects.update(created_at=past, sent_at=past)


@pytest.mark.parametrize("decide", [approve, deny])
def test_w1_an_answer_that_was_lost_is_settled_by_looking_and_never_repeated(desk, approver, sandbox, decide):
    row = desk.waiting
    sandbox.fail("drop_answer", method="POST", path=CALLS, times=1)
    assert decide(approver, row).status_code == 302
    let_leave()
    let_leave()
    assert len(desk.decisions_sent()) == 1
    assert Decision.objects.get().state == DecisionState.DONE
    assert fresh(row).is_settled


def test_o8_a_decision_that_is_held_in_a_restored_database_is_not_sent_a_second_time(desk, approver):
    row = desk.waiting
    approve(approver, row)
    desk.happen("approved", row)
    call_command("after_restore")
    let_leave()
    assert desk.decisions_sent() == []
    assert Decision.objects.get().state == DecisionState.DONE


@pytest.mark.parametrize(("decide", "outcome"), [(approve, Outcome.APPROVED), (deny, Outcome.DENIED)])
def test_w1_an_uncertain_outcome_is_shown_as_such_until_the_truth_is_known(desk, approver, sandbox, decide, outcome):
    row = desk.waiting
    decide(approver, row)
    sandbox.fail("drop_answer", method="POST", path=CALLS, times=1)
    sandbox.fail("status", method="GET", path="/v1/trust-centers", value=503)
    let_leave()
    page = approver.get(address(row))
    assert "We could not confirm it and are checking" in words(page)
    assert "Checking" in words(approver.get(f"{PAGE}?tab=sending"))
    again = decide(approver, row)
    assert "Someone is deciding this request right now" in words(again)
    sandbox.control("DELETE", "/faults")
    page_version = page.context["pane_version"]
    desk.drain()
    polled = approver.get(address(row), headers={"HX-Request": "true", "HX-Target": "access-request", "Seen": page_version})
    assert polled.status_code == 200
    assert outcome.label in words(polled)
    assert "checking" not in words(polled).lower()
    assert len(desk.decisions_sent()) == 1
    assert Decision.objects.get().state == DecisionState.DONE
    assert Entry.objects.filter(action__startswith="access_request.").count() == 1


def test_w1_a_call_that_never_arrived_is_open_again_once_it_can_arrive_no_more(desk, approver, sandbox):
    row = desk.waiting
    sandbox.fail("status", method="POST", path=CALLS, value=504, times=1)
    approve(approver, row)
    let_leave()
    # It answered: the request was seen to be open after that, so it may be decided again at once.
    assert "The platform failed (504)." in words(approver.get(address(row)))
    approve(approver, row)
    let_leave()
    assert [each.state for each in Decision.objects.order_by("id")] == [DecisionState.FAILED, DecisionState.DONE]


def test_w1_a_call_without_an_answer_may_still_arrive_and_is_looked_at_until_it_cannot(desk, approver, sandbox):
    row = desk.waiting
    sandbox.fail("refuse_connection", method="POST", path=CALLS, times=1)
    approve(approver, row)
    let_leave()
    assert "We could not confirm it and are checking" in words(approver.get(address(row)))
    desk.drain()
    assert Decision.objects.get().state == DecisionState.UNCONFIRMED
    mark = StaleMark.objects.get(kind="access_request")
    assert timezone.now() < mark.due_at <= timezone.now() + 2 * ANSWER_TIME
    # The half minute in which it was held has no part in it: counted from there, the next look would be due in the past.
    Decision.objects.update(created_at=timezone.now() - ANSWER_TIME)
    StaleMark.objects.update(due_at=timezone.now())
    desk.drain()
    assert timezone.now() < StaleMark.objects.get(kind="access_request").due_at
    later()
    StaleMark.objects.update(due_at=timezone.now())
    desk.drain()
    assert Decision.objects.get().state == DecisionState.FAILED
    assert "answer and didn" in words(approver.get(address(row)))
    approve(approver, row)
    let_leave()
    assert desk.decisions_sent() == ["approve", "approve"]


def test_w1_a_decision_without_an_answer_ends_when_its_request_is_gone(desk, approver, sandbox):
    row = desk.waiting
    sandbox.fail("refuse_connection", method="POST", path=CALLS, times=1)
    approve(approver, row)
    let_leave()
    assert Decision.objects.get().state == DecisionState.UNCONFIRMED
    desk.sandbox.objects.delete(desk.tenant_id, "access-requests", row.platform_id)
    later()
    for _ in range(2):
        StaleMark.objects.update(due_at=timezone.now())
        desk.drain()
        two_minutes_pass()
    decision = Decision.objects.get()
    assert fresh(row).gone_at
    # The call may have arrived: if the request comes back as approved, it was by this decision.
    assert decision.was_sent
    assert_not_called_undone(decision, approver)


def test_w1_a_call_without_an_answer_is_not_called_undone_where_the_request_is_not_found(desk, approver, sandbox):
    row = desk.waiting
    sandbox.fail("drop_answer", method="POST", path=CALLS, times=1)
    approve(approver, row)
    desk.sandbox.objects.delete(desk.tenant_id, "access-requests", row.platform_id)
    let_leave()
    assert_not_called_undone(Decision.objects.get(), approver)


def assert_not_called_undone(decision: Decision, approver) -> None:
    """Nobody knows whether it was made: neither the desk nor the history says that it was not."""
    assert (decision.state, decision.title) == (DecisionState.NEVER_CONFIRMED, "Not confirmed, by Alice Ames")
    page = words(approver.get(PAGE))
    assert "Not confirmed. The platform no longer has this request. It never confirmed the decision." in page
    assert "Not decided" not in page
    entry = Entry.objects.get(action="access_request.not_made")
    assert entry.summary.startswith("Not confirmed: the approval of the access request")


def test_w1_what_is_being_sent_ends_by_whoever_sends_it_also_where_the_request_is_gone(desk, approver):
    row = desk.waiting
    approve(approver, row)
    Decision.objects.update(send_at=timezone.now())
    decision = claim()
    mark_access_request_gone(row.platform_id)
    assert Decision.objects.get().state == DecisionState.SENDING
    assert not send(decision)
    assert Decision.objects.get().state == DecisionState.FAILED


def test_w1_a_decision_left_by_an_earlier_release_is_settled_by_what_the_platform_says(desk, approver, alice):
    row = desk.waiting
    columns = {"state": DecisionState.SENDING, "decided_by": alice, "decided_by_name": "Alice Ames"}
    Decision.objects.create(access_request=row, verb=Verb.APPROVE, **columns)
    assert "Being decided" in words(approver.get(address(row)))
    later()
    approver.get(address(row))
    desk.drain()
    assert Decision.objects.get().state == DecisionState.FAILED
    assert "Approve" in words(approver.get(address(row)))


def test_what_failed_is_no_longer_said_once_the_request_was_decided(desk, approver, sandbox):
    row = desk.waiting
    approve(approver, row)
    sandbox.fail("status", method="POST", path=CALLS, value=422, times=1)
    let_leave()
    assert "Not approved, by Alice Ames" in words(approver.get(address(row)))
    desk.happen("denied", row)
    desk.fetch()
    page = words(approver.get(address(row)))
    assert "Not approved, by Alice Ames" not in page
    assert "directly on the platform" in page


def test_why_it_was_not_made_stays_true_however_late_it_is_read():
    error = Unavailable("POST", "/trust-centers/{}/access-requests/{}/approve", status=503, retry_after=45)
    assert refusal_for(error, slug="acme").text.endswith("Try again in 45 s.")
    assert error_message(error, slug="acme").endswith(
        "The platform failed (503). Nothing was decided. The request is still open."
    )


@pytest.mark.parametrize(("there", "label"), [("approved", "Approved"), ("denied", "Denied")])
def test_w3_who_is_too_late_is_told_what_counts(desk, approver, there, label):
    row = desk.waiting
    (deny if there == "approved" else approve)(approver, row)
    desk.happen(there, row)
    let_leave()
    page = words(approver.get(PAGE))
    assert "1 of your decisions didn't go through" in page
    assert f"{label} elsewhere, before your" in page
    assert fresh(row).outcome == there.upper()
    assert Decision.objects.get().state == DecisionState.ELSEWHERE
    assert set(Entry.objects.values_list("action", flat=True)) >= {
        "access_request.too_late",
        "access_request.decided_elsewhere",
    }


def test_w3_a_conflict_is_explained_by_looking(desk, approver, sandbox):
    row = desk.waiting
    approve(approver, row)
    sandbox.fail("status", method="POST", path=CALLS, value=409, times=1)
    desk.happen("denied", row)
    let_leave()
    assert Decision.objects.get().state == DecisionState.ELSEWHERE
    assert fresh(row).outcome == Outcome.DENIED


def test_w3_of_two_deciders_one_decides(desk, approver, wire):
    row = desk.waiting
    answers = []

    def second() -> None:
        wire.before_write = None
        answers.append(deny(approver, row))

    approve(approver, row)
    held = deny(approver, row)
    assert held.status_code == 422
    assert "Alice Ames approved it. It&#x27;ll be sent in" in words(held)
    wire.before_write = second
    let_leave()
    [other] = answers
    assert other.status_code == 422
    assert "Alice Ames sent a decision" in words(other)
    assert desk.decisions_sent() == ["approve"]
    assert fresh(row).outcome == Outcome.APPROVED


def test_w3_an_event_that_overtakes_the_answer_changes_nothing(desk, approver, deliver, wire, connected):
    row = desk.waiting
    event = {
        "trustCenter": {"slugId": connected.slug_id},
        "accessRequest": {"id": row.platform_id},
        "viewer": {"id": "65a0ffffffffffffffffffff"},
    }

    def overtaking() -> None:
        wire.before_write = None
        deliver(event)
        desk.drain()

    approve(approver, row)
    wire.before_write = overtaking
    let_leave()
    desk.drain()
    assert fresh(row).outcome == Outcome.APPROVED
    assert Decision.objects.get().state == DecisionState.DONE
    assert Entry.objects.filter(action="access_request.decided_elsewhere").count() == 0
