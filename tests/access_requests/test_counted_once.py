"""What costs more the more rows there are is counted once for as long as nothing changes, or only so far."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from portal.access_requests import pending_banner
from portal.access_requests.deadlines import overdue_count
from portal.access_requests.models import WINDOW, AccessRequest, Decision, DecisionState, DeskSettings
from portal.access_requests.rule_selectors import rule_rows, sending_by_rule
from portal.access_requests.services import due_decisions
from portal.access_requests.services.automatic_decisions import apply_and_act
from portal.access_requests.viewer_selectors import viewers_checked
from portal.page_refresh.services import touch_areas
from tests.access_requests.conftest import PAGE, make, make_viewer, words
from tests.access_requests.rules import put, rule


def decided(name, *, rule_id="id-Customers", rule_name="Customers", state=DecisionState.DONE, **columns):
    row = make(name, outcome="APPROVED" if state == DecisionState.DONE else "PENDING")
    return Decision.objects.create(
        access_request=row,
        verb="approve",
        state=state,
        rule_id=rule_id,
        rule_name=rule_name,
        decided_by_name="Rule",
        **columns,
    )


def asked_of(queries, table):
    return [each["sql"] for each in queries if f'"access_requests_{table}"' in each["sql"]]


def test_the_requests_of_each_rule_are_counted_once(running):
    book = put(rule())
    make("First")
    decided("Past")
    apply_and_act()
    assert [(row.waiting, row.decided) for row in rule_rows(book)] == [(1, 1)]
    with CaptureQueriesContext(connection) as queries:
        rule_rows(book)
    assert asked_of(queries, "ruleverdict") == asked_of(queries, "decision") == []
    make("Second")
    touch_areas("access_requests")  # as storing one does
    apply_and_act()
    assert [(row.waiting, row.decided) for row in rule_rows(book)] == [(2, 1)]


def test_what_rules_have_decided_and_not_sent_is_counted_without_reading_it(running):
    now = timezone.now()
    held = {"state": DecisionState.SCHEDULED, "send_at": now + WINDOW}
    decided("A", **held | {"send_at": now + timedelta(seconds=3)})
    decided("B", state=DecisionState.AWAITING_SECOND, rule_id="id-Other", rule_name="Other")
    decided("C", **held)
    decided("D", state=DecisionState.AWAITING_SECOND, rule_name="Renamed")
    decided("E")
    decided("F", rule_id="", rule_name="", **held)
    with CaptureQueriesContext(connection) as queries:
        first, second = sending_by_rule()
    assert (first.rule_id, first.rule_name, first.scheduled, first.asked) == ("id-Customers", "Renamed", 2, 1)
    assert (second.rule_id, second.rule_name, second.scheduled, second.asked) == ("id-Other", "Other", 0, 1)
    assert (first.number, 3 < first.seconds_left <= 30, second.seconds_left) == (3, True, 0)
    assert not any('"reason"' in sql for sql in asked_of(queries, "decision"))


def test_how_far_viewers_were_checked_is_counted_once(scoped):
    make_viewer("Alpha")
    assert viewers_checked(timezone.now()).total == 1
    with CaptureQueriesContext(connection) as queries:
        viewers_checked(timezone.now())
    assert asked_of(queries, "viewer") == []
    make_viewer("Beta")
    touch_areas("access_requests")
    assert viewers_checked(timezone.now()).total == 2


def test_the_settings_count_what_waits_for_a_second_person_once(running, approver):
    decided("A", state=DecisionState.AWAITING_SECOND)
    assert approver.get(f"{PAGE}settings/").context["asked"] == 1
    with CaptureQueriesContext(connection) as queries:
        approver.get(f"{PAGE}settings/")
    assert not any("COUNT" in sql for sql in asked_of(queries, "decision"))
    decided("B", state=DecisionState.AWAITING_SECOND)
    touch_areas("access_requests")
    assert approver.get(f"{PAGE}settings/").context["asked"] == 2


def test_the_banner_says_where_it_ends(running, approver, owner, monkeypatch):
    monkeypatch.setattr(pending_banner, "MAX_DECISIONS", 2)
    asked = {"state": DecisionState.AWAITING_SECOND, "rule_id": "", "rule_name": ""}
    first, second = decided("A", **asked), decided("B", **asked)
    banner = approver.get(PAGE).context["pending_banner"]
    assert (str(banner.asked.count), banner.asked.is_cut) == ("2", False)
    held = [decided(name, state=DecisionState.SCHEDULED, send_at=timezone.now() + WINDOW) for name in "CD"]
    page = approver.get(PAGE)
    banner = page.context["pending_banner"]
    assert list(banner.asked.decisions) == [second, first], "whatever else was decided since"
    assert [str(line.count) for line in banner.scheduled] == ["2"]
    assert "2 waiting for second approval" in words(page)
    assert "Only the newest are listed here." not in words(page)
    third, newest = decided("E", **asked), decided("F", state=DecisionState.SCHEDULED, send_at=timezone.now() + WINDOW)
    for number in range(3):
        decided(f"N{number}", state=DecisionState.FAILED, decided_by=owner.user, settled_at=timezone.now())
    page = approver.get(PAGE)
    banner = page.context["pending_banner"]
    assert list(banner.asked.decisions) == [third, second]
    assert [list(line.decisions) for line in banner.scheduled] == [[newest, held[1]]]
    text = words(page)
    assert "2+ waiting for second approval" in text
    assert "2+ of your decisions didn't go through" in text
    assert "Approving 2+ requests" in text
    assert "Undo all 2+ from this rule" in text
    assert text.count("Only the newest are listed here.") == 2


def test_those_past_the_deadline_are_counted_exactly_without_reading_them(running):
    for number in range(3):
        make(f"Old {number}", hours=24 * (30 + number))
    make("New", hours=0)
    decided("Held", state=DecisionState.SCHEDULED, send_at=timezone.now() + WINDOW)
    AccessRequest.objects.filter(name="Held").update(created_at=timezone.now() - timedelta(days=30))
    assert overdue_count(timezone.now()) == 0, "there is no deadline"
    DeskSettings.objects.create(deadline_hours=1)
    with CaptureQueriesContext(connection) as queries:
        assert overdue_count(timezone.now()) == 3
    assert not any('"company"' in sql for sql in asked_of(queries, "accessrequest"))


def test_the_work_that_waits_for_a_token_is_counted_only_so_far(running, monkeypatch):
    class Enough(BaseException):
        pass

    def client_for(urgency, waiting):
        seen.append(waiting.work)
        raise Enough

    seen = []
    for number in range(4):
        decided(f"N{number}", state=DecisionState.SCHEDULED, send_at=timezone.now())
    monkeypatch.setattr(due_decisions, "MAX_SWEPT", 2)
    monkeypatch.setattr(due_decisions, "client_for", client_for)
    with pytest.raises(Enough):
        due_decisions.send(due_decisions.claim())
    assert seen == [3]
