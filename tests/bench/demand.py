"""Who asks for tokens in simulated days: tenants of very different size, events in bursts, people, sign-ins, idle grants."""

import math
import random
from bisect import bisect
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, auto
from itertools import accumulate

from portal.connections.services.queue import KEEP_ALIVE, KEEP_ALIVES_AN_HOUR

HOUR = 3600.0
SIGMA = 1.5
"""Of the log-normal size of tenants: the busiest tenth makes two thirds of the events."""
BURSTS, BURST_SIZES, BURST_SECONDS = 0.5, (3, 7), 60.0
"""The share of events that come in bursts, how many at once, and over how long."""
TOLD = 0.4
"""The share of events whose payload says all that the mirror needs."""
CONNECTS_AN_HOUR = 6.0
CONSENT_SECONDS, CONSENT_SIGMA, RETURN = 25.0, 0.8, 0.9
"""How long people look at the consent screen (the median), how that differs, and how many of them come back."""


class Kind(Enum):
    TOLD_EVENT = auto()
    EVENT = auto()
    PERSON = auto()
    CONNECT = auto()
    IDLE = auto()


type Arrival = tuple[float, Kind, float]
"""When, what, and of which tenant; with a connect how long the consent screen takes."""


@dataclass(frozen=True)
class Scenario:
    tenants: int
    events_an_hour: float
    """Of one tenant, on average."""
    people_an_hour: float
    """Over all tenants."""
    hours: float
    warm_up_hours: float = 12.0
    seed: int = 1

    @property
    def keep_alive_seconds(self) -> float:
        return max(KEEP_ALIVE.total_seconds(), self.tenants / KEEP_ALIVES_AN_HOUR * HOUR)


def arrivals(scenario: Scenario) -> list[Arrival]:
    """Return all that happens in a scenario. The same for every policy, and the same in every run."""
    rng = random.Random(scenario.seed)
    sizes = list(accumulate(rng.lognormvariate(0, SIGMA) for _ in range(scenario.tenants)))

    def some_tenant() -> int:
        return bisect(sizes, rng.random() * sizes[-1])

    found: list[Arrival] = []
    events_an_hour = scenario.tenants * scenario.events_an_hour
    singles = _moments(rng, events_an_hour * (1 - BURSTS), scenario.hours)
    found += [(at, _event(rng), some_tenant()) for at in singles]
    for at in _moments(rng, events_an_hour * BURSTS / (sum(BURST_SIZES) / 2), scenario.hours):
        tenant = some_tenant()
        found += [(at + rng.uniform(0, BURST_SECONDS), _event(rng), tenant) for _ in range(rng.randint(*BURST_SIZES))]
    found += [(at, Kind.PERSON, some_tenant()) for at in _moments(rng, scenario.people_an_hour, scenario.hours)]
    found += [(at, Kind.CONNECT, _consent_seconds(rng)) for at in _moments(rng, CONNECTS_AN_HOUR, scenario.hours)]
    found += [(rng.uniform(0, scenario.keep_alive_seconds), Kind.IDLE, tenant) for tenant in range(scenario.tenants)]
    return found


def _moments(rng: random.Random, an_hour: float, hours: float) -> Iterator[float]:
    at = rng.expovariate(an_hour / HOUR)
    while at < hours * HOUR:
        yield at
        at += rng.expovariate(an_hour / HOUR)


def _event(rng: random.Random) -> Kind:
    return Kind.TOLD_EVENT if rng.random() < TOLD else Kind.EVENT


def _consent_seconds(rng: random.Random) -> float:
    """Infinity: the person closes the window."""
    return rng.lognormvariate(math.log(CONSENT_SECONDS), CONSENT_SIGMA) if rng.random() < RETURN else math.inf
