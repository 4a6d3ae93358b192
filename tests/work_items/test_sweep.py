"""The sweep works in turns, within its time, and goes on where it ended."""

from itertools import count
from types import SimpleNamespace

import pytest
from django.utils import timezone

from portal.contracts.models import Contract
from portal.deletion_requests.models import DeletionRequest, State
from portal.tenants import turns
from portal.tenants.scope import all_tenants, current_tenant_id, tenant_scope
from portal.work_items import services
from portal.work_items.models import Change, WorkItem
from portal.work_items.services import compare_all, work_off_changes
from portal.work_items.tasks import sweep_work_items
from tests.work_items.support import said_by_desks, stored, work_off

pytestmark = pytest.mark.both


def ask(number: int) -> None:
    """Have so many people ask to be erased."""
    rows = [
        DeletionRequest(email="", email_hash=f"h{each}", masked_email="m", requested_by_name="A", state=State.RECEIVED)
        for each in range(number)
    ]
    DeletionRequest.objects.bulk_create(rows)


def left() -> dict[str, int]:
    with all_tenants("a test counts what is left"):
        rows = Change.objects.values_list("tenant__slug", flat=True)
        return {slug: list(rows).count(slug) for slug in set(rows)}


@pytest.fixture
def small_batches(monkeypatch):
    monkeypatch.setattr(services, "BATCH", 10)


@pytest.fixture
def clock(monkeypatch):
    """A clock on which each look at it is a second later."""
    ticks = count()
    monkeypatch.setattr(turns, "time", SimpleNamespace(monotonic=lambda: next(ticks)))


def test_it_ends_with_its_time_and_goes_on_where_it_ended(acme, small_batches, clock):
    with tenant_scope(acme.pk):
        work_off()
        ask(45)
    work_off_changes(seconds=2.5)
    with tenant_scope(acme.pk):
        assert WorkItem.objects.count() == 20
    assert left() == {"acme": 25}
    work_off_changes(seconds=60)
    assert left() == {}
    with tenant_scope(acme.pk):
        assert WorkItem.objects.count() == 45


def test_changes_of_a_tenant_that_was_removed_hold_up_nobody(acme, small_batches):
    with all_tenants("a tenant that was removed leaves its last changes behind"):
        Change.objects.bulk_create([Change(tenant_id=10**9, kind="deletion_request", object_id=1)])
    with tenant_scope(acme.pk):
        work_off()
        ask(5)
    work_off_changes()
    assert left() == {}
    with tenant_scope(acme.pk):
        assert WorkItem.objects.count() == 5


def test_one_tenant_with_many_changes_does_not_keep_the_others_waiting(acme, globex, small_batches, clock):
    for tenant, number in ((acme, 45), (globex, 5)):
        with tenant_scope(tenant.pk):
            work_off()
            ask(number)
    work_off_changes(seconds=2.5)
    assert left() == {"acme": 35}


def test_a_tenant_whose_changes_cannot_be_worked_off_keeps_no_other_waiting(acme, globex, monkeypatch):
    for tenant in (acme, globex):
        with tenant_scope(tenant.pk):
            work_off()
            ask(5)
    store = services._store

    def fail_in_acme(*args) -> bool:
        if current_tenant_id() == acme.pk:
            raise ZeroDivisionError
        return store(*args)

    with monkeypatch.context() as meanwhile:
        meanwhile.setattr(services, "_store", fail_in_acme)
        sweep_work_items()
    assert left() == {"acme": 5}
    sweep_work_items()
    assert left() == {}


def test_what_concerns_every_object_is_worked_off_in_batches(scoped, small_batches):
    ask(45)
    work_off()
    WorkItem.objects.all().delete()
    compare_all()
    # The comparison itself makes nothing anew: it leaves one change for each kind.
    assert not WorkItem.objects.exists()
    assert set(Change.objects.values_list("object_id", flat=True)) == {0}
    before = -1
    while services.catch_up(10, may_wait=True):
        made = WorkItem.objects.count()
        assert made - before <= 21, "at most a batch of changes and a batch of all objects"
        before = made
    assert stored() == said_by_desks()
    assert len(stored()) == 45
    assert not Change.objects.exists()


def test_a_page_leaves_a_pass_over_all_objects_to_the_sweep(scoped, small_batches):
    ask(15)
    work_off()
    Change.objects.create(tenant_id=scoped.pk, kind="deletion_request", object_id=-3)
    assert services.catch_up() is False
    sweep_work_items()
    assert not Change.objects.exists()


def test_a_contract_that_is_gone_meanwhile_ends_no_pass(scoped, small_batches):
    for number in range(25):
        Contract.objects.create(platform_id=f"c{number}", name="MSA", created_at=timezone.now())
    Contract.objects.update(gone_at=timezone.now())
    compare_all()
    work_off()
    assert stored() == said_by_desks() == {}
