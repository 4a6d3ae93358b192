"""H8: this machine's clock against the platform's, by what its answers say."""

import logging
from datetime import UTC, datetime, timedelta

import pytest
from prometheus_client import REGISTRY

from portal.connections.services import Urgency, client_for, clock_skew
from portal.platform_api.answers import written_at
from portal.worker_monitoring.models import Alarm

pytestmark = pytest.mark.once

ALARMS = "portal.worker_monitoring.services.alarms"


@pytest.fixture(autouse=True)
def _fresh(monkeypatch):
    """A process that has compared nothing yet."""
    monkeypatch.setattr("portal.connections.services.clients.world_clock", clock_skew.WorldClock())


@pytest.fixture
def call(connected, scoped):
    """Make some API calls, each answered with the sandbox's time."""
    client = client_for(Urgency.PERSON)

    def make(times: int) -> None:
        for _ in range(times):
            client.questionnaires.all.page()

    return make


def shift(sandbox, seconds: float) -> None:
    """Set the platform's clock, which is this process's and an offset; its control call moves it forward only."""
    sandbox.app.extensions["sandbox"].clock.advance(seconds)


def errors(caplog) -> list[str]:
    return [record.getMessage() for record in caplog.records if record.name == ALARMS and record.levelno == logging.ERROR]


def test_h8_a_clock_that_is_right_is_no_alarm(call, caplog, client):
    call(6)
    assert errors(caplog) == []
    assert not Alarm.objects.exists()


def test_h8_a_clock_more_than_30_seconds_off_alarms_once_after_several_answers(call, sandbox, caplog, client):
    shift(sandbox, 45)
    call(clock_skew.ANSWERS - 1)
    assert errors(caplog) == []
    call(2 * clock_skew.ANSWERS)
    (line,) = errors(caplog)
    assert "behind the platform's" in line
    assert "NTP" in line
    # What this process has seen: the page has the latest of all, and other tests' processes live in other times.
    assert -47 < REGISTRY.get_sample_value("portal_clock_off_seconds") < -43
    page = client.get("/metrics").content.decode()
    assert "portal_clock_off_seconds " in page
    assert 'portal_alarm{alarm="clock of ' in page


def test_h8_the_alarm_ends_when_the_clocks_agree_again(call, sandbox, caplog):
    shift(sandbox, 45)
    call(clock_skew.ANSWERS)
    assert Alarm.objects.exists()
    shift(sandbox, -45)
    call(clock_skew.ANSWERS)
    assert not Alarm.objects.exists()
    assert len(errors(caplog)) == 1


def test_h8_one_answer_that_is_off_says_nothing(call, sandbox, caplog):
    for _ in range(3):
        shift(sandbox, 45)
        call(2)
        shift(sandbox, -45)
        call(2)
    assert errors(caplog) == []


@pytest.mark.parametrize(
    ("answered", "seconds", "off"),
    [(0, 0.2, 0), (-8, 10.0, 0), (-50, 10.0, 40), (-29, 0.0, 29), (40, 10.0, -40)],
)
def test_h8_a_slow_answer_is_no_wrong_clock(answered, seconds, off):
    now = datetime(2026, 1, 1, tzinfo=UTC)
    assert clock_skew.seconds_off(now + timedelta(seconds=answered), now=now, seconds=seconds) == off


@pytest.mark.parametrize("headers", [{}, {"Date": "yesterday"}, {"Date": "Thu, 01 Jan 2026 00:00:00 GMT", "Age": "30"}])
def test_h8_an_answer_without_a_time_of_its_own_is_not_compared(headers):
    assert written_at(headers) is None


def test_h8_the_date_of_an_answer_is_read():
    assert written_at({"Date": "Thu, 01 Jan 2026 00:00:00 GMT"}) == datetime(2026, 1, 1, tzinfo=UTC)
