"""Hours of a thousand tenants in virtual time. `make bench` prints days of them, against first come, first served."""

import pytest

from tests.bench.demand import Scenario
from tests.bench.disciplines import FirstCome, Ours
from tests.bench.figures import quantile
from tests.bench.simulation import simulate

pytestmark = pytest.mark.once

BUSY = Scenario(tenants=1_000, events_an_hour=2.0, people_an_hour=60, hours=12, warm_up_hours=4)
"""Just above what five calls a minute can carry."""
OVERLOADED = Scenario(tenants=10_000, events_an_hour=0.4, people_an_hour=120, hours=8, warm_up_hours=4)


@pytest.mark.parametrize("is_payload_first", [True, False])
def test_t08_people_and_codes_get_through_a_busy_day(is_payload_first):
    figures = simulate(BUSY, Ours(is_payload_first=is_payload_first))
    assert figures.over_the_limit == 0
    assert quantile(figures.people, 0.99) < 40
    assert len(figures.codes) > 20
    assert figures.lost < 0.01 * len(figures.codes)
    # Held back before the consent screen, but not for long.
    assert quantile(figures.gate, 0.5) < 15
    assert quantile(figures.gate, 0.95) < 300


def test_t08_people_get_through_when_there_is_eight_times_too_much_to_do():
    figures = simulate(OVERLOADED, Ours(is_payload_first=True))
    assert figures.over_the_limit == 0
    assert figures.calls_an_hour > 0.97 * 5 * 3600 / 60.5, "and no call is wasted"
    assert quantile(figures.people, 0.99) < 40


def test_first_come_first_served_would_lose_them():
    figures = simulate(BUSY, FirstCome())
    assert figures.over_the_limit == 0
    assert quantile(figures.people, 0.99) > 400
    assert figures.lost > 0.5 * len(figures.codes)


def test_a_simulation_comes_out_the_same_each_time():
    scenario = Scenario(tenants=100, events_an_hour=2.0, people_an_hour=60, hours=3, warm_up_hours=1)
    assert simulate(scenario, Ours(is_payload_first=True)) == simulate(scenario, Ours(is_payload_first=True))
