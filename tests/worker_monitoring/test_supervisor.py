"""Q7: what a supervisor does with the worker that it keeps. With real processes that only pretend to be one."""

import sys
import threading
import time

import pytest

from portal.worker_monitoring import supervisor as module
from portal.worker_monitoring.services import last_heartbeat, record_heartbeat
from portal.worker_monitoring.supervisor import Intervals, Supervisor

pytestmark = [pytest.mark.django_db, pytest.mark.once]
NAME = "pretended@test"


@pytest.fixture(autouse=True)
def knocks(monkeypatch) -> list[str]:
    """The broker is reached, and nobody is at the other end."""
    made: list[str] = []
    monkeypatch.setattr(module, "ping", lambda name: not made.append(name))
    monkeypatch.setattr(module, "LOOK_SECONDS", 0.05)
    monkeypatch.setattr(module, "STARTING_SECONDS", 0.0)
    return made


def supervisor_of(code: str, *, unresponsive_after: float = 60.0) -> Supervisor:
    command = [sys.executable, "-c", code]
    return Supervisor(command, name=NAME, has_clock=False, intervals=Intervals(ping=0.1, unresponsive_after=unresponsive_after))


def test_q7_a_worker_that_cannot_start_ends_its_supervisor_with_its_code(caplog):
    assert supervisor_of("raise SystemExit(3)").run() == 3
    assert "instead of starting" in caplog.text


def test_q7_a_worker_that_is_killed_before_its_first_task_is_replaced(monkeypatch, caplog):
    keeper = supervisor_of("import os, signal; os.kill(os.getpid(), signal.SIGKILL)")
    threading.Timer(2, keeper._stopping.set).start()
    assert keeper.run() == 0
    assert "has ended with code -9; it is replaced" in caplog.text


def test_q7_a_unresponsive_worker_is_replaced_ever_more_rarely(caplog, knocks, monkeypatch):
    pauses: list[float] = []
    keeper = supervisor_of("import time; time.sleep(60)", unresponsive_after=0.3)
    wait = keeper._stopping.wait

    def note(seconds: float) -> bool:
        if seconds >= 1:
            pauses.append(seconds)
            if len(pauses) == 7:
                keeper._stopping.set()
            return keeper._stopping.is_set()
        return wait(seconds)

    monkeypatch.setattr(keeper._stopping, "wait", note)
    assert keeper.run() == 0
    assert pauses == [1, 2, 4, 8, 16, 30, 30]
    assert "is unresponsive" in caplog.text
    assert set(knocks) == {NAME}


def test_q7_what_the_worker_before_it_has_left_is_no_sign_of_life(monkeypatch):
    monkeypatch.setattr(module, "STARTING_SECONDS", 60.0)
    record_heartbeat(NAME)
    ears = module.WorkerMonitor(0.1, NAME, has_clock=True)
    ears.listen(is_reachable=True)
    time.sleep(0.2)
    assert not ears.has_heard
    # It is still starting: the time for that is not over.
    assert not ears.complaint
    record_heartbeat(NAME)
    ears.listen(is_reachable=True)
    assert ears.has_heard
    time.sleep(0.2)
    assert "is unresponsive" in ears.complaint


def test_q7_while_the_broker_is_away_the_worker_is_left_alone(monkeypatch, caplog):
    monkeypatch.setattr(module, "ping", lambda name: False)
    keeper = supervisor_of("import time; time.sleep(60)", unresponsive_after=0.2)
    threading.Timer(1.5, keeper._stopping.set).start()
    assert keeper.run() == 0
    assert "unresponsive" not in caplog.text


def test_q8_a_worker_that_does_not_end_in_time_is_killed_and_leaves_nothing_behind(monkeypatch, caplog):
    monkeypatch.setattr(module, "PATIENCE_SECONDS", 0.5)
    keeper = supervisor_of("import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(60)")
    threading.Timer(3, keeper._stopping.set).start()
    started = time.monotonic()
    assert keeper.run() == 0
    assert time.monotonic() - started < 10
    assert "had to be killed" in caplog.text
    assert last_heartbeat(NAME) is None
