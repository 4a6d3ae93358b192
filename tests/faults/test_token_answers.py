"""Answers of the token endpoint that never arrive, or say something else than what was done: nobody is disconnected by them."""

import time
from typing import Any

import pytest

from tests.faults.grants import Grant
from tests.support.polls import until

pytestmark = [pytest.mark.faults, pytest.mark.once]

TIMEOUT = 10.0
"""Seconds that the client waits for an answer."""


@pytest.mark.parametrize(
    ("kind", "options"),
    [("drop_answer", {}), ("status_after_work", {"value": 500}), ("html", {}), ("refuse_connection", {})],
    ids=["lost after the platform rotated", "500 after minting", "a page with 200", "cut before any work"],
)
def test_t06_an_unusable_answer_leaves_the_grant_and_makes_the_token_suspect(grant: Grant, kind: str, options: dict[str, Any]):
    before = len(grant.calls())
    grant.inside.do("expire", **grant.tenant, left=30)
    grant.fail(kind, **options)
    assert "Unavailable" in (failed := grant.inside.do("ask", **grant.key)) or "UnexpectedAnswer" in failed
    row = grant.inside.do("state_of", **grant.tenant)
    assert (row["state"], row["access_expires_at"], row["failures"]) == ("active", None, 1)
    assert grant.inside.do("ask", **grant.key).startswith("sat_")
    assert grant.inside.do("state_of", **grant.tenant)["failures"] == 0
    assert len(grant.calls()) == before + 2
    grant.check_works()
    assert len(grant.calls()) == before + 2


def test_t06_an_answer_that_comes_after_the_time_out_costs_one_mint(grant: Grant):
    """The platform works on after the client has given up, and what it mints then ends the token that was fetched meanwhile."""
    before, started = len(grant.calls()), time.monotonic()
    grant.fail("latency", value=TIMEOUT + 4)
    assert "Unavailable" in grant.inside.do("ask", **grant.key)
    assert TIMEOUT - 1 < time.monotonic() - started < TIMEOUT + 3
    assert grant.inside.do("state_of", **grant.tenant)["state"] == "active"
    assert grant.inside.do("ask", **grant.key).startswith("sat_")
    until(lambda: len(grant.calls()) == before + 2, what="the late mint")
    grant.check_works()
    assert len(grant.calls()) == before + 3
