"""The token keeper over real processes: one mint for all callers, whoever they are and wherever they run."""

import random
import time
from collections import Counter
from itertools import pairwise

import pytest

from tests.faults.grants import Grant, check_budget, grants
from tests.faults.house import House, control
from tests.support.sizes import size

pytestmark = [pytest.mark.faults]

PROCESSES, THREADS = size(2, whole=8), size(20, whole=8)
CALLING_SECONDS = 63.0
"""A little more than a window of the budget, which carries only five of the mints."""
SUPERSEDED = 2
HANGS, PROMPTLY = 6, 2
"""Seconds. Whoever waits for a call that hangs waits for most of it; others take no longer than a busy machine makes them."""


def test_t01_many_callers_in_several_processes_cause_one_call(grant: Grant):
    before = len(grant.calls())
    processes = [grant.inside, *(grant.another() for _ in range(PROCESSES - 1))]
    at = time.time() + 0.5
    for process in processes:
        process.start("ask_token", **grant.key, threads=THREADS, at=at)
    tokens = [token for process in processes for token in process.answer()]
    assert len(tokens) == PROCESSES * THREADS
    assert len(set(tokens)) == 1, set(tokens)
    assert len(grant.calls()) == before + 1


@pytest.mark.once
def test_t01_sixty_four_callers_cause_no_mint_that_was_not_needed(house: House):
    """Eight tenants, four processes, and tokens that are superseded at random while they are in use."""
    with grants(house, "Crowd", 8) as crowd:
        before = len(crowd[0].calls())
        processes = [crowd[0].another() for _ in range(4)]
        for seed, process in enumerate(processes):
            process.do("watch_leases")
            tenants = [grant.key["tenant_id"] for grant in crowd]
            process.start("work", tenant_ids=tenants, threads=16, seconds=CALLING_SECONDS, seed=seed)
        superseded = supersede_some(crowd, before)
        assert [failure for process in processes for failure in process.answer()] == []
        calls = crowd[0].calls()[before:]
        mints = Counter(call["source_id"] for call in calls)
        assert mints == {grant.source_id: 1 + (grant.source_id in superseded) for grant in crowd}
        check_budget(calls)
        check_no_two_leases([lease for process in processes for lease in process.do("held_leases")])


def supersede_some(crowd: list[Grant], before: int) -> set[str]:
    """End some of the new tokens behind the portal's back, one after the other, as a mint elsewhere would."""
    chosen: set[str] = set()
    end = time.monotonic() + CALLING_SECONDS
    while len(chosen) < SUPERSEDED:
        assert time.monotonic() < end, "nobody mints"
        time.sleep(random.uniform(0.5, 4))
        minted = {call["source_id"] for call in crowd[0].calls()[before:]} - chosen
        if minted:
            source_id = random.choice(sorted(minted))
            control(crowd[0].platform, "POST", "/grants/supersede", source_id=source_id)
            chosen.add(source_id)
    return chosen


def check_no_two_leases(leases: list[list[float]]) -> None:
    """Nobody began to hold a connection's lease before the one before had given it up or had come to its end."""
    assert leases
    for connection in {lease[0] for lease in leases}:
        held = sorted(lease[1:] for lease in leases if lease[0] == connection)
        for (_, end), (begin, _) in pairwise(held):
            assert begin >= end - 0.01, held


def test_t08_two_workers_at_once_mint_once_for_each_who_waits(house: House):
    with grants(house, "Queue", 12) as crowd:
        one, two = crowd[0].inside, crowd[0].another()
        before, rounds = len(crowd[0].calls()), 0
        crowd[0].fail("latency", value=0.2, times=None)
        one.do("want_tokens", tenant_ids=[grant.key["tenant_id"] for grant in crowd])
        while one.do("wanted") and rounds < 12:
            at, rounds = time.time() + 0.2, rounds + 1
            one.start("serve", at=at)
            two.start("serve", at=at)
            one.answer(), two.answer()
            crowd[0].pass_minute()
        calls = crowd[0].calls()[before:]
        assert Counter(call["source_id"] for call in calls) == {grant.source_id: 1 for grant in crowd}
        check_budget(calls)


def test_t03_a_token_endpoint_that_hangs_holds_up_nothing_else(house: House):
    """Fifty callers wait for four calls that hang; with a pool of three connections, where there is one."""
    with grants(house, "Hanging", 4) as crowd:
        crowd[0].fail("latency", value=HANGS, times=4)
        house.web(PLATFORM_API_URL=crowd[0].platform)
        callers = house.inside(PLATFORM_API_URL=crowd[0].platform, PORTAL_PROCESS="web", DATABASE_POOL_SIZE="3")
        callers.do("is_up")
        slowest_delivery(house, crowd[0].path, seconds=1)
        callers.start("ask_beside_others", keys=[grant.key for grant in crowd], threads=50)
        time.sleep(1.5)
        slowest = slowest_delivery(house, crowd[0].path, seconds=3)
        answer = callers.answer()
        assert not any("Error" in token or "(" in token for token in answer["tokens"]), answer["tokens"]
        assert len(set(answer["tokens"])) == 4
        assert slowest < PROMPTLY
        assert answer["slowest"] < PROMPTLY


def slowest_delivery(house: House, path: str, *, seconds: float) -> float:
    """Deliver one event after the other; return how long the slowest answer took."""
    slowest, end, number = 0.0, time.monotonic() + seconds, 0
    while time.monotonic() < end:
        started, number = time.monotonic(), number + 1
        assert house.post(path, f"msg_{number}", f"q{number}") == 204
        slowest = max(slowest, time.monotonic() - started)
        time.sleep(0.05)
    return slowest
