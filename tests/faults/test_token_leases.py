"""Holders of the lease that freeze or die on their way: one mint is wasted at most, and nobody has to reconnect."""

import signal
import time

import pytest

from tests.faults.children import Inside
from tests.faults.grants import Grant, freeze, thaw, wait_until_frozen
from tests.faults.test_tokens import check_no_two_leases
from tests.support.polls import until

pytestmark = [pytest.mark.faults]

LEASE = 2.0
"""Seconds, in the processes of these tests."""
UNDER_WAY = "the call is under way"
ONCE = pytest.mark.once
"""For moments at which no transaction is open: there a holder on the embedded database stands as on PostgreSQL."""


def begin(grant: Grant, moment: str, signal_number: int) -> Inside:
    """Have another process ask for the token, and freeze or die at a moment of the way."""
    victim = grant.another()
    for process in (victim, grant.inside):
        process.do("shorten_lease", seconds=LEASE)
        process.do("watch_leases")
    if moment == UNDER_WAY:
        grant.fail("latency", value=1)
        victim.start("ask", **grant.key)
        time.sleep(0.5)
        freeze(victim) if signal_number == signal.SIGSTOP else victim.kill()
    else:
        victim.start("ask_and_stop", **grant.key, moment=moment, signal_number=signal_number)
    if signal_number == signal.SIGSTOP:
        wait_until_frozen(victim)
    else:
        victim.process.wait(20)
    return victim


@pytest.mark.parametrize("moment", [UNDER_WAY, pytest.param("the answer is in hand", marks=ONCE)])
def test_t02_a_holder_frozen_past_its_lease_comes_too_late(grant: Grant, moment: str):
    before = len(grant.calls())
    victim = begin(grant, moment, signal.SIGSTOP)
    token = grant.inside.do("ask", **grant.key)
    generation = grant.inside.do("state_of", **grant.tenant)["generation"]
    thaw(victim)
    assert victim.answer() == token
    assert grant.inside.do("state_of", **grant.tenant)["generation"] == generation
    assert len(grant.calls()) == before + 2
    check_no_two_leases([lease for process in (victim, grant.inside) for lease in process.do("held_leases")])
    grant.check_works()


@pytest.mark.once
@pytest.mark.parametrize("moment", ["the lease is taken", "the call is counted"])
def test_t02_a_holder_frozen_before_its_call_does_not_begin_it(grant: Grant, moment: str):
    before = len(grant.calls())
    victim = begin(grant, moment, signal.SIGSTOP)
    token = grant.inside.do("ask", **grant.key)
    thaw(victim)
    assert "came to its end before the call" in victim.answer()
    assert grant.inside.do("ask", **grant.key) == token
    assert len(grant.calls()) == before + 1
    grant.check_works()


@pytest.mark.once
def test_t02_a_call_is_not_begun_late_in_a_lease_even_if_nobody_has_taken_over(grant: Grant):
    before = len(grant.calls())
    victim = begin(grant, "the call is counted", signal.SIGSTOP)
    time.sleep(LEASE * 0.6)
    thaw(victim)
    assert "came to its end before the call" in victim.answer()
    assert len(grant.calls()) == before
    assert grant.inside.do("ask", **grant.key).startswith("sat_")
    assert len(grant.calls()) == before + 1


@pytest.mark.once
def test_t02_a_call_that_leaves_after_another_holder_has_minted_costs_one_mint(grant: Grant):
    """Nothing can keep a process from freezing between its last look and the first byte: its call ends the newer token."""
    before = len(grant.calls())
    victim = begin(grant, "the attempt is noted", signal.SIGSTOP)
    token = grant.inside.do("ask", **grant.key)
    thaw(victim)
    assert victim.answer() == token
    assert len(grant.calls()) == before + 2
    grant.check_works()
    assert len(grant.calls()) == before + 3


BEFORE_THE_CALL = ["the lease is taken", "the call is counted", "the attempt is noted"]
AFTER_IT = [UNDER_WAY, "the answer is in hand", "the row is written but not committed"]


@pytest.mark.parametrize("moment", [*(pytest.param(each, marks=ONCE) for each in (*BEFORE_THE_CALL, UNDER_WAY)), *AFTER_IT[1:]])
def test_t04_after_a_death_at_any_step_the_next_caller_succeeds(grant: Grant, moment: str):
    before = len(grant.calls())
    begin(grant, moment, signal.SIGKILL)
    died = time.monotonic()
    if moment == UNDER_WAY:
        until(lambda: len(grant.calls()) == before + 1, what="the platform's side of the call")
    row = grant.inside.do("state_of", **grant.tenant)
    assert row["state"] == "active"
    assert bool(row["attempted_at"]) == (moment not in BEFORE_THE_CALL[:2]), "whoever dies in the call leaves a trace"
    token = grant.inside.do("ask", **grant.key)
    assert token.startswith("sat_"), token
    assert time.monotonic() - died < LEASE + 3
    assert len(grant.calls()) == before + (1 if moment in BEFORE_THE_CALL else 2)
    assert grant.inside.do("state_of", **grant.tenant)["attempted_at"] is None
    grant.check_works()
