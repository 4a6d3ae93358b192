"""The budget in the database, under clocks that differ and clocks that are set."""

import random
from collections.abc import Callable
from dataclasses import dataclass

import pytest

from portal.connections.policy import HELD_WITHIN, WINDOW_SECONDS, Urgency
from portal.connections.services.budget import BudgetSpent, close, seconds_until_call, seconds_until_connect, take_call
from portal.connections.services.connect import EXCHANGED_WITHIN
from portal.lib import clock
from portal.lib.clock import SKEW_SECONDS
from tests.bench.figures import over_the_limit

URL = "https://platform.test"
HOUR = 3600.0
pytestmark = [pytest.mark.django_db, pytest.mark.once]


@dataclass
class Clocks:
    """What stands behind `lib.clock`: the true time, and how a machine reads it."""

    true: float = 0.0
    boot: str = "first boot"
    wall_error: float = 0.0

    def time(self) -> float:
        return 1_800_000_000.0 + self.true + self.wall_error

    def monotonic(self) -> float:
        return self.true + 1_000.0 * len(self.boot)


@pytest.fixture
def clocks(monkeypatch: pytest.MonkeyPatch) -> Clocks:
    clocks = Clocks()
    monkeypatch.setattr(clock, "time", clocks)
    monkeypatch.setattr(clock, "boot", lambda: clocks.boot)
    return clocks


def is_called(urgency: Urgency = Urgency.CODE) -> bool:
    try:
        take_call(URL, urgency)
    except BudgetSpent:
        return False
    return True


def spend() -> None:
    assert [is_called() for _ in range(6)] == [True] * 5 + [False]


@pytest.mark.parametrize("apart", [2.0, -2.0])
def test_t08_two_hosts_whose_clocks_differ(clocks, apart):
    rng, calls, asks = random.Random(8), [], 400
    for _ in range(asks):
        clocks.true += rng.uniform(0, 6)
        clocks.boot, clocks.wall_error = rng.choice([("one", 0.0), ("the other", apart)])
        if is_called(rng.choice(list(Urgency))):
            calls.append(clocks.true)
    assert over_the_limit(calls) == 0
    assert len(calls) > 0.85 * clocks.true / WINDOW_SECONDS * 5, "and the margin costs little"


def test_t08_a_callback_waits_long_enough_for_the_call_that_is_held_by_another_clock():
    assert EXCHANGED_WITHIN > HELD_WITHIN + 2.0 + SKEW_SECONDS


@pytest.mark.parametrize("jump", [HOUR, -HOUR, 24 * HOUR, -24 * HOUR])
def test_t11_a_clock_that_is_set_neither_opens_nor_closes_the_budget(clocks, jump):
    spend()
    clocks.true, clocks.wall_error = 30.0, jump
    assert not is_called()
    assert seconds_until_call(URL, Urgency.PERSON) == pytest.approx(WINDOW_SECONDS - 30.0, abs=0.1)
    clocks.true = WINDOW_SECONDS + 0.1
    assert seconds_until_call(URL, Urgency.PERSON) == 0
    spend()


def test_t11_a_clock_that_is_set_again_and_again_changes_nothing(clocks):
    rng, calls = random.Random(11), []
    for _ in range(400):
        clocks.true += rng.uniform(0, 8)
        clocks.wall_error = rng.choice([0.0, HOUR, -HOUR])
        if is_called(rng.choice(list(Urgency))):
            calls.append(clocks.true)
    assert over_the_limit(calls) == 0
    assert len(calls) > 0.9 * clocks.true / WINDOW_SECONDS * 5


@pytest.mark.parametrize(
    "look",
    [
        pytest.param(lambda: not is_called(), id="calling"),
        pytest.param(lambda: seconds_until_call(URL, Urgency.PERSON) > 0, id="a look first"),
        pytest.param(lambda: seconds_until_connect(URL, besides=0) > 0, id="connecting"),
    ],
)
@pytest.mark.parametrize("boot", ["second boot", ""], ids=["rebooted", "a system that names no boot"])
def test_t11_a_clock_set_back_over_a_restart_closes_for_a_window_and_no_longer(clocks, look: Callable[[], bool], boot):
    clocks.boot = boot and clocks.boot
    spend()
    close(URL, seconds=20)
    clocks.boot, clocks.wall_error = boot, -HOUR
    assert look(), "nobody knows how long ago the calls were"
    clocks.true = WINDOW_SECONDS - HELD_WITHIN - 1
    assert look()
    clocks.true = WINDOW_SECONDS + SKEW_SECONDS + 1
    assert not look()


@pytest.mark.parametrize("jump", [HOUR, -HOUR])
def test_t11_a_429_keeps_its_time_when_the_clock_is_set(clocks, jump):
    close(URL, seconds=60)
    clocks.true, clocks.wall_error = 59.0, jump
    assert not is_called()
    clocks.true = 60.5
    assert is_called()


def test_a_refusal_says_when_to_come_again(clocks):
    spend()
    with pytest.raises(BudgetSpent) as spent:
        take_call(URL, Urgency.CODE)
    clocks.true = spent.value.retry_after
    assert is_called()
