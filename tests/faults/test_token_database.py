"""The database goes away in the middle of a refresh, or comes back older than it was: no person is needed for either."""

import time

import pytest

from tests.faults.database import away, dump, restore
from tests.faults.grants import Grant
from tests.faults.house import ON_SERVICES, control

pytestmark = [pytest.mark.faults]

LEASE = 2.0


def test_t04_a_database_that_goes_away_in_mid_refresh_costs_one_mint(grant: Grant):
    before = len(grant.calls())
    grant.inside.do("shorten_lease", seconds=LEASE)
    if not ON_SERVICES:
        grant.inside.do("wait_for_locks", seconds=1)
    grant.fail("latency", value=1.5)
    grant.inside.start("ask", **grant.key)
    time.sleep(0.7)
    with away(grant.house):
        answer = grant.inside.answer()
        assert "OperationalError" in answer, answer
        assert "OperationalError" in grant.inside.do("ask", **grant.key)
    assert len(grant.calls()) == before + 1
    assert grant.inside.do("ask", **grant.key).startswith("sat_")
    assert len(grant.calls()) == before + 2
    grant.check_works()


@pytest.mark.parametrize(
    ("hours", "is_kept"),
    [pytest.param(2, True, id="in its three hours"), pytest.param(4, False, id="after them", marks=pytest.mark.once)],
)
def test_t05_a_restored_database_of_some_hours_ago_can_refresh(grant: Grant, hours: int, is_kept: bool):
    """The refresh token in the copy was used since; the platform takes it for three hours from then on."""
    dump(grant.house)
    assert grant.inside.do("ask", **grant.key).startswith("sat_")
    control(grant.platform, "POST", "/clock", advance_seconds=hours * 3600)
    grant.house.children.remove(grant.inside)
    grant.inside.kill()
    restore(grant.house)
    again = grant.another()
    answer = again.do("ask", **grant.key)
    assert answer.startswith("sat_") == is_kept, answer
    assert again.do("state_of", **grant.tenant)["state"] == ("active" if is_kept else "needs_reconnection")
    if is_kept:
        assert again.do("call_api", **grant.tenant) == 2
