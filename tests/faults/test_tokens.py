"""The token keeper over real processes: one mint for all callers, and no death between answer and commit locks a tenant out."""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from tests.faults.house import House, Inside, control, token_calls
from tests.support.waiting import until

pytestmark = [pytest.mark.faults, pytest.mark.xdist_group("faults")]

PROCESSES, THREADS = 2, 20


@dataclass(frozen=True)
class Grant:
    """A connected tenant whose access token has just run out."""

    house: House
    platform: str
    inside: Inside
    key: dict[str, int]

    @property
    def environment(self) -> dict[str, str]:
        return {"PLATFORM_API_URL": self.platform}

    def another(self) -> Inside:
        return self.house.inside(**self.environment)


@pytest.fixture
def grant(house: House, request: Any) -> Iterator[Grant]:
    name = "".join(character for character in request.node.name if character.isalnum())[:60]
    with house.sandbox(name) as platform:
        inside = house.inside(PLATFORM_API_URL=platform)
        tenant = inside.do("new_tenant", name=name)
        world = control(platform, "POST", "/tenants", name=name, region="eu", questionnaires=2, seed=1)
        key = {"tenant_id": tenant["tenant_id"]}
        connection_id = inside.do("connect", **key, user_id=tenant["user_id"], platform_id=world["tenant_id"])
        inside.do("expire", **key)
        yield Grant(house, platform, inside, key | {"connection_id": connection_id})


def test_t01_many_callers_in_several_processes_cause_one_call(grant: Grant):
    before = token_calls(grant.platform)
    processes = [grant.inside, *(grant.another() for _ in range(PROCESSES - 1))]
    for process in processes:
        process.do("is_up")
    at = time.time() + 0.5
    for process in processes:
        process.start("ask_token", **grant.key, threads=THREADS, at=at)
    tokens = [token for process in processes for token in process.answer()]
    assert len(tokens) == PROCESSES * THREADS
    assert len(set(tokens)) == 1, set(tokens)
    assert token_calls(grant.platform) == before + 1


@pytest.mark.parametrize("moment", ["with the answer in hand", "while the call is under way"])
def test_t04_after_a_death_before_the_commit_the_next_caller_succeeds(grant: Grant, moment: str):
    before = token_calls(grant.platform)
    victim = grant.another()
    victim.do("is_up")
    if moment == "with the answer in hand":
        victim.start("ask_token_and_die", **grant.key)
        victim.process.wait(20)
    else:
        control(grant.platform, "POST", "/faults", kind="latency", path="/oauth/token", value=3, times=1)
        victim.start("ask_token", **grant.key, threads=1, at=0)
        time.sleep(1.5)
        victim.kill()
    until(lambda: token_calls(grant.platform) == before + 1, what="the platform's side of the call")
    grant.inside.do("pass_lease", tenant_id=grant.key["tenant_id"])
    (token,) = grant.inside.do("ask_token", **grant.key, threads=1, at=0)
    assert token_calls(grant.platform) == before + 2
    assert grant.another().do("ask_token", **grant.key, threads=1, at=0) == [token]
    assert grant.inside.do("call_api", tenant_id=grant.key["tenant_id"]) == 2
