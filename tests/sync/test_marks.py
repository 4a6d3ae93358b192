"""The table of marks: what is written there, and by whom it is seen."""

from datetime import timedelta

import pytest
from django.db import transaction
from django.utils import timezone

from portal.sync.models import StaleMark
from portal.sync.services import drain, mark_many, mark_stale, prune_marks
from portal.tenants.scope import NoTenantScope, tenant_scope
from tests.sync.desk import FakeDesk

CLIENT = object()


def run(desk: FakeDesk) -> None:
    drain([desk.mirror], CLIENT)


def waiting() -> list[str]:
    return sorted(StaleMark.objects.waiting().values_list("object_id", flat=True))


def test_one_object_is_one_row_however_often_it_is_marked(desk):
    desk.remote = {"a": "1"}
    for _ in range(5):
        mark_stale("thing", "a")
    assert StaleMark.objects.count() == 1
    run(desk)
    assert desk.calls == ["a"]


@pytest.mark.parametrize("object_id", ["", "\x00", "\ud800", "x" * 513, ".", "..", "a\nb"])
def test_an_id_that_cannot_be_one_is_never_marked(desk, object_id):
    mark_many("thing", [object_id])
    assert not StaleMark.objects.exists()


def test_a_rolled_back_change_marks_nothing(desk):
    with pytest.raises(RuntimeError), transaction.atomic():
        mark_stale("thing", "a")
        raise RuntimeError
    assert not StaleMark.objects.exists()


def test_s1_marks_of_another_tenant_are_not_touched(desk, globex):
    mark_stale("thing", "a")
    with tenant_scope(globex.pk):
        mark_stale("thing", "a")
        mark_stale("thing", "b")
    run(desk)
    with tenant_scope(globex.pk):
        assert waiting() == ["a", "b"]


def test_s1_marking_outside_of_a_scope_fails(db):
    with pytest.raises(NoTenantScope):
        mark_stale("thing", "a")


def test_settled_marks_are_pruned_and_waiting_ones_stay(desk):
    desk.remote = {"a": "1", "b": "2"}
    mark_stale("thing", "a")
    run(desk)
    mark_stale("thing", "b")
    StaleMark.objects.update(fetched_at=timezone.now() - timedelta(hours=2))
    prune_marks()
    assert list(StaleMark.objects.values_list("object_id", flat=True)) == ["b"]
