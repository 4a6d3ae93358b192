"""Guarantee W4: a bulk run says what was done and what was not, and why; W1: nothing is blindly repeated."""

from datetime import timedelta

import pytest
from django.utils import timezone

from portal.audit.services import history
from portal.celery import app as celery_app
from portal.connections.models import Connection, State
from portal.inbox.routes import MIRRORS
from portal.platform_writes import bulk_worker
from portal.platform_writes.models import LEASE, MAX_TRIES, ItemState
from portal.questionnaires import services
from portal.questionnaires.changes import Action, Change
from portal.questionnaires.models import AssignableUser, BulkItem, BulkRun, Questionnaire
from portal.questionnaires.services import bulk_runs as work
from portal.questionnaires.services.bulk_runs import BULK
from portal.questionnaires.tasks import sweep_bulk_runs, work_on_bulk_run
from portal.sync.services import drain_tenant
from portal.tenants.models import Role
from portal.users.models import User
from tests.questionnaires.conftest import let_work
from tests.support.audit import recorded
from tests.support.members import find_member, set_role

HOLD = Change(action=Action.HOLD)
PATH = "/v1/customer-trust/questionnaires"


@pytest.fixture
def member_of_acme(desk, alice):
    return find_member(user=alice)


def start(member, change=HOLD, rows=None):
    keys = [row.pk for row in rows or Questionnaire.objects.order_by("pk")]
    return services.start_bulk_run(change, member=member, questionnaires=keys)


def states(run):
    return list(BulkItem.objects.filter(run=run).order_by("pk").values_list("state", flat=True))


def there(desk):
    return [desk.there(row)["status"] for row in Questionnaire.objects.order_by("pk")]


def read_owners():
    services.ask_for_owners()
    drain_tenant(MIRRORS)


def test_it_holds_every_chosen_questionnaire(desk, member_of_acme):
    run = start(member_of_acme)
    let_work()
    run.refresh_from_db()
    assert there(desk) == ["ON_HOLD"] * 3
    assert states(run) == ["done"] * 3
    assert run.is_over
    row = Questionnaire.objects.first()
    assert row.status == "ON_HOLD"
    [entry] = history("questionnaire", row.platform_id)
    assert (entry.action, entry.actor_name) == ("questionnaire.status", "Alice Ames")
    assert [each.action for each in history("bulk_run", str(run.pk))] == ["questionnaire.bulk_end", "questionnaire.bulk"]


def test_owners_and_due_dates_are_set_and_cleared(desk, member_of_acme):
    read_owners()
    owner = AssignableUser.objects.first()
    due_at = timezone.now().replace(microsecond=0) + timedelta(days=9)
    start(member_of_acme, Change(action=Action.ASSIGN, owner_id=owner.platform_id, owner_name=owner.name))
    start(member_of_acme, Change(action=Action.DUE, due_at=due_at))
    let_work()
    row = Questionnaire.objects.first()
    assert (row.owner_id, row.owner_name, row.due_at) == (owner.platform_id, owner.name, due_at)
    assert {entry.action for entry in history("questionnaire", row.platform_id)} == {"questionnaire.owner", "questionnaire.due"}
    start(member_of_acme, Change(action=Action.ASSIGN))
    start(member_of_acme, Change(action=Action.DUE))
    let_work()
    row.refresh_from_db()
    assert (row.owner_id, row.due_at) == ("", None)


@pytest.mark.parametrize("fault", ["drop_answer", "html"])
def test_w1_a_lost_answer_is_settled_by_looking(desk, member_of_acme, sandbox, wire, fault):
    sandbox.fail(fault, method="PATCH", path=PATH, times=1)
    run = start(member_of_acme, rows=[desk.questionnaire])
    let_work()
    assert states(run) == ["done"]
    # An answer that was lost on its way back is not asked for a second time; the other call did nothing.
    assert len(wire.patches) == (1 if fault == "drop_answer" else 2)


def test_w1_what_nobody_could_confirm_is_looked_at_before_it_is_sent_again(desk, member_of_acme, sandbox, wire):
    row = desk.questionnaire
    sandbox.fail("drop_answer", method="PATCH", path=PATH, times=1)
    sandbox.fail("status", method="GET", path=PATH, value=503, times=9)
    run = start(member_of_acme, rows=[row])
    let_work(turns=1)
    item = BulkItem.objects.get(run=run)
    assert (item.state, item.is_in_doubt) == (ItemState.UNCERTAIN, True)
    assert "could not confirm" in item.description
    sandbox.control("DELETE", "/faults")
    let_work()
    assert states(run) == ["done"]
    assert len(wire.patches) == 1
    assert desk.there(row)["status"] == "ON_HOLD"


def test_w1_without_a_connection_what_may_have_been_changed_is_not_called_unchanged(desk, client, alice, member_of_acme):
    run = start(member_of_acme)
    items = BulkItem.objects.filter(run=run).order_by("pk")
    BulkItem.objects.filter(pk=items[0].pk).update(state=ItemState.UNCERTAIN, is_in_doubt=True)
    Connection.objects.update(state=State.NEEDS_RECONNECTION)
    let_work()
    assert [item.state_label for item in items] == ["Not confirmed", "Not changed", "Not changed"]
    assert items[0].description == bulk_worker.IN_DOUBT
    assert "Nothing was changed" in items[1].description
    client.force_login(alice)
    assert "Not confirmed" in client.get(f"/t/acme/questionnaires/bulk/{run.pk}/").content.decode()


def test_w1_after_the_last_try_what_may_have_been_changed_is_not_called_unchanged(desk, member_of_acme, sandbox):
    run = start(member_of_acme, rows=[desk.questionnaire])
    BulkItem.objects.update(state=ItemState.UNCERTAIN, is_in_doubt=True, attempts=MAX_TRIES - 1)
    sandbox.fail("status", method="GET", path=PATH, value=503, times=9)
    let_work(turns=1)
    item = BulkItem.objects.get(run=run)
    assert (item.state_label, item.description) == ("Not confirmed", bulk_worker.IN_DOUBT)


def test_w1_a_grant_that_ends_after_an_accepted_write_leaves_it_in_doubt(desk, member_of_acme, sandbox, wire):
    def end() -> None:
        Connection.objects.update(state=State.NEEDS_RECONNECTION)
        sandbox.fail("status", method="GET", path=PATH, value=401, times=9)

    wire.before_write = end
    run = start(member_of_acme, rows=[desk.questionnaire])
    let_work(turns=1)
    item = BulkItem.objects.get(run=run)
    assert desk.there(desk.questionnaire)["status"] == "ON_HOLD"
    assert item.is_in_doubt
    assert "Nothing was changed" not in item.description


def test_w5_a_token_that_is_refused_for_a_while_makes_the_run_wait(desk, client, alice, member_of_acme, sandbox, wire):
    """None of the items is wrong: each of them would be refused, and all of them pass later."""
    sandbox.fail("status", path=PATH, value=401)
    run = start(member_of_acme)
    let_work(turns=1)
    run.refresh_from_db()
    assert states(run) == ["waiting"] * 3
    assert run.due_at > timezone.now()
    client.force_login(alice)
    assert "The platform refuses" in client.get(f"/t/acme/questionnaires/bulk/{run.pk}/").content.decode()
    sandbox.control("DELETE", "/faults")
    let_work()
    assert states(run) == ["done"] * 3


def test_w4_a_killed_worker_leaves_nothing_behind_and_does_nothing_twice(desk, member_of_acme, wire):
    run = start(member_of_acme)
    dead = BulkRun.objects.get(pk=run.pk)
    assert bulk_worker.claim(BULK, dead)
    # It died between the call and its outcome.
    first = BulkItem.objects.filter(run=run).order_by("pk")[0]
    BulkItem.objects.filter(pk=first.pk).update(state=ItemState.WORKING, attempts=1)
    desk.change_there(first.questionnaire, status="ON_HOLD")
    let_work()
    assert states(run) == ["working", "waiting", "waiting"], "nobody robs a live worker"
    BulkRun.objects.update(lease_until=timezone.now() - timedelta(seconds=1))
    let_work()
    assert states(run) == ["done"] * 3
    assert len(wire.patches) == 2


def test_w4_a_worker_that_wakes_up_too_late_writes_nothing(desk, member_of_acme):
    run = start(member_of_acme)
    late = BulkRun.objects.get(pk=run.pk)
    assert bulk_worker.claim(BULK, late)
    item = BulkItem.objects.select_related("run").filter(run=run).order_by("pk")[0]
    BulkRun.objects.update(lease_until=timezone.now() - LEASE)
    let_work()
    entries = len(history("questionnaire", item.questionnaire.platform_id))
    with pytest.raises(bulk_worker.LeaseLost):
        bulk_worker.Step(BULK, late, item).record_outcome(ItemState.FAILED, description="too late")
    assert states(run) == ["done"] * 3
    assert len(history("questionnaire", item.questionnaire.platform_id)) == entries


def test_w4_two_workers_never_have_the_same_run(desk, member_of_acme):
    run = start(member_of_acme)
    first, second = BulkRun.objects.get(pk=run.pk), BulkRun.objects.get(pk=run.pk)
    assert bulk_worker.claim(BULK, first)
    assert not bulk_worker.claim(BULK, second)
    assert services.work_on(second) is False


def test_w5_a_pause_of_the_platform_is_waited_out_and_said(desk, client, alice, member_of_acme, sandbox):
    sandbox.fail("status", method="PATCH", path=PATH, value=429)
    run = start(member_of_acme)
    let_work(turns=1)
    run.refresh_from_db()
    assert run.due_at > timezone.now() + timedelta(seconds=0)
    assert states(run) == ["waiting"] * 3
    client.force_login(alice)
    assert b"asks us to wait" in client.get(f"/t/acme/questionnaires/bulk/{run.pk}/").content
    sandbox.control("DELETE", "/faults")
    let_work()
    assert states(run) == ["done"] * 3


def test_a_tenant_that_is_not_connected_is_told_so(desk, member_of_acme):
    run = start(member_of_acme)
    Connection.objects.update(state=State.NEEDS_RECONNECTION)
    let_work()
    assert states(run) == ["failed"] * 3
    assert "not connected" in BulkItem.objects.first().description


def test_s7_whoever_lost_the_role_changes_nothing_any_more(desk, member_of_acme, wire):
    run = start(member_of_acme)
    set_role(Role.VIEWER, pk=member_of_acme.pk)
    let_work()
    assert states(run) == ["failed"] * 3
    assert wire.patches == []


def test_s7_whoever_was_deactivated_changes_nothing_any_more(desk, member_of_acme, wire):
    run = start(member_of_acme)
    User.objects.filter(pk=member_of_acme.user_id).update(is_active=False)
    let_work()
    assert states(run) == ["failed"] * 3
    assert wire.patches == []


def test_a_bug_of_ours_is_listed_and_the_others_go_on(desk, member_of_acme, monkeypatch, caplog):
    change = work.change_questionnaire
    broken = Questionnaire.objects.order_by("pk")[1]

    def failing(questionnaire, **options):
        if questionnaire.pk == broken.pk:
            raise ZeroDivisionError
        return change(questionnaire, **options)

    monkeypatch.setattr(work, "change_questionnaire", failing)
    run = start(member_of_acme)
    let_work()
    assert states(run) == ["done", "failed", "done"]


def test_q1_the_sweep_finds_a_run_whose_bell_was_lost(desk, member_of_acme, monkeypatch, django_capture_on_commit_callbacks):
    run = start(member_of_acme)
    rung = []
    monkeypatch.setattr(celery_app, "send_task", lambda task, args, **_: rung.append((task, args)))
    with django_capture_on_commit_callbacks(execute=True):
        sweep_bulk_runs()
    assert rung == [("portal.questionnaires.tasks.work_on_bulk_run", (run.tenant_id, run.pk))]


def test_a_task_for_a_run_that_is_over_does_nothing(desk, member_of_acme, wire):
    run = start(member_of_acme)
    let_work()
    sent = len(wire.sent)
    work_on_bulk_run(run.tenant_id, run.pk)
    assert len(wire.sent) == sent


def test_r8_a_run_and_what_is_tried_again_leave_their_rows(desk, member_of_acme, sandbox):
    sandbox.fail("status", value=422, method="PATCH", path=PATH, times=1)
    with recorded(*["questionnaire.bulk", *["questionnaire.status"] * 2, "questionnaire.bulk_end"], by="Alice Ames"):
        run = start(member_of_acme)
        let_work()
    with recorded("questionnaire.bulk_retry", "questionnaire.status", "questionnaire.bulk_end", by="Alice Ames"):
        services.retry_bulk_run(run, member=member_of_acme)
        let_work()
