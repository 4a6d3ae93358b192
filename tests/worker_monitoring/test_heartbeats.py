"""Q7: what the supervisor and the operator go by."""

import subprocess
import sys
from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace

import pytest
from django.utils import timezone

from portal.worker_monitoring import signals
from portal.worker_monitoring.models import Worker
from portal.worker_monitoring.services import forget_heartbeat, last_heartbeat, record_heartbeat
from tests.support.polls import until

pytestmark = pytest.mark.django_db


def taken_by(name: str, *, is_eager: bool = False) -> None:
    signals.on_task(sender=SimpleNamespace(request=SimpleNamespace(hostname=name, is_eager=is_eager)))


@pytest.fixture(autouse=True)
def _long_ago(monkeypatch):
    monkeypatch.setattr(signals, "_next_note_at", 0.0)


def test_q7_each_task_is_a_heartbeat_but_not_each_of_a_burst(django_assert_num_queries):
    taken_by("portal-1@test")
    first = last_heartbeat("portal-1@test")
    assert first
    with django_assert_num_queries(0):
        taken_by("portal-1@test")
    signals._next_note_at = 0.0
    taken_by("portal-1@test")
    assert last_heartbeat("portal-1@test") > first
    assert Worker.objects.count() == 1


def test_q7_a_task_that_runs_without_a_broker_proves_nothing():
    taken_by("portal-1@test", is_eager=True)
    assert last_heartbeat("portal-1@test") is None


def test_q7_workers_that_never_came_back_are_forgotten():
    record_heartbeat("old@test")
    Worker.objects.update(heard_at=timezone.now() - timedelta(days=2))
    record_heartbeat("new@test")
    assert [worker.name for worker in Worker.objects.all()] == ["new@test"]
    forget_heartbeat("new@test")
    assert not Worker.objects.exists()


def test_q7_the_clock_of_a_worker_that_was_killed_at_its_start_does_not_stay():
    """A parent forks a clock and is gone before the clock has asked to be told."""
    code = """
import os, sys, time, django
django.setup()
from billiard import Process
from portal.worker_monitoring.signals import end_with_worker
def clock():
    time.sleep(0.5)
    end_with_worker()
    time.sleep(60)
process = Process(target=clock)
process.start()
print(process.pid, flush=True)
os._exit(0)
"""
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout
        clock = Path(f"/proc/{parent.stdout.readline().strip()}")
        until(lambda: not clock.exists(), seconds=20, what="the clock to end")
