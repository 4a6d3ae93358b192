"""O9: several clocks ring each turn once, and a restart does not begin the intervals anew."""

import threading
from collections import Counter
from datetime import timedelta

import pytest
import time_machine
from django.db import connections
from django.utils import timezone

from portal.celery import app
from portal.worker_monitoring.clock import SharedClock
from portal.worker_monitoring.models import Turn
from portal.worker_monitoring.services import claim_turn

EVERY = timedelta(seconds=15)


class Ringing(SharedClock):
    """Keeps what it rings for, where the real one sends it to the broker."""

    def __init__(self, rung: Counter[str]) -> None:
        self.rung = rung
        super().__init__(app=app)

    def apply_async(self, entry, producer=None, advance=True, **options):
        self.rung[entry.name] += 1

    @property
    def producer(self):
        return None


@pytest.fixture
def rung() -> Counter[str]:
    return Counter()


@pytest.mark.django_db
def test_o9_two_clocks_ring_each_turn_once(rung):
    clocks = [Ringing(rung), Ringing(rung)]
    with time_machine.travel(timezone.now(), tick=False) as now:
        for _ in range(61):
            for clock in clocks:
                while clock.tick() == 0:
                    pass
            now.shift(timedelta(seconds=1))
    assert 3 <= rung["sweep_deliveries"] <= 4
    assert 11 <= rung["serve_token_queue"] <= 13
    assert 3 <= rung["sweep_reconciles"] <= 4
    assert rung["sweep_probes"] == 1
    assert rung["prune_deliveries"] == 0


@pytest.mark.django_db
def test_o9_when_one_clock_stops_the_other_goes_on(rung):
    first, second = Counter(), Counter()
    clocks = [Ringing(first), Ringing(second)]
    with time_machine.travel(timezone.now(), tick=False) as now:
        for second_of_test in range(60):
            for clock in clocks[1:] if second_of_test > 30 else clocks:
                while clock.tick() == 0:
                    pass
            now.shift(timedelta(seconds=1))
    assert first["serve_token_queue"] + second["serve_token_queue"] >= 10
    assert second["serve_token_queue"] >= 5


@pytest.mark.django_db
def test_o9_a_restart_goes_on_where_the_last_clock_ended(rung):
    Turn.objects.create(name="prune_deliveries", rung_at=timezone.now() - timedelta(minutes=59, seconds=58))
    clock = Ringing(rung)
    with time_machine.travel(timezone.now() + timedelta(seconds=3), tick=False):
        while clock.tick() == 0:
            pass
    assert rung == {"prune_deliveries": 1}


@pytest.mark.django_db
def test_o9_a_clock_that_was_set_back_costs_one_turn_at_most():
    assert claim_turn("sweep", every=EVERY)
    with time_machine.travel(timezone.now() - timedelta(days=1), tick=False):
        assert claim_turn("sweep", every=EVERY)
        assert not claim_turn("sweep", every=EVERY)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("is_first", [True, False])
def test_o9_of_clocks_that_try_at_the_same_moment_one_gets_the_turn(is_first):
    if not is_first:
        Turn.objects.create(name="sweep", rung_at=timezone.now() - EVERY)
    start, got = threading.Barrier(4), []

    def attempt() -> None:
        try:
            start.wait(10)
            got.append(claim_turn("sweep", every=EVERY))
        finally:
            connections.close_all()

    clocks = [threading.Thread(target=attempt) for _ in range(4)]
    for clock in clocks:
        clock.start()
    for clock in clocks:
        clock.join()
    assert sorted(got) == [False, False, False, True]


def test_o9_every_periodic_job_is_an_interval_that_clocks_can_share():
    for name, entry in app.conf.beat_schedule.items():
        assert entry["schedule"] > 0, name
