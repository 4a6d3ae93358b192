"""Guarantees T2, T4, T6, T8 and T11 in any order of things: what callers do step by step, what befalls them, and time."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.db import transaction
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule, run_state_machine_as_test

from portal.connections import http
from portal.connections.models import LEASE, Connection, State
from portal.connections.services import Urgency, disconnect, queue
from tests.connections.keeper_world import ANSWERS, OUTCOMES, World
from tests.support.clocks import clocks
from tests.support.interleaving import ON_ITS_WAY, Caller, StoppingAdapter, ask_as_a_person, stopping

pytestmark = pytest.mark.once

EXAMPLES, STEPS = 24, 40
MAX_CALLERS = 6
LONGEST = 2.5 * 3600
"""Seconds of an example: a refresh token whose answer was lost is good for three hours (specification section 3.6)."""
HELD_UP = 0.4
"""Seconds that a call may be held up between its being counted and its arrival for the window to hold nonetheless."""
BEFALLS = ["death", "death", "clock", "another mint", "another grant", "the end"]


class Interleavings(RuleBasedStateMachine):
    """One tenant's connection, and all that can happen to it."""

    def __init__(self, world: World) -> None:
        super().__init__()
        self.world = world
        self.callers: list[Caller] = []
        self.dead: list[Caller] = []
        self.late: set[int] = set()
        self.passed, self.jumps, self.generation, self.is_revoked = 0.0, 0, 0, False

    @initialize(may_end=st.integers(0, 4))
    def begin(self, may_end: int) -> None:
        """Two callers ask from the start. Only in some examples the grant is really ended on the platform."""
        self.may_end = may_end == 0
        self.savepoint = transaction.savepoint_create()
        self.world.sandbox.control("DELETE", "/faults")
        self.world.moved.pass_time(61)
        self.world.inside.limits.forget()
        self.world.grant_anew()
        for _ in range(2):
            self.call(False, False)
        self.first = max((call["n"] for call in self.world.sandbox.requests()), default=0)

    @property
    def row(self) -> Connection:
        return Connection.objects.get()

    @precondition(lambda self: len(self.callers) < MAX_CALLERS)
    @rule(is_machine=st.booleans(), is_refused=st.booleans())
    def call(self, is_machine: bool, is_refused: bool) -> None:
        """Somebody wants the token: a person, whose token was perhaps refused, or a worker who serves the queue."""
        row = self.row
        if is_machine:
            queue.request_token(row, Urgency.NEWS, queue.Waiting())
            ask: Any = queue.serve_all
        else:
            stale = row.open("access_token") if is_refused else None
            ask = lambda: ask_as_a_person(row, stale)  # noqa: E731
        self.callers.append(Caller(row.tenant_id, ask))

    @precondition(lambda self: self.callers)
    @rule(data=st.data(), outcome=st.sampled_from(ANSWERS))
    def go_on(self, data: st.DataObject, outcome: str) -> None:
        """One of them goes on to the next step; the platform answers in some way if it is the request's turn."""
        self.step(data.draw(st.sampled_from(self.callers)), outcome)

    @precondition(lambda self: self.callers)
    @rule(data=st.data(), outcome=st.sampled_from(ANSWERS))
    def finish(self, data: st.DataObject, outcome: str) -> None:
        """One of them goes on as far as it can without sleeping."""
        self.run_on(data.draw(st.sampled_from(self.callers)), outcome)

    def run_on(self, caller: Caller, outcome: str) -> None:
        for _ in range(30):
            self.step(caller, outcome)
            if caller.is_done or caller.at == "asleep":
                break

    @precondition(lambda self: len(self.callers) < MAX_CALLERS and self.passed < LONGEST)
    @rule(seconds=st.sampled_from([0.2, 0.2, 45]))
    def overtake(self, seconds: float) -> None:
        """The token is not trusted any more, time passes or not, and somebody new goes all the way at once."""
        Connection.objects.update(access_expires_at=None)
        self.pass_time(seconds)
        self.call(False, False)
        self.run_on(self.callers[-1], "good")

    def step(self, caller: Caller, outcome: str) -> None:
        held, was_at = caller.lease, caller.at
        before = self.world.sandbox.requests("/oauth/token")
        if was_at == ON_ITS_WAY and OUTCOMES[outcome]:
            self.world.sandbox.control("POST", "/faults", path="/oauth/token", times=1, **OUTCOMES[outcome])
        caller.resume()
        if was_at == ON_ITS_WAY and caller.late_by > HELD_UP:
            self.late |= {call["n"] for call in self.world.sandbox.requests("/oauth/token")[len(before) :]}
        if caller.at == "take_call":
            caller.late_by = 0.0
        if caller.lease is not held:
            caller.taken_after = self.jumps
            self.check_alone(caller)
        if caller.is_done:
            self.callers.remove(caller)

    def check_alone(self, caller: Caller) -> None:
        """Nobody else, dead or alive, holds an unexpired lease of the same tokens, unless a clock was set since."""
        for other in [*self.callers, *self.dead]:
            if (
                other is caller
                or other.lease is None
                or other.lease.connection.generation != caller.lease.connection.generation
            ):
                continue
            has_ended = other.is_done or other.at == "asleep" or other.lease_taken + LEASE.total_seconds() < caller.lease_taken
            assert has_ended or other.taken_after != self.jumps, f"{other.at} holds the lease too"

    @precondition(lambda self: self.passed < LONGEST)
    @rule(seconds=st.sampled_from([0.2, 1, 10, 16, 31, 61, 601, 3601]))
    def pass_time(self, seconds: float) -> None:
        seconds = min(seconds, LONGEST - self.passed)
        self.passed += seconds
        self.world.moved.pass_time(seconds)
        for caller in self.callers:
            caller.late_by += seconds

    @rule(what=st.sampled_from(BEFALLS), which=st.integers(0, MAX_CALLERS))
    def befall(self, what: str, which: int) -> None:
        """Something happens that no caller has a say in."""
        if what == "death" and self.callers:
            self.dead.append(self.callers.pop(which % len(self.callers)))
        elif what == "clock":
            # The clock of the portal's machine is set; nothing else moves.
            self.world.moved.set_ahead((-3600, -40, 40, 3600)[which % 4])
            self.jumps += 1
        elif what == "another mint":
            self.world.inside.grants.supersede(self.world.client_id, source_id=str(self.row.source_id))
        elif what == "another grant":
            # The owner disconnects and connects again.
            disconnect(self.row, actor=self.world.alice)
            self.world.grant_anew()
            self.is_revoked = False
        elif what == "the end" and self.may_end:
            self.world.revoke()
            self.is_revoked = True

    @invariant()
    def no_person_is_needed(self) -> None:
        assert self.row.state != State.NEEDS_RECONNECTION or self.is_revoked

    @invariant()
    def generations_only_grow(self) -> None:
        assert self.row.generation >= self.generation
        self.generation = self.row.generation

    @invariant()
    def the_budget_holds(self) -> None:
        self.world.check_budget(self.first, without=self.late)

    def teardown(self) -> None:
        """Whatever has happened: after a while it works without a person, unless there is no grant any more."""
        try:
            self.world.check_works(is_revoked=self.is_revoked)
        finally:
            for caller in [*self.callers, *self.dead]:
                caller.clear_away()
            transaction.savepoint_rollback(self.savepoint)


@pytest.fixture
def world(connected, scoped, sandbox, alice, platform_tenant) -> Iterator[World]:
    sandbox.control("POST", "/limits", token=5)
    with clocks(sandbox.app.extensions["sandbox"].clock) as moved, stopping(moved):
        http.MOUNTS.update({prefix: StoppingAdapter(sandbox.app) for prefix in http.MOUNTS})
        yield World(sandbox, alice, platform_tenant, moved)


def test_t02_any_interleaving_of_callers_deaths_and_time_keeps_the_grant(world):
    limits = settings(
        max_examples=EXAMPLES,
        stateful_step_count=STEPS,
        deadline=None,
        derandomize=True,
        phases=[Phase.generate],
        suppress_health_check=[*HealthCheck],
        database=None,
    )
    run_state_machine_as_test(lambda: Interleavings(world), settings=limits)
