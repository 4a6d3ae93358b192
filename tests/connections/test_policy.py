"""The rules of the token budget, over virtual time: what they promise must hold after whatever came before."""

import random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from portal.connections.policy import (
    A_MOMENT,
    DAY,
    HELD_WITHIN,
    MAX_HELD,
    MAX_WAITS,
    NEXT_WITHIN,
    SECOND_WITHIN,
    WINDOW_SECONDS,
    Candidate,
    Urgency,
    choose,
    seconds_to_wait,
    seconds_until_consent,
)
from tests.bench.figures import over_the_limit

pytestmark = pytest.mark.once

MACHINES = [urgency for urgency in Urgency if urgency.is_machine]
seconds = st.just(0.0) | st.floats(0, 40)
urgencies = st.sampled_from(Urgency)


class Endpoint:
    """The calls to a token endpoint whose clock is turned by hand."""

    def __init__(self) -> None:
        self.now, self.closed_until, self.held = 0.0, 0.0, 0
        self.calls: list[float] = []

    def ages(self) -> list[float]:
        return [self.now - at for at in self.calls[-10:]]

    def wait(self, urgency: Urgency) -> float:
        return seconds_to_wait(self.ages(), urgency, held=self.held, closed_for=max(0.0, self.closed_until - self.now))

    def ask(self, urgency: Urgency) -> bool:
        """Call if that is allowed now."""
        if self.wait(urgency) > 0:
            return False
        self.calls.append(self.now)
        return True

    def call(self, urgency: Urgency) -> float:
        """Call as soon as it is allowed; return the seconds that took."""
        waited = self.wait(urgency)
        self.now += waited
        assert self.ask(urgency), "whoever has waited as told may call"
        return waited


@given(st.lists(st.tuples(seconds, urgencies, st.integers(0, 5), st.sampled_from([0.0, 0.0, 0.0, 20.0, 90.0])), max_size=60))
def test_t08_no_sequence_of_asks_exceeds_the_limit(asks):
    endpoint = Endpoint()
    for gap, urgency, held, closed_for in asks:
        endpoint.now += gap
        endpoint.held = held
        if closed_for:
            endpoint.closed_until = endpoint.now + closed_for
        was_closed = endpoint.now < endpoint.closed_until
        assert not (endpoint.ask(urgency) and was_closed)
    assert over_the_limit(endpoint.calls) == 0


def test_t08_a_million_asks_never_exceed_the_limit():
    rng, now, calls, recent = random.Random(8), 0.0, [], []
    kinds, asks = list(Urgency), 1_000_000
    for _ in range(asks):
        now += rng.random() * 4
        ages = [now - at for at in recent]
        if seconds_to_wait(ages, kinds[int(rng.random() * len(kinds))], held=int(rng.random() * 3)) == 0:
            calls.append(now)
            recent = [*recent[-4:], now]
    assert over_the_limit(calls) == 0
    assert len(calls) > 0.9 * now / WINDOW_SECONDS * 5, "and hardly any is wasted"


@given(st.lists(seconds, max_size=5), urgencies, st.integers(0, 5), st.sampled_from([0.0, 5.0, 100.0]))
def test_the_wait_is_exact(ages, urgency, held, closed_for):
    def wait_after(passed: float) -> float:
        later = [age + passed for age in ages]
        return seconds_to_wait(later, urgency, held=held, closed_for=max(0.0, closed_for - passed))

    wait = wait_after(0.0)
    assert wait_after(wait) == 0
    if wait > 2 * A_MOMENT:
        assert wait_after(wait - 2 * A_MOMENT) > 0


@given(st.lists(st.tuples(seconds, st.sampled_from(MACHINES), st.booleans())), seconds)
@example([(0.0, Urgency.NEWS, True)] * 5, 0.0)
def test_t08_two_people_get_through_after_any_history_of_machines(history, later):
    endpoint = Endpoint()
    for gap, urgency, is_patient in history:
        endpoint.now += gap
        if is_patient:
            endpoint.call(urgency)
        else:
            endpoint.ask(urgency)
    endpoint.now += later
    first = endpoint.call(Urgency.PERSON)
    second = first + endpoint.call(Urgency.PERSON)
    assert first <= NEXT_WITHIN + A_MOMENT
    assert second <= SECOND_WITHIN + 2 * A_MOMENT


asks_of_others = st.lists(st.tuples(seconds, st.sampled_from([Urgency.PERSON, *MACHINES])), max_size=8)


@given(st.lists(st.tuples(asks_of_others, asks_of_others), min_size=1, max_size=MAX_HELD), st.booleans())
def test_t08_whoever_is_on_the_consent_screen_finds_a_call_in_time(walks, is_together):
    endpoint = Endpoint()

    def others_ask(asks) -> None:
        for gap, urgency in asks:
            endpoint.now += gap
            endpoint.ask(urgency)

    for before, _ in walks:
        others_ask(before)
        endpoint.now += seconds_until_consent(endpoint.ages(), held=endpoint.held)
        endpoint.held += 1
    came_at = endpoint.now
    for _, during in walks:
        if not is_together:
            others_ask(during)
            came_at = endpoint.now
        endpoint.held -= 1
        endpoint.call(Urgency.CODE)
        assert endpoint.now - came_at <= HELD_WITHIN + MAX_HELD * A_MOMENT
    assert over_the_limit(endpoint.calls) == 0


def test_a_burst_of_machines_goes_and_leaves_calls_for_people():
    endpoint = Endpoint()
    assert [endpoint.ask(Urgency.NEWS) for _ in range(4)] == [True, True, True, False]
    assert [endpoint.ask(Urgency.PERSON) for _ in range(3)] == [True, True, False]


def test_busy_machines_waste_nothing_and_leave_the_way_to_the_consent_screen_open():
    endpoint, rng, let_in = Endpoint(), random.Random(1), 0
    for _ in range(1000):
        came_at = endpoint.now + rng.uniform(0, NEXT_WITHIN)
        while endpoint.now + endpoint.wait(Urgency.NEWS) < came_at:
            endpoint.call(Urgency.NEWS)
        endpoint.now = came_at
        let_in += seconds_until_consent(endpoint.ages(), held=0) == 0
    assert len(endpoint.calls) > 0.99 * endpoint.now / WINDOW_SECONDS * 5
    assert let_in > 300


@given(st.lists(st.tuples(urgencies, st.integers(1, 500), st.floats(0, 9 * DAY)), min_size=1))
def test_people_go_first_in_their_order_then_what_is_too_old(waiting):
    candidates = [Candidate(key, *each) for key, each in enumerate(waiting)]
    chosen = choose(candidates)
    people = [each for each in candidates if not each.urgency.is_machine]
    too_old = [each for each in candidates if each.age >= MAX_WAITS.get(each.urgency, DAY)]
    if people:
        assert (chosen.urgency, -chosen.age) == min((each.urgency, -each.age) for each in people)
    elif too_old:
        assert chosen.age == max(each.age for each in too_old)
    else:
        alike = [each for each in candidates if each.urgency == chosen.urgency]
        assert chosen.urgency == min(each.urgency for each in candidates)
        assert chosen.work * chosen.age == max(each.work * each.age for each in alike)


@pytest.mark.parametrize("urgency", [Urgency.SUSPENSION, Urgency.NEWS, Urgency.BULK, Urgency.PERIODIC])
def test_nobody_starves_in_a_queue_that_never_empties(urgency):
    """Twenty tenants with much new work wait again as soon as they are served; one of each kind has little."""
    call_every, greedy = 300.0, 20
    since = dict.fromkeys(range(greedy), 0.0) | {"modest": 0.0}
    now = 0.0
    while True:
        now += call_every
        candidates = [
            Candidate(key, urgency, 1, now - at) if key == "modest" else Candidate(key, Urgency.NEWS, 1_000_000, now - at)
            for key, at in since.items()
        ]
        key = choose(candidates).key
        if key == "modest":
            break
        since[key] = now
        assert now < MAX_WAITS.get(urgency, DAY) + (greedy + 1) * call_every
