"""A disconnect in the middle of a refresh: what the platform answers afterwards dies there as well."""

import time

import pytest
import requests

from tests.faults.grants import Grant, check_budget

pytestmark = [pytest.mark.faults, pytest.mark.once]


def test_t10_a_disconnect_during_a_refresh_leaves_no_token(grant: Grant):
    before, refreshing = len(grant.calls()), grant.another()
    grant.fail("latency", value=1.5)
    refreshing.start("ask", **grant.key)
    time.sleep(0.7)
    grant.inside.do("cut", **grant.tenant)
    assert "NotConnected" in refreshing.answer()
    tokens = grant.inside.do("suspended_tokens", **grant.tenant)
    assert len(tokens) == 4, "both of before, and both of the late answer"
    assert 200 in {status_of(grant, token) for token in tokens}, "the late access token is good until it is suspended"
    while any(grant.inside.do("suspended_tokens", **grant.tenant)):
        assert grant.inside.do("serve"), "a suspension that waits is served as soon as there is a call"
        grant.pass_minute()
    assert {status_of(grant, token) for token in tokens} == {401}
    suspended = [call["status"] for call in grant.calls()[before:] if "suspend" in call["path"]]
    assert suspended == [200] * 4
    check_budget(grant.calls())
    assert grant.inside.do("serve") == 0


def status_of(grant: Grant, token: str) -> int:
    headers = {"Authorization": f"Bearer {token}"}
    return requests.get(f"{grant.platform}/v1/customer-trust/questionnaires", headers=headers, timeout=20).status_code
