"""Undo means that nothing left (W3): until a worker takes a decision it can be taken back; exactly one outcome comes of it."""

import threading
from datetime import timedelta

import pytest
import requests
import time_machine
from django.core.exceptions import PermissionDenied
from django.db import connection
from django.utils import timezone
from urllib3.exceptions import ConnectTimeoutError, MaxRetryError

from portal.access_requests import services
from portal.access_requests.mirror import mark_access_request_gone
from portal.access_requests.models import FULL, LEASE, MAX_TRIES, WINDOW, Decision, DecisionState, Outcome, Verb
from portal.access_requests.services import RuleMark, Terms
from portal.access_requests.services.due_decisions import claim, send, send_due, tenants_with_due_decisions
from portal.access_requests.tasks import send_decisions, sweep_decisions
from portal.audit.models import Entry
from portal.connections.models import Connection, State
from portal.tenants.models import Role
from portal.tenants.scope import tenant_scope
from portal.users.models import User
from tests.access_requests.conftest import CALLS, PAGE, address, approve, deny, fresh, let_leave, words
from tests.support.members import find_member, set_role

EVERYTHING = Terms(access_level=FULL)


@pytest.fixture
def me(desk, alice):
    return find_member(user=alice)


@pytest.fixture
def other(desk, member):
    return find_member(user=member(Role.APPROVER))


def hold(row, member, **how):
    return services.schedule_decision(row, verb=Verb.APPROVE, terms=EVERYTHING, member=member, **how)


def after(seconds: float):
    return time_machine.travel(timezone.now() + timedelta(seconds=seconds), tick=False)


def test_w3_nothing_leaves_inside_the_window_and_an_undo_at_29_9_seconds_counts(desk, me):
    with time_machine.travel(timezone.now(), tick=False):
        decision = hold(desk.waiting, me)
        assert not send_due()
        with after(29.9):
            assert not send_due()
            assert services.undo(decision, member=me).state == DecisionState.UNDONE
        with after(31):
            assert not send_due()
    assert desk.decisions_sent() == []
    assert desk.waiting.pk == decision.access_request_id
    assert Entry.objects.get(action="access_request.undo").summary.startswith("Undid the approval")


def test_w3_at_the_end_of_the_window_it_leaves_and_an_undo_is_too_late(desk, me):
    with time_machine.travel(timezone.now(), tick=False):
        decision = hold(desk.waiting, me)
        with after(WINDOW.total_seconds()):
            send_due()
            with pytest.raises(services.TooLate):
                services.undo(decision, member=me)
    assert desk.decisions_sent() == ["approve"]
    decision.refresh_from_db()
    assert decision.state == DecisionState.DONE


@pytest.mark.django_db(transaction=True)
def test_w3_an_undo_at_the_moment_of_the_claim_has_exactly_one_outcome(desk, me):
    for _ in range(8):
        decision = hold(desk.waiting, me)
        Decision.objects.scheduled().update(send_at=timezone.now())
        outcomes, at_once = [], threading.Barrier(2)

        def in_a_thread(act, at_once=at_once, outcomes=outcomes):
            try:
                with tenant_scope(me.tenant_id):
                    at_once.wait()
                    outcomes.append(act())
            finally:
                connection.close()

        def undo(decision=decision):
            try:
                services.undo(decision, member=me)
            except services.TooLate:
                return None
            return "undone"

        def take():
            return "claimed" if claim() else None

        threads = [threading.Thread(target=in_a_thread, args=(act,)) for act in (undo, take)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(filter(None, outcomes)) in (["claimed"], ["undone"])
        decision.refresh_from_db()
        assert decision.state == {"undone": "undone", "claimed": "sending"}[next(filter(None, outcomes))]
        Decision.objects.all().delete()


def test_w3_a_restart_inside_the_window_loses_nothing(desk, me):
    decision = hold(desk.waiting, me)
    # The bell and the process are gone; the row is the queue. The clock finds it once it is due.
    assert tenants_with_due_decisions() == []
    Decision.objects.update(send_at=timezone.now())
    assert tenants_with_due_decisions() == [decision.tenant_id]
    sweep_decisions()
    send_decisions(decision.tenant_id)
    assert desk.decisions_sent() == ["approve"]


@pytest.mark.parametrize("has_arrived", [True, False])
def test_w3_a_worker_that_dies_between_claim_and_outcome_is_followed_by_one_that_looks_first(desk, me, has_arrived):
    row = desk.waiting
    decision = hold(row, me)
    Decision.objects.scheduled().update(send_at=timezone.now())
    assert claim().pk == decision.pk
    if has_arrived:
        desk.happen("approved", row)
    assert claim() is None
    Decision.objects.update(lease_until=timezone.now(), sent_at=timezone.now() - LEASE)
    let_leave()
    decision.refresh_from_db()
    assert decision.state == DecisionState.DONE
    assert desk.decisions_sent() == ([] if has_arrived else ["approve"])


def test_w3_a_worker_that_wakes_up_too_late_writes_nothing(desk, me):
    hold(desk.waiting, me)
    Decision.objects.scheduled().update(send_at=timezone.now())
    slow = claim()
    Decision.objects.update(lease_until=timezone.now(), sent_at=timezone.now() - LEASE)
    let_leave()
    assert Decision.objects.get().state == DecisionState.DONE
    written = Entry.objects.count()
    send(slow)
    assert Decision.objects.get().state == DecisionState.DONE
    assert Entry.objects.count() == written


def test_w3_an_event_approved_inside_the_window_ends_it_without_a_call_and_both_are_told(desk, approver, deliver, connected):
    row = desk.waiting
    deny(approver, row)
    desk.happen("approved", row)
    deliver({"trustCenter": {"slugId": connected.slug_id}, "accessRequest": {"id": row.platform_id}, "viewer": {"id": "v1"}})
    desk.drain()
    let_leave()
    assert Decision.objects.get().state == DecisionState.ELSEWHERE
    assert desk.decisions_sent() == []
    assert fresh(row).outcome == Outcome.APPROVED
    assert "Approved elsewhere, before your denial was sent" in words(approver.get(PAGE))
    actions = list(Entry.objects.filter(target_kind="access_request").values_list("action", flat=True))
    assert sorted(actions) == ["access_request.decided_elsewhere", "access_request.too_late"]


def test_w3_an_event_that_was_not_read_back_yet_stops_the_worker_too(desk, me, deliver, connected):
    row = desk.waiting
    hold(row, me)
    type(row).objects.filter(pk=row.pk).update(outcome=Outcome.APPROVED, is_provisional=True)
    let_leave()
    assert Decision.objects.get().state == DecisionState.ELSEWHERE
    assert desk.decisions_sent() == []


def test_a_request_that_vanishes_inside_the_window_is_not_decided(desk, me):
    row = desk.waiting
    hold(row, me)
    assert mark_access_request_gone(row.platform_id)
    let_leave()
    decision = Decision.objects.get()
    assert (decision.state, desk.decisions_sent()) == (DecisionState.FAILED, [])
    assert "no such request" in decision.description


def test_s7_whoever_lost_the_role_inside_the_window_decides_nothing(desk, me):
    hold(desk.waiting, me)
    set_role(Role.ANALYST)
    let_leave()
    assert (
        Decision.objects.get().description
        == "Alice Ames can no longer decide access requests. Someone else can decide this one."
    )
    assert desk.decisions_sent() == []


def test_s7_whoever_was_deactivated_inside_the_window_decides_nothing(desk, me):
    hold(desk.waiting, me)
    User.objects.filter(pk=me.user_id).update(is_active=False)
    let_leave()
    assert (Decision.objects.get().state, desk.decisions_sent()) == (DecisionState.FAILED, [])


def test_a_grant_that_ended_inside_the_window_is_said(desk, me):
    hold(desk.waiting, me)
    Connection.objects.update(state=State.DISCONNECTED)
    let_leave()
    decision = Decision.objects.get()
    assert decision.state == DecisionState.FAILED
    assert "not connected" in decision.description


def test_a_pause_of_the_platform_puts_it_off_and_it_can_still_be_undone(desk, me, sandbox):
    first = hold(desk.waiting, me)
    second = hold(type(desk.waiting).objects.waiting().first(), me)
    sandbox.fail("status", method="POST", path=CALLS, value=429, times=1)
    let_leave()
    first.refresh_from_db()
    second.refresh_from_db()
    assert {first.state, second.state} == {DecisionState.SCHEDULED}
    assert first.description == second.description == "The platform asks us to wait: its rate limit is reached."
    assert min(first.send_at, second.send_at) > timezone.now()
    assert services.undo(first, member=me).state == DecisionState.UNDONE
    let_leave()
    second.refresh_from_db()
    assert second.state == DecisionState.DONE
    assert len(desk.decisions_sent()) == 2


def test_pauses_of_the_platform_use_up_no_try_of_a_decision(desk, me, sandbox, wire):
    decision = hold(desk.waiting, me)
    sandbox.fail("status", method="POST", path=CALLS, value=429)
    for _ in range(MAX_TRIES):
        let_leave()
    sandbox.control("DELETE", "/faults")

    def refuse() -> None:
        raise requests.ConnectTimeout(MaxRetryError(None, "/", ConnectTimeoutError(None, "no connection")))

    wire.before_write = refuse
    let_leave()
    decision.refresh_from_db()
    assert (decision.state, decision.attempts) == (DecisionState.SCHEDULED, 1)
    wire.before_write = None
    let_leave()
    decision.refresh_from_db()
    assert decision.state == DecisionState.DONE


def test_several_are_held_at_once_and_one_person_takes_all_of_hers_back(desk, approver, other):
    rows = list(type(desk.waiting).objects.pending().order_by("created_at", "id"))
    for row in rows[:2]:
        approve(approver, row)
    theirs = services.schedule_decision(rows[2], verb=Verb.DENY, reason="No", member=other)
    page = words(approver.get(f"{PAGE}?tab=sending"))
    assert "Undo all 2 of mine" in page
    assert page.count("data-countdown") == 6
    assert approver.post(f"{PAGE}decisions/undo-mine/").status_code == 302
    assert list(Decision.objects.scheduled()) == [theirs]
    let_leave()
    assert desk.decisions_sent() == ["deny"]


def test_another_persons_decision_can_be_undone_and_that_is_written_down(desk, approver, other):
    decision = services.schedule_decision(desk.waiting, verb=Verb.DENY, reason="No", member=other)
    answer = approver.post(f"{PAGE}decisions/{decision.pk}/undo/")
    assert answer["Location"] == address(decision.access_request)
    entry = Entry.objects.get(action="access_request.undo")
    assert entry.actor_name == "Alice Ames"
    assert "by Approver of Acme" in entry.summary
    late = approver.post(f"{PAGE}decisions/{decision.pk}/undo/")
    assert late.status_code == 422
    assert "Already undone" in words(late)


def test_only_approvers_hold_and_undo(desk, client, me, member, bob):
    decision = hold(desk.waiting, me)
    for user in (bob, member(Role.ANALYST)):
        membership = find_member(user=user)
        with pytest.raises(PermissionDenied):
            hold(desk.waiting, membership)
        with pytest.raises(PermissionDenied):
            services.undo(decision, member=membership)
        client.force_login(user)
        for path in (f"{decision.pk}/undo/", f"{decision.pk}/confirm/", f"{decision.pk}/reject/", "undo-mine/", "put-away/"):
            assert client.post(f"{PAGE}decisions/{path}").status_code == 403
    assert Decision.objects.get().state == DecisionState.SCHEDULED


def test_a_rule_holds_too_and_its_version_is_kept(desk, approver):
    row = desk.waiting
    services.schedule_decision(row, verb=Verb.APPROVE, terms=EVERYTHING, rule=RuleMark("r1", "Known customers", 3))
    assert "Rule “Known customers”" in words(approver.get(PAGE))
    let_leave()
    entry = Entry.objects.get(action="access_request.approve")
    assert (entry.actor, entry.source) == (None, "rule")
    assert "by the rule “Known customers”, version 3" in entry.summary
    assert entry.details["rule"] == {"name": "Known customers", "version": 3}
    assert "version 3" in words(approver.get(address(row)))


def test_exactly_one_of_person_and_rule_decides(desk, me):
    for wrong in ({}, {"member": me, "rule": RuleMark("r1", "x", 1)}):
        with pytest.raises(ValueError, match="exactly one"):
            services.schedule_decision(desk.waiting, verb=Verb.DENY, **wrong)
    with pytest.raises(ValueError, match="exactly an approval"):
        services.schedule_decision(desk.waiting, verb=Verb.APPROVE, member=me)


def test_what_is_held_waits_for_nobody_and_is_listed_as_being_sent(desk, approver):
    row = desk.waiting
    number = type(row).objects.pending().count()
    approve(approver, row)
    page = approver.get(PAGE)
    assert len(page.context["rows"]) == type(row).objects.waiting().count() == number - 1
    assert [shown.request for shown in approver.get(f"{PAGE}?tab=sending").context["rows"]] == [row]
    assert "Nothing has been sent yet" in words(page)
