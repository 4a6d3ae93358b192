"""T7: a 401 is answered with another token, exactly once, and a failure to get one is told apart from one of the call."""

import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

import pytest
import responses

from portal.platform_api import Platform, errors
from portal.platform_api.http import Bearer
from portal.platform_api.oauth import TokenAnswer
from tests.platform_api.calls import CALLS
from tests.platform_api.world import BASE_URL, Tokens, World

WORKERS = 20


@dataclass
class Stored:
    """A token source like the keeper's: the token is read again before one is minted, and minted by one at a time."""

    world: World
    token: str = ""
    mints: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)

    def current(self) -> str:
        return self.token or self.renew("")

    def renew(self, stale: str) -> str:
        with self.lock:
            if self.token == stale:
                self.token = self.world.mint()
                self.mints += 1
            return self.token


@dataclass
class Late(Stored):
    """The same, but it has handed out a token that another worker has replaced meanwhile."""

    handed: str = ""

    def current(self) -> str:
        return self.handed


def test_t7_a_token_that_another_worker_has_stored_is_used_and_none_is_minted(world: World) -> None:
    old = world.mint()
    world.sandbox.grants.suspend(application_id(world), token=old)
    stored = Late(world, handed=old, token=world.mint())
    world.client(tokens=stored).users.all.page()
    assert [call.status for call in world.calls] == [401, 200]
    assert stored.mints == 0


def application_id(world: World) -> str:
    return next(each.client_id for each in world.sandbox.applications.all() if each.type == "management")


def test_t7_a_mint_in_the_middle_of_twenty_calls_costs_each_of_them_one_retry(world: World) -> None:
    stored = Stored(world)
    api = world.client(tokens=stored)
    api.users.all.page()
    world.calls.clear()
    world.sandbox.grants.suspend(application_id(world), token=stored.token)
    start = threading.Barrier(WORKERS)

    def fetch(request_id: str) -> None:
        start.wait(10)
        api.trust_center(world.tenant.slug_id).access_requests.get(request_id)

    wanted = [world.ids("access-requests")[number % 2] for number in range(WORKERS)]
    with ThreadPoolExecutor(WORKERS) as pool:
        list(pool.map(fetch, wanted))
    assert stored.mints == 2
    statuses = [call.status for call in world.calls]
    assert statuses.count(200) == WORKERS
    assert 1 <= statuses.count(401) <= WORKERS
    assert {call.attempt for call in world.calls if call.status == 401} == {1}
    assert {call.attempt for call in world.calls} <= {1, 2}


def test_t7_a_post_is_safe_to_repeat_after_a_401_because_it_ran_nothing(world: World) -> None:
    request_id = world.id_of("access-requests")
    world.fail("status", value=401, times=1)
    world.trust_center.access_requests.approve(request_id)
    assert request_id not in world.ids("access-requests")
    assert [call.status for call in world.calls] == [401, 204]


@pytest.mark.parametrize("status", [403, 404, 409, 429, 500, 503])
@pytest.mark.parametrize("name", ["users.all", "trust_center.access_requests.deny"])
def test_t7_nothing_but_a_401_is_sent_again(world: World, name: str, status: int) -> None:
    world.fail("status", value=status)
    with pytest.raises(errors.PlatformError):
        CALLS[name](world)
    assert len(world.requests()) == 1
    assert world.tokens.refused == []


def test_t7_what_comes_after_the_second_token_counts(world: World) -> None:
    world.fail("status", value=401, times=1)
    world.fail("status", value=503, times=1)
    with pytest.raises(errors.Unavailable) as caught:
        world.trust_center.access_requests.deny(world.id_of("access-requests"))
    assert caught.value.sent
    assert len(world.tokens.refused) == 1
    assert len(world.requests()) == 2


class NoToken(Exception):
    """What a keeper of tokens may raise: not an error of the platform."""


@pytest.mark.parametrize("moment", ["current", "renew"])
@pytest.mark.parametrize(
    "fault",
    [
        errors.Unavailable("POST", "/oauth/token", status=503),
        errors.RateLimited("POST", "/oauth/token", status=429),
        errors.InvalidGrant("POST", "/oauth/token", status=400),
        NoToken("disconnected"),
    ],
    ids=lambda fault: type(fault).__name__,
)
def test_w1_without_a_token_nothing_was_sent(world: World, moment: str, fault: Exception) -> None:
    request_id = world.id_of("access-requests")
    tokens = Tokens(world.mint)

    def fail(*_arguments: str) -> str:
        raise fault

    setattr(tokens, moment, fail)
    world.fail("status", value=401)
    with pytest.raises(type(fault)) as caught:
        world.client(tokens=tokens).trust_center(world.tenant.slug_id).access_requests.approve(request_id)
    assert caught.value is fault
    assert not getattr(fault, "sent", False)
    assert request_id in world.ids("access-requests")
    assert len(world.requests()) == (1 if moment == "renew" else 0)


def test_a_source_that_has_nothing_else_is_asked_once(world: World) -> None:
    world.fail("status", value=401)
    stubborn = Tokens(lambda: "the-same")
    with pytest.raises(errors.AuthenticationFailed):
        world.client(tokens=stubborn).users.all.page()
    assert stubborn.refused == ["the-same"]


def test_s6_a_token_that_the_platform_repeats_is_in_no_error(wire: responses.RequestsMock) -> None:
    api = Platform(BASE_URL, tokens=Tokens(lambda: "token-of-acme"))
    for status in (400, 401, 403, 404, 409, 429, 500):
        wire.upsert(wire.GET, f"{BASE_URL}/v1/users", json={"message": "token-of-acme is bad"}, status=status)
        with pytest.raises(errors.PlatformError) as caught:
            api.users.all.page()
        assert "token-of-acme" not in repr(vars(caught.value)) + str(caught.value)


def test_s6_no_repr_on_the_way_shows_the_token() -> None:
    tokens = TokenAnswer(access_token="token-of-acme", refresh_token="refresh-of-acme", expires_in=1)
    assert "of-acme" not in f"{tokens!r} {tokens} {Bearer('token-of-acme')!r} {[Bearer('token-of-acme')]}"
