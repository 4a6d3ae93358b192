"""O3: when nobody works or nobody rings, the operator is told, once, by the web processes."""

import logging
from datetime import timedelta

import pytest
import time_machine
from django.db import OperationalError
from django.utils import timezone

from portal.worker_monitoring import signals
from portal.worker_monitoring.models import Alarm, Turn, Worker
from portal.worker_monitoring.services import check_workers, claim_turn, clear, raise_alarm, record_heartbeat

pytestmark = pytest.mark.django_db

ALARMS = "portal.worker_monitoring.services.alarms"
SWEEP = timedelta(seconds=15)


@pytest.fixture
def all_well():
    record_heartbeat("portal-1@test")
    claim_turn("sweep", every=SWEEP)


@pytest.fixture
def said(caplog):
    """What the operator was told since the last time, without the warnings."""

    def take() -> list[str]:
        lines = [record.getMessage() for record in caplog.records if record.name == ALARMS and record.levelno >= logging.ERROR]
        caplog.clear()
        return lines

    return take


def test_o3_a_worker_that_takes_tasks_is_no_alarm(all_well, said):
    check_workers()
    assert said() == []


def test_o3_a_stopped_worker_is_told_within_two_minutes_and_once_an_hour(all_well, said, client):
    with time_machine.travel(timezone.now() + timedelta(seconds=75), tick=False) as clock:
        claim_turn("sweep", every=SWEEP)
        check_workers()
        (line,) = said()
        assert "No worker has taken a task" in line
        assert b'portal_alarm{alarm="no worker"} 1.0' in client.get("/metrics").content
        check_workers()
        assert said() == []
        clock.shift(timedelta(minutes=61))
        claim_turn("sweep", every=SWEEP)
        check_workers()
        assert len(said()) == 1


def test_o3_the_alarm_ends_with_the_first_task(all_well, said):
    Worker.objects.all().delete()
    check_workers()
    assert len(said()) == 1
    record_heartbeat("portal-2@test")
    check_workers()
    assert said() == []
    assert not Alarm.objects.exists()


def test_o3_a_clock_that_stands_still_is_told(all_well, said):
    Turn.objects.update(rung_at=timezone.now() - timedelta(minutes=2))
    check_workers()
    (line,) = said()
    assert "No clock has rung" in line


def test_an_alarm_that_is_told_no_more_is_of_a_machine_that_is_gone(all_well, client):
    shown = b'portal_alarm{alarm="clock of portal-1"} 1.0'
    raise_alarm("clock of portal-1", "It is off.")
    with time_machine.travel(timezone.now() + timedelta(hours=23), tick=False) as clock:
        assert shown in client.get("/metrics").content
        clock.shift(timedelta(hours=2))
        assert shown not in client.get("/metrics").content
        raise_alarm("clock of portal-1", "It is back, and off.")
        assert shown in client.get("/metrics").content


def test_alarms_of_tenants_are_counted_and_only_their_lines_say_of_which(all_well, said, client):
    for tenant_id in (41, 42):
        raise_alarm("endless list: thing", f"Things of tenant {tenant_id}: the list does not end.", tenant_id=tenant_id)
    assert [[number in line for number in ("41", "42")] for line in said()] == [[True, False], [False, True]]
    page = client.get("/metrics").content
    assert b'portal_alarm{alarm="endless list: thing"} 2.0' in page
    assert b"tenant 4" not in page
    clear("endless list: thing", "Things of tenant 41: the list ends.", tenant_id=41)
    assert b'portal_alarm{alarm="endless list: thing"} 1.0' in client.get("/metrics").content
    assert Alarm.objects.get().name == "endless list: thing of tenant 42"


def test_o3_a_web_process_looks_after_its_answers_and_not_after_each(client, said, monkeypatch):
    monkeypatch.setattr(signals, "_next_look_at", 0.0)
    signals.after_answer()
    assert len(said()) == 2
    Alarm.objects.all().delete()
    signals.after_answer()
    assert said() == []


def test_o3_without_a_database_looking_harms_nobody(monkeypatch):
    def broken() -> None:
        raise OperationalError("the database is away")

    monkeypatch.setattr(signals, "_next_look_at", 0.0)
    monkeypatch.setattr(signals, "check_workers", broken)
    signals.after_answer()
