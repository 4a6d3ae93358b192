"""Days of the token endpoint in virtual time: what happens, who waits, and when the next call is allowed."""

import heapq
import itertools
import math
import random
from collections import deque
from collections.abc import Callable
from typing import Any

from portal.connections.models.connection import EXPIRY_MARGIN
from portal.connections.models.flows import HOLD
from portal.connections.policy import WINDOW_SECONDS, Urgency, seconds_to_wait
from tests.bench.demand import HOUR, Kind, Scenario, arrivals
from tests.bench.disciplines import FirstCome, Ours, Request
from tests.bench.figures import Figures

USABLE_SECONDS = 3600.0 - EXPIRY_MARGIN.total_seconds()
ANSWER_SECONDS = 0.5
"""How long the token endpoint takes."""
TRY_AGAIN_AFTER = (1.0, 10.0)
"""People who were held back before the consent screen come again this much later than they were told (seconds)."""


def simulate(scenario: Scenario, discipline: FirstCome | Ours) -> Figures:
    """Run one scenario under one discipline, which must be new."""
    return _Simulation(scenario, discipline).run()


class _Simulation:
    def __init__(self, scenario: Scenario, discipline: FirstCome | Ours) -> None:
        self._scenario, self._discipline, self._figures = scenario, discipline, Figures(discipline.code_seconds)
        self._now = 0.0
        self._warm_at, self._ends_at = scenario.warm_up_hours * HOUR, scenario.hours * HOUR
        self._live_until = [0.0] * scenario.tenants
        self._waiting: dict[int, Request] = {}
        self._held: dict[int, float] = {}
        """Who is on the consent screen, since when."""
        self._recent: deque[float] = deque()
        self._next_call: tuple[object, float] = (None, 0.0)
        self._numbers = itertools.count(1)
        self._agenda: list[tuple[float, int, Callable[[Any], None], Any]] = []
        self._rng = random.Random(scenario.seed)

    def run(self) -> Figures:
        acts = {
            Kind.EVENT: self._event,
            Kind.TOLD_EVENT: self._told_event,
            Kind.PERSON: self._person,
            Kind.CONNECT: self._connect,
            Kind.IDLE: self._idle,
        }
        for at, kind, about in arrivals(self._scenario):
            self._plan(at, acts[kind], about)
        while self._agenda and self._agenda[0][0] < self._ends_at:
            at, _, act, about = heapq.heappop(self._agenda)
            self._call_until(at)
            act(about)
        self._call_until(self._ends_at)
        # Whoever is still waiting counts too, with the wait until now: leaving them out would flatter what starves.
        for request in self._waiting.values():
            self._note_waits(request)
        hours = self._scenario.hours - self._scenario.warm_up_hours
        self._figures.calls_an_hour = sum(at >= self._warm_at for at in self._figures.calls) / hours
        return self._figures

    def _plan(self, at: float, act: Callable[[Any], None], about: Any) -> None:
        heapq.heappush(self._agenda, (at, next(self._numbers), act, about))

    # What happens.

    def _told_event(self, tenant: int) -> None:
        if self._discipline.is_payload_first:
            self._note(self._figures.stale, self._now, 0.0)
        else:
            self._event(tenant)

    def _event(self, tenant: int) -> None:
        if self._is_live(tenant):
            self._note(self._figures.stale, self._now, 0.0)
        else:
            self._request(tenant, Urgency.NEWS).events.append(self._now)

    def _person(self, tenant: int) -> None:
        if self._is_live(tenant):
            self._note(self._figures.people, self._now, 0.0)
        else:
            self._request(tenant, Urgency.PERSON).people.append(self._now)

    def _idle(self, tenant: int) -> None:
        """Keep the grant of an idle tenant alive, or look again when it would be time."""
        minted_at = self._live_until[tenant] - USABLE_SECONDS
        due = minted_at + self._scenario.keep_alive_seconds if self._live_until[tenant] else self._now
        if due <= self._now:
            self._request(tenant, Urgency.PERIODIC)
            due = self._now + self._scenario.keep_alive_seconds
        self._plan(due, self._idle, tenant)

    def _connect(self, consent_seconds: float) -> None:
        self._try_to_connect((self._now, consent_seconds))

    def _try_to_connect(self, walk: tuple[float, float]) -> None:
        since, consent_seconds = walk
        wait = self._discipline.seconds_until_consent(self._ages(), [self._now - at for at in self._held.values()])
        if wait > 0:
            self._plan(self._now + round(wait + 0.5) + self._rng.uniform(*TRY_AGAIN_AFTER), self._try_to_connect, walk)
            return
        self._note(self._figures.gate, since, self._now - since)
        number = -next(self._numbers)
        self._held[number] = self._now
        self._plan(self._now + HOLD.total_seconds(), self._let_go, number)
        if consent_seconds < math.inf:
            self._plan(self._now + consent_seconds, self._come_back, number)

    def _let_go(self, number: int) -> None:
        self._held.pop(number, None)

    def _come_back(self, number: int) -> None:
        self._let_go(number)
        self._request(number, Urgency.CODE)

    # Who waits, and the calls.

    def _is_live(self, tenant: int) -> bool:
        return self._live_until[tenant] > self._now

    def _request(self, key: int, urgency: Urgency) -> Request:
        request = self._waiting.get(key)
        if request is None:
            request = self._waiting[key] = Request(key, urgency, self._now)
            self._discipline.add(request)
        elif urgency < request.urgency:
            request.urgency = urgency
            self._discipline.hurry(request, self._now)
        return request

    def _ages(self) -> list[float]:
        while self._recent and self._now - self._recent[0] > WINDOW_SECONDS:
            self._recent.popleft()
        return [self._now - at for at in self._recent]

    def _call_until(self, at: float) -> None:
        """Make all calls that are allowed before something else happens."""
        while (call_at := self._next_call_at()) <= at:
            self._now = max(self._now, call_at)
            self._call(self._discipline.take(self._now))
        self._now = at

    def _next_call_at(self) -> float:
        """Say when the next call is allowed; worked out anew only when something that it depends on has changed."""
        urgency = self._discipline.urgency()
        if urgency is None:
            return math.inf
        circumstances = urgency, len(self._held), len(self._figures.calls)
        if self._next_call[0] != circumstances:
            wait = seconds_to_wait(self._ages(), urgency, held=len(self._held) if self._discipline.is_paced else 0)
            self._next_call = circumstances, self._now + wait
        return self._next_call[1]

    def _call(self, request: Request) -> None:
        self._recent.append(self._now)
        self._figures.calls.append(self._now)
        del self._waiting[request.key]
        if request.urgency != Urgency.CODE:
            self._live_until[request.key] = self._now + USABLE_SECONDS
        self._note_waits(request)

    def _note_waits(self, request: Request) -> None:
        if request.urgency == Urgency.CODE:
            self._note(self._figures.codes, request.since, self._now - request.since)
        for figures, since in ((self._figures.stale, request.events), (self._figures.people, request.people)):
            for at in since:
                self._note(figures, at, self._now - at + ANSWER_SECONDS)

    def _note(self, figures: list[float], since: float, value: float) -> None:
        if since >= self._warm_at:
            figures.append(value)
