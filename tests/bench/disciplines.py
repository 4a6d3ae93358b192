"""Whose call is next: the portal's own rules, and first come, first served for comparison."""

import random
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field

from portal.connections.models.flows import HOLD
from portal.connections.policy import MAX_HELD, Candidate, Urgency, choose, seconds_until_consent
from portal.connections.services.connect import EXCHANGED_WITHIN
from portal.connections.services.queue import MAX_CANDIDATES


@dataclass(eq=False)
class Request:
    """A tenant that waits for a token, or a code that waits for its exchange."""

    key: int
    urgency: Urgency
    since: float
    events: list[float] = field(default_factory=list)
    """When each that waits was received."""
    people: list[float] = field(default_factory=list)


class FirstCome:
    """Live tokens are used again and a tenant asks once; for the rest whoever came first goes first."""

    is_paced = is_payload_first = False
    code_seconds = 29.0
    """A code lives 30, and has a way to go."""

    def __init__(self) -> None:
        self._waiting: deque[Request] = deque()

    def add(self, request: Request) -> None:
        self._waiting.append(request)

    def hurry(self, request: Request, now: float) -> None:
        """A person has come to a tenant that waits: nothing changes."""

    def urgency(self) -> Urgency | None:
        """Return by whose rule the next call is made: a code's, which goes whenever the minute has one left."""
        return Urgency.CODE if self._waiting else None

    def take(self, now: float) -> Request:
        return self._waiting.popleft()

    def seconds_until_consent(self, ages: Sequence[float], held: Sequence[float]) -> float:
        return 0.0


class Ours:
    """Paced calls, people first, then the most work for the longest time; sign-ins wait before the consent screen."""

    is_paced = True
    code_seconds = EXCHANGED_WITHIN

    def __init__(self, *, is_payload_first: bool) -> None:
        self.is_payload_first = is_payload_first
        self._rng = random.Random(1)
        self._people: dict[int, Request] = {}
        self._machines: dict[int, Request] = {}
        self._drawn: list[int] = []
        """The keys of the machines, to draw from."""
        self._places: dict[int, int] = {}
        self._in_order: deque[Request] = deque()
        """As they came, with some that have gone."""

    def add(self, request: Request) -> None:
        if not request.urgency.is_machine:
            self._people[request.key] = request
            return
        self._machines[request.key] = request
        self._places[request.key] = len(self._drawn)
        self._drawn.append(request.key)
        self._in_order.append(request)

    def hurry(self, request: Request, now: float) -> None:
        """As `queue.request_token`: the tenant's place among the people counts from when its first person came."""
        if not request.urgency.is_machine and request.key in self._machines:
            self._remove(request.key)
            request.since = now
            self._people[request.key] = request

    def urgency(self) -> Urgency | None:
        if self._people:
            return min(each.urgency for each in self._people.values())
        return Urgency.NEWS if self._machines else None

    def take(self, now: float) -> Request:
        waiting = self._people or {key: self._machines[key] for key in self._looked_at()}
        candidates = [Candidate(key, each.urgency, max(1, len(each.events)), now - each.since) for key, each in waiting.items()]
        key = choose(candidates).key
        if key in self._people:
            return self._people.pop(key)
        return self._remove(key)

    def seconds_until_consent(self, ages: Sequence[float], held: Sequence[float]) -> float:
        """As `budget.seconds_until_connect`, given also for how long each consent screen is open."""
        if len(held) >= MAX_HELD:
            return max(1.0, HOLD.total_seconds() - max(held))
        return seconds_until_consent(ages, held=len(held))

    def _looked_at(self) -> list[int]:
        while self._machines.get(self._in_order[0].key) is not self._in_order[0]:
            self._in_order.popleft()
        return [*self._rng.sample(self._drawn, min(MAX_CANDIDATES, len(self._drawn))), self._in_order[0].key]

    def _remove(self, key: int) -> Request:
        place, last = self._places.pop(key), self._drawn.pop()
        if last != key:
            self._drawn[place], self._places[last] = last, place
        return self._machines.pop(key)
