"""Q7: what the supervisor and the operator go by."""

from datetime import timedelta
from types import SimpleNamespace

import pytest
from django.utils import timezone

from portal.watch import signals
from portal.watch.models import Worker
from portal.watch.services import forget, heard, note_heard

pytestmark = pytest.mark.django_db


def taken_by(name: str, *, is_eager: bool = False) -> None:
    signals.on_task(sender=SimpleNamespace(request=SimpleNamespace(hostname=name, is_eager=is_eager)))


@pytest.fixture(autouse=True)
def _long_ago(monkeypatch):
    monkeypatch.setattr(signals, "_next_note_at", 0.0)


def test_q7_each_task_is_a_heartbeat_but_not_each_of_a_burst(django_assert_num_queries):
    taken_by("portal-1@test")
    first = heard("portal-1@test")
    assert first
    with django_assert_num_queries(0):
        taken_by("portal-1@test")
    signals._next_note_at = 0.0
    taken_by("portal-1@test")
    assert heard("portal-1@test") > first
    assert Worker.objects.count() == 1


def test_q7_a_task_that_runs_without_a_broker_proves_nothing():
    taken_by("portal-1@test", is_eager=True)
    assert heard("portal-1@test") is None


def test_q7_workers_that_never_came_back_are_forgotten():
    note_heard("old@test")
    Worker.objects.update(heard_at=timezone.now() - timedelta(days=2))
    note_heard("new@test")
    assert [worker.name for worker in Worker.objects.all()] == ["new@test"]
    forget("new@test")
    assert not Worker.objects.exists()
