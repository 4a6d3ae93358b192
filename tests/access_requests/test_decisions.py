"""Approving and denying through the pages: what was chosen arrives, what was not accepted is explained."""

from datetime import timedelta

import pytest
from django.utils import timezone
from django.utils.dateparse import parse_datetime

from portal.access_requests.forms import REASONS
from portal.access_requests.models import AccessRequest, Decision, DecisionState, Outcome
from portal.audit.models import Entry
from tests.access_requests.conftest import CALLS, PAGE, address, approve, deny, fresh, let_leave, words
from tests.sync.desk import two_minutes_pass

FULL, PARTIAL = "FULL_ACCESS", "PARTIAL_ACCESS"


def test_an_approval_arrives_with_exactly_the_terms_chosen(desk, approver, wire):
    row, documents = desk.waiting, desk.documents[:2]
    day = timezone.localdate() + timedelta(days=40)
    chosen = [each.platform_id for each in documents]
    answer = approve(
        approver, row, access_level=PARTIAL, resources=chosen, expiry="date", expires_on=day.isoformat(), is_nda_required=None
    )
    assert answer.status_code == 302
    assert wire.sent == []
    let_leave()
    [body] = wire.sent
    assert sorted(body.pop("resourceIds")) == sorted(chosen)
    assert timezone.localtime(parse_datetime(body.pop("expirationDate"))).date() == day
    assert body == {"accessLevel": PARTIAL, "isNdaRequired": False}
    viewer = desk.viewer_of(row)
    assert sorted(viewer["resourceIds"]) == sorted(chosen)
    assert (viewer["accessLevel"], viewer["ndaInfo"]) == (PARTIAL, None)
    assert fresh(row).outcome == Outcome.APPROVED
    assert fresh(row).is_settled


def test_everything_for_ever_after_an_nda_arrives_as_that(desk, approver, wire):
    row = desk.waiting
    approve(approver, row, access_level=FULL, expiry="never", resources=[desk.documents[0].platform_id])
    let_leave()
    assert wire.sent == [{"accessLevel": FULL, "isNdaRequired": True}]
    viewer = desk.viewer_of(row)
    assert (viewer["accessLevel"], viewer["resourceIds"], viewer["expirationDate"]) == (FULL, None, None)


def test_a_denial_arrives_with_its_reason(desk, approver, wire):
    row = desk.waiting
    assert deny(approver, row, "Ask <your> sales contact & wait.").status_code == 302
    let_leave()
    assert wire.sent == [{"reason": "Ask <your> sales contact & wait."}]
    assert desk.there("historical-access-requests")[row.platform_id]["outcome"] == "DENIED"
    assert (fresh(row).outcome, fresh(row).denial_reason) == (Outcome.DENIED, "Ask <your> sales contact & wait.")


def test_a_reason_can_be_chosen_instead_of_written(desk, approver, wire):
    approver.post(address(desk.waiting, "deny"), {"deny-words": "left over", "deny-canned": REASONS[0]})
    let_leave()
    assert wire.sent == [{"reason": REASONS[0]}]


def test_a_decision_is_written_down_without_name_and_address(desk, approver, alice):
    row = desk.waiting
    approve(approver, row)
    let_leave()
    entry = Entry.objects.get(action="access_request.approve")
    assert entry.actor == alice
    assert row.email not in str(entry.details) + entry.summary
    page = words(approver.get(address(row)))
    assert "Approved by" in page
    assert "Alice Ames" in page


def test_after_a_decision_the_next_request_is_open_at_the_same_place_in_the_list(desk, approver):
    first, second, third = AccessRequest.objects.pending().order_by("created_at", "id")[:3]
    assert approve(approver, first, query="?level=")["Location"] == address(second) + "?level="
    answer = approve(approver, third, query="?level=", headers={"HX-Request": "true", "HX-Target": "access-desk"})
    fourth = AccessRequest.objects.pending().order_by("created_at", "id")[3]
    assert answer["HX-Push-Url"] == address(fourth) + "?level="
    assert "<html" not in words(answer)
    assert 'id="access-requests"' in words(answer)
    # Behind the last one comes the first that is still open, and after that nothing.
    assert approve(approver, fourth)["Location"] == address(second)
    assert deny(approver, second)["Location"] == PAGE


@pytest.mark.parametrize(
    ("choices", "error"),
    [
        ({"access_level": PARTIAL}, "Choose at least one document"),
        ({"access_level": PARTIAL, "resources": ["65a0ffffffffffffffffffff"]}, "not one of the available choices"),
        ({"access_level": "ROOT"}, "not one of the available choices"),
        ({"expiry": "date"}, "Choose a date."),
        ({"expiry": "date", "expires_on": "2001-01-01"}, "Choose a date after today."),
        ({"expiry": "date", "expires_on": "soon"}, "Enter a valid date."),
        ({"expiry": "12"}, "not one of the available choices"),
    ],
)
def test_choices_that_make_no_sense_are_refused_and_kept(desk, approver, choices, error):
    answer = approve(approver, desk.waiting, is_nda_required=None, **choices)
    assert answer.status_code == 422
    assert error in words(answer)
    form = answer.context["approval_form"]
    assert form["expiry"].value() == choices.get("expiry", "365")
    assert form["is_nda_required"].value() is False
    assert not desk.decisions_sent()
    assert not Decision.objects.exists()


def test_a_denial_needs_a_reason(desk, approver):
    answer = deny(approver, desk.waiting, "  ")
    assert answer.status_code == 422
    assert "Enter or choose a reason" in words(answer)
    assert not desk.decisions_sent()


def test_a_request_that_is_gone_there_is_said_to_be_gone(desk, approver):
    row = desk.waiting
    desk.sandbox.objects.delete(desk.tenant_id, "access-requests", row.platform_id)
    approve(approver, row)
    let_leave()
    # One 404 may pass (guarantee Q15): the decision came to nothing, the request is still there.
    desk.drain()
    page = words(approver.get(address(row)))
    assert "didn't go through" in page
    assert "its last synced state" not in page
    two_minutes_pass()
    desk.drain()
    assert fresh(row).gone_at
    page = words(approver.get(address(row)))
    assert "its last synced state" in page
    assert "didn't go through" in page
    assert "This request is no longer on the platform" in words(approve(approver, row))
    assert len(desk.decisions_sent()) == 1


@pytest.mark.parametrize(
    ("fault", "title"),
    [
        ({"kind": "status", "value": 403}, "This connection does not cover the Trust Center"),
        ({"kind": "status", "value": 422}, "The platform rejected this"),
        ({"kind": "status", "value": 500}, "The platform is not available right now. The platform failed (500)."),
    ],
)
def test_a_refusal_of_the_platform_is_told_on_the_request_and_in_the_list(desk, approver, sandbox, fault, title):
    row = desk.waiting
    sandbox.fail(fault.pop("kind"), method="POST", path=CALLS, times=1, **fault)
    approve(approver, row)
    let_leave()
    decision = Decision.objects.get()
    assert decision.state == DecisionState.FAILED
    assert title in decision.description
    assert "Not approved, by Alice Ames" in words(approver.get(address(row)))
    listed = words(approver.get(PAGE))
    assert "Not decided" in listed
    assert title in listed
    assert "1 of your decisions didn't go through" in listed
    assert fresh(row).is_pending
    assert approver.post(f"{PAGE}decisions/put-away/").status_code == 302
    assert "didn't go through" not in words(approver.get(PAGE))
    approve(approver, row)
    let_leave()
    assert fresh(row).outcome == Outcome.APPROVED


def test_nothing_can_be_decided_without_a_connection(desk, approver, connected):
    type(connected).objects.update(state="disconnected")
    answer = approve(approver, desk.waiting)
    assert answer.status_code == 422
    assert "not connected" in words(answer)
