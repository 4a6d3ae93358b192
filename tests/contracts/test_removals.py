"""Deleting a contract on the platform: typed, sent once, and settled by looking when its answer is lost (guarantee W1)."""

from datetime import timedelta

import pytest
from django.core.management import call_command
from django.utils import timezone

from portal.audit.models import Entry
from portal.connections.models import Connection, State
from portal.connections.services import Urgency, client_for
from portal.connections.signals import connected as connected_signal
from portal.contracts import selectors, services
from portal.contracts.mirror import MIRRORS
from portal.contracts.models import Contract, Removal, RemovalState
from portal.contracts.selectors import sweeps
from portal.contracts.services.removals import REMOVE, _claim
from portal.contracts.tasks import sweep_contract_work
from portal.sync.models import StaleMark
from portal.sync.services import drain
from portal.tenants.models import Role
from portal.tenants.scope import tenant_scope
from portal.users.models import User
from tests.contracts.conftest import PAGE, work
from tests.support.audit import recorded
from tests.support.members import remove_members, set_role
from tests.sync.desk import two_minutes_pass


@pytest.fixture
def row(desk) -> Contract:
    there = desk.add_there("MSA-1", name="Northwind MSA.pdf")
    desk.fetch()
    return Contract.objects.get(platform_id=there["id"])


def ask(client, row: Contract, name: str = "northwind  msa.pdf", *, follow: bool = False):
    return client.post(f"{PAGE}{row.platform_id}/delete/", {"name": name}, follow=follow)


def deletions(sandbox, row: Contract) -> int:
    return len([each for each in sandbox.requests(f"/v1/contracts/{row.platform_id}") if each["method"] == "DELETE"])


def test_it_is_deleted_there_and_leaves_the_list_here(row, desk, analyst, sandbox):
    assert b"Type the name to confirm" in analyst.get(f"{PAGE}{row.platform_id}/delete/").content
    assert b"Deleting it on the platform" in ask(analyst, row, follow=True).content
    work()
    assert desk.there("MSA-1") == []
    row.refresh_from_db()
    assert row.gone_at is not None
    assert Removal.objects.get().state == RemovalState.DONE
    assert f"{PAGE}{row.platform_id}/" not in analyst.get(PAGE).content.decode()
    assert b"This contract no longer exists" in analyst.get(f"{PAGE}{row.platform_id}/").content
    assert [entry.action for entry in Entry.objects.filter(target_kind="contract").order_by("pk")] == [
        "contract.ask_removal",
        "contract.remove",
    ]
    assert analyst.get(f"{PAGE}{row.platform_id}/delete/").status_code == 404


def test_another_name_deletes_nothing(row, desk, analyst):
    answer = ask(analyst, row, "Northwind")
    assert (answer.status_code, b"That's not the contract's name" in answer.content) == (422, True)
    assert not Removal.objects.exists()


@pytest.mark.parametrize("fault", [{"kind": "drop_answer"}, {"kind": "status", "value": 500}])
def test_w1_a_lost_answer_to_a_deletion_is_settled_by_looking(fault, row, desk, analyst, sandbox):
    ask(analyst, row)
    kind = fault["kind"]
    sandbox.fail(kind, method="DELETE", times=1, **{name: value for name, value in fault.items() if name != "kind"})
    work()
    assert Removal.objects.get().state == RemovalState.UNCERTAIN
    assert b"Checking whether it was deleted" in analyst.get(f"{PAGE}{row.platform_id}/").content
    Removal.objects.update(due_at=timezone.now())
    work()
    let_the_mirror_know()
    work()
    assert Removal.objects.get().state == RemovalState.DONE
    assert desk.there("MSA-1") == []
    # What was done is not sent a second time.
    assert deletions(sandbox, row) == (1 if kind == "drop_answer" else 2)


def test_w1_a_worker_that_was_killed_leaves_a_removal_that_looks_first(row, desk, analyst, sandbox):
    ask(analyst, row)
    first, second = Removal.objects.get(), Removal.objects.get()
    assert _claim(first)
    assert not services.run_removal(second)
    desk.sandbox.app.extensions["sandbox"].objects.remove(desk.tenant_id, "contracts", row.platform_id)
    Removal.objects.update(lease_until=timezone.now() - timedelta(seconds=1))
    work()
    let_the_mirror_know()
    work()
    assert Removal.objects.get().state == RemovalState.DONE
    assert deletions(sandbox, row) == 0


def test_o8_a_removal_that_waits_in_a_restored_database_looks_first(row, desk, analyst, sandbox):
    ask(analyst, row)
    desk.sandbox.app.extensions["sandbox"].objects.remove(desk.tenant_id, "contracts", row.platform_id)
    call_command("after_restore")
    work()
    let_the_mirror_know()
    work()
    assert Removal.objects.get().state == RemovalState.DONE
    assert deletions(sandbox, row) == 0


def let_the_mirror_know() -> None:
    """Let the mirror look twice, two minutes apart, and the removal be due again."""
    drain(MIRRORS, client_for(Urgency.PERSON))
    two_minutes_pass()
    drain(MIRRORS, client_for(Urgency.PERSON))
    Removal.objects.update(due_at=timezone.now())


def test_q15_a_404_that_passes_is_not_taken_as_deleted(row, desk, analyst, sandbox):
    ask(analyst, row)
    sandbox.fail("status", value=404, path=f"/v1/contracts/{row.platform_id}", times=1)
    work()
    row.refresh_from_db()
    assert (Removal.objects.get().state, row.gone_at) == (RemovalState.UNCERTAIN, None)
    assert len(desk.there("MSA-1")) == 1
    let_the_mirror_know()
    work()
    assert Removal.objects.get().state == RemovalState.DONE
    assert desk.there("MSA-1") == []


def test_one_that_is_gone_already_counts_as_deleted(row, desk, analyst):
    ask(analyst, row)
    desk.sandbox.app.extensions["sandbox"].objects.remove(desk.tenant_id, "contracts", row.platform_id)
    work()
    assert Removal.objects.get().state == RemovalState.UNCERTAIN
    let_the_mirror_know()
    work()
    assert Removal.objects.get().state == RemovalState.DONE


def test_r8_a_refusal_says_why_and_can_be_asked_again(row, desk, analyst, sandbox):
    ask(analyst, row)
    sandbox.fail("status", value=403, method="DELETE", times=1)
    with recorded("contract.refuse_removal", by=""):
        work()
    page = analyst.get(f"{PAGE}{row.platform_id}/").content
    assert b"This contract was not deleted" in page
    assert b"does not cover contracts" in page
    assert len(desk.there("MSA-1")) == 1
    ask(analyst, row)
    work()
    assert desk.there("MSA-1") == []


@pytest.mark.parametrize(("status", "is_read_again"), [(409, True), (422, True), (403, False)])
def test_what_the_platform_has_otherwise_is_read_again(row, analyst, sandbox, status, is_read_again):
    StaleMark.objects.all().delete()
    ask(analyst, row)
    sandbox.fail("status", value=status, method="DELETE", times=1)
    work()
    assert Removal.objects.get().state == RemovalState.REFUSED
    assert StaleMark.objects.filter(kind="contract", object_id=row.platform_id).exists() is is_read_again


def test_w1_a_deletion_in_doubt_is_not_called_refused_while_nobody_may_look(row, desk, analyst, sandbox):
    ask(analyst, row)
    sandbox.fail("drop_answer", method="DELETE", times=1)
    work()
    sandbox.fail("status", value=403, method="GET", path=f"/v1/contracts/{row.platform_id}", times=1)
    Removal.objects.update(due_at=timezone.now())
    work()
    assert Removal.objects.get().state == RemovalState.UNCERTAIN
    assert not Entry.objects.filter(action="contract.refuse_removal").exists()
    Removal.objects.update(due_at=timezone.now())
    work()
    let_the_mirror_know()
    work()
    assert Removal.objects.get().state == RemovalState.DONE


def test_without_a_connection_it_waits_for_the_next_one(row, desk, analyst):
    Connection.objects.update(state=State.NEEDS_RECONNECTION)
    ask(analyst, row)
    work()
    assert Removal.objects.get().state == RemovalState.WAITING
    Connection.objects.update(state=State.ACTIVE)
    connected_signal.send(Connection, tenant_id=row.tenant_id)
    work()
    assert desk.there("MSA-1") == []


def leave(user) -> None:
    remove_members(user=user)


def lose_the_role(user) -> None:
    set_role(Role.ANALYST, user=user)


def be_deactivated(user) -> None:
    User.objects.filter(pk=user.pk).update(is_active=False)


@pytest.mark.parametrize("end", [leave, lose_the_role, be_deactivated])
def test_s7_who_may_delete_no_longer_deletes_nothing_that_waited(end, row, desk, client, member, alice, sandbox):
    approver = member(Role.APPROVER)
    client.force_login(approver)
    Connection.objects.update(state=State.NEEDS_RECONNECTION)
    ask(client, row)
    work()
    end(approver)
    Connection.objects.update(state=State.ACTIVE)
    connected_signal.send(Connection, tenant_id=row.tenant_id)
    with recorded("contract.refuse_removal", by=""):
        work()
    assert (deletions(sandbox, row), len(desk.there("MSA-1"))) == (0, 1)
    client.force_login(alice)
    page = client.get(f"{PAGE}{row.platform_id}/").content.decode()
    assert "Approver of Acme can no longer delete contracts." in page
    ask(client, row)
    work()
    assert desk.there("MSA-1") == []


def test_s7_what_left_before_the_role_was_lost_is_looked_for_and_not_sent_again(row, desk, client, member, sandbox):
    approver = member(Role.APPROVER)
    client.force_login(approver)
    ask(client, row)
    sandbox.fail("status", value=500, method="DELETE", times=1)
    work()
    assert Removal.objects.get().state == RemovalState.UNCERTAIN
    lose_the_role(approver)
    Removal.objects.update(due_at=timezone.now())
    work()
    assert (Removal.objects.get().state, deletions(sandbox, row)) == (RemovalState.REFUSED, 1)
    assert len(desk.there("MSA-1")) == 1


def test_two_people_ask_for_one_removal(row, desk, analyst):
    ask(analyst, row)
    assert b"This contract is already being deleted." in ask(analyst, row, follow=True).content
    assert Removal.objects.count() == 1


@pytest.mark.parametrize("role", [Role.VIEWER, Role.ANALYST])
def test_only_approvers_delete(role, row, client, member):
    client.force_login(member(role))
    assert ask(client, row).status_code == 403
    assert b"Delete" not in client.get(f"{PAGE}{row.platform_id}/").content
    assert not Removal.objects.exists()


def test_the_sweep_rings_for_a_removal(row, analyst, monkeypatch, django_capture_on_commit_callbacks):
    ask(analyst, row)
    rung = []
    monkeypatch.setattr("portal.lib.enqueue._send", lambda task, args: rung.append((task, args)))
    with django_capture_on_commit_callbacks(execute=True):
        sweep_contract_work()
    assert rung == [(REMOVE, (row.tenant_id, Removal.objects.get().pk))]


def test_the_removals_of_one_tenant_hide_none_of_another(acme, globex, monkeypatch):
    monkeypatch.setattr(sweeps, "AT_ONCE", 3)
    for tenant, number in ((acme, 5), (globex, 2)):
        with tenant_scope(tenant.pk):
            for each in range(number):
                row = Contract.objects.create(platform_id=f"c{each}", name="MSA", created_at=timezone.now())
                Removal.objects.create(contract=row, asked_by_name="Alice Ames")
    assert [tenant_id for tenant_id, _ in selectors.due_removals()] == [acme.pk, globex.pk, acme.pk]
