"""Many decisions are taken back together: each with its audit row, and none that a worker has taken before (W3, R6, R8)."""

import threading
from datetime import timedelta

import pytest
from django.core.exceptions import PermissionDenied
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from portal.access_requests import services
from portal.access_requests.models import FULL, AccessRequest, Decision, DecisionState, RuleSwitch, Verb
from portal.access_requests.services import Terms, kill_switch, scheduling
from portal.access_requests.services.due_decisions import claim
from portal.access_requests.services.scheduling import undo_each
from portal.audit.models import Entry
from portal.tenants.models import Role
from portal.tenants.scope import tenant_scope
from tests.access_requests.conftest import make
from tests.support.members import find_member

CUSTOMERS = {"rule_id": "id-Customers", "rule_name": "Customers", "decided_by_name": "Rule “Customers”"}


def decided(name, *, seconds=25, state=DecisionState.SCHEDULED, **columns):
    send_at = timezone.now() + timedelta(seconds=seconds) if state == DecisionState.SCHEDULED else None
    return Decision.objects.create(access_request=make(name), verb="deny", state=state, send_at=send_at, **CUSTOMERS | columns)


def undone():
    """The names of the requests whose decisions were taken back, in the order of the audit rows."""
    names = dict(AccessRequest.objects.values_list("platform_id", "name"))
    entries = Entry.objects.filter(action="access_request.undo").order_by("pk")
    return [names[key] for key in entries.values_list("target_id", flat=True)]


@pytest.fixture
def pieces_of_two(monkeypatch):
    monkeypatch.setattr(scheduling, "UNDONE_AT_ONCE", 2)


def test_r8_each_of_many_leaves_its_audit_row_and_open_pages_are_told(running, owner, pieces_of_two):
    rows = [decided(f"N{number}") for number in range(5)]
    left = decided("Left", state=DecisionState.SENDING)
    long_ago = timezone.now() - timedelta(hours=1)
    AccessRequest.objects.update(touched_at=long_ago)
    with CaptureQueriesContext(connection) as queries:
        assert undo_each(Decision.objects.waiting(), member=owner) == 5
    assert set(undone()) == {row.access_request.name for row in rows}
    assert len(undone()) == 5
    entries = Entry.objects.filter(action="access_request.undo")
    assert set(entries.values_list("actor_name", "source")) == {("Alice Ames", "person")}
    found = Decision.objects.exclude(pk=left.pk)
    assert set(found.values_list("state", "undone_by_name")) == {(DecisionState.UNDONE, "Alice Ames")}
    assert not found.filter(settled_at=None).exists()
    assert list(AccessRequest.objects.filter(touched_at=long_ago)) == [left.access_request]
    written = [each["sql"] for each in queries if each["sql"].startswith('UPDATE "access_requests_')]
    assert len(written) == 2 * 3, "two for each piece, and not for each row"
    recorded = [each["sql"] for each in queries if each["sql"].startswith('INSERT INTO "audit_entry"')]
    assert len(recorded) == 3, "one for each piece as well"


def test_w3_those_that_leave_first_are_taken_back_first(running, owner, monkeypatch):
    monkeypatch.setattr(scheduling, "UNDONE_AT_ONCE", 1)
    decided("Asked", state=DecisionState.AWAITING_SECOND)
    decided("Late", seconds=25)
    decided("Soon", seconds=2)
    assert undo_each(Decision.objects.waiting(), member=owner) == 3
    assert undone() == ["Soon", "Late", "Asked"]


def test_w3_what_a_worker_takes_meanwhile_is_not_undone(running, owner, pieces_of_two, monkeypatch):
    rows, undo_free = [decided(f"N{number}") for number in range(3)], scheduling._undo_free

    def overtaken(keys, member):
        Decision.objects.filter(pk=rows[1].pk).update(state=DecisionState.SENDING)
        return undo_free(keys, member)

    monkeypatch.setattr(scheduling, "_undo_free", overtaken)
    assert undo_each(Decision.objects.scheduled(), member=owner) == 2
    assert undone() == ["N0", "N2"]
    assert Decision.objects.get(pk=rows[1].pk).state == DecisionState.SENDING


@pytest.mark.parametrize("model", [AccessRequest, Decision])
def test_what_somebody_else_has_in_hand_is_waited_for_one_by_one(running, owner, monkeypatch, model):
    rows, locked = [decided(f"N{number}") for number in range(3)], []

    def free(found):
        if found.model is not model:
            return found
        locked.append(rows[1])
        return found.exclude(pk=rows[1].pk if model is Decision else rows[1].access_request_id)

    monkeypatch.setattr(scheduling, "_free", free)
    assert undo_each(Decision.objects.scheduled(), member=owner) == 3
    assert undone() == ["N0", "N2", "N1"]
    assert locked == [rows[1]]


def test_what_a_person_asked_a_second_one_is_not_taken_back_by_another(running, owner, member):
    other = member(Role.APPROVER)
    by_person = {"state": DecisionState.AWAITING_SECOND, "rule_id": "", "rule_name": ""}
    decided("Theirs", **by_person, decided_by=other)
    decided("Nobodys", **by_person)
    decided("Mine", **by_person, decided_by=owner.user)
    assert undo_each(Decision.objects.waiting(), member=owner) == 1
    assert undone() == ["Mine"]


def test_who_may_not_decide_takes_nothing_back(running, member):
    row, analyst = decided("Held"), find_member(user=member(Role.ANALYST))
    with pytest.raises(PermissionDenied):
        undo_each(Decision.objects.scheduled(), member=analyst)
    assert Decision.objects.get() == row
    assert undone() == []


def test_w3_rules_are_stopped_before_the_first_decision_is_taken_back(running, owner, monkeypatch):
    decided("Held")
    seen = []

    def looking(decisions, *, member):
        seen.append((RuleSwitch.objects.get().is_stopped, decisions.count()))
        return undo_each(decisions, member=member)

    monkeypatch.setattr(kill_switch, "undo_each", looking)
    assert kill_switch.stop_rules(member=owner) == 1
    assert seen == [(True, 1)]
    assert undone() == ["Held"]


def test_w3_whatever_the_rule_is_called_its_decisions_are_taken_back(running, owner):
    decided("Held", rule_name="{0} of {}", decided_by_name="Rule “{0} of {}”", facts={"company": "{Helios}"})
    assert kill_switch.stop_rules(member=owner) == 1
    [entry] = Entry.objects.filter(action="access_request.undo")
    said = "Undid the denial of the access request from {Helios} by Rule “{0} of {}” before it was sent."
    assert entry.summary == said


@pytest.mark.django_db(transaction=True)
def test_w3_many_undone_while_a_worker_takes_them_have_one_outcome_each(desk, alice):
    me = find_member(user=alice)
    for row in AccessRequest.objects.pending():
        services.schedule_decision(row, verb=Verb.APPROVE, terms=Terms(access_level=FULL), member=me)
    Decision.objects.scheduled().update(send_at=timezone.now())
    number, at_once, results = Decision.objects.count(), threading.Barrier(2), {}
    assert number > 1

    def in_a_thread(name, act):
        try:
            with tenant_scope(me.tenant_id):
                at_once.wait()
                results[name] = act()
        finally:
            connection.close()

    def take():
        taken = 0
        while claim():
            taken += 1
        return taken

    acts = {"undone": lambda: undo_each(Decision.objects.scheduled(), member=me), "taken": take}
    threads = [threading.Thread(target=in_a_thread, args=each) for each in acts.items()]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results["undone"] + results["taken"] == number
    assert Decision.objects.filter(state=DecisionState.UNDONE).count() == results["undone"] == len(undone())
    assert Decision.objects.filter(state=DecisionState.SENDING).count() == results["taken"]
