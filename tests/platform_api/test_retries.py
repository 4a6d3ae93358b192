"""How patient the client is by itself: only where once more cannot mean twice, and never at the same beat as others."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from portal.platform_api import errors
from portal.platform_api.retries import NEVER, Retries
from tests.platform_api.calls import CALLS
from tests.platform_api.world import World

READ = "users.all"
WRITE_THAT_REPEATS = "questionnaires.responses.update"
WRITE_THAT_DOES_NOT = "trust_center.access_requests.deny"


@pytest.fixture
def waits() -> list[float]:
    return []


@pytest.fixture
def patient(world: World, waits: list[float]) -> World:
    """A world whose client tries three times and whose waits take no time."""
    world.api = world.client(retries=Retries(attempts=3, sleep=waits.append, random=lambda: 1.0))
    world.trust_center = world.api.trust_center(world.tenant.slug_id)
    return world


@pytest.mark.parametrize("name", [READ, WRITE_THAT_REPEATS])
@pytest.mark.parametrize("status", [500, 502, 503, 504])
def test_what_may_be_repeated_is_repeated_until_it_works(patient: World, waits: list[float], name: str, status: int) -> None:
    patient.fail("status", value=status, times=2)
    CALLS[name](patient)
    assert waits == [0.5, 1.0]
    assert [call.attempt for call in patient.calls[-3:]] == [1, 2, 3]


def test_a_429_is_repeated_after_the_wait_that_it_names(patient: World, waits: list[float]) -> None:
    patient.fail("status", value=429, times=1)
    CALLS[WRITE_THAT_DOES_NOT](patient)
    assert waits == [1.0]


def test_a_429_that_names_no_wait_is_the_callers_for_the_rest_of_a_minute() -> None:
    error = errors.RateLimited("GET", "/users")
    assert error.retry_after == 60
    assert Retries().wait(error, attempt=1) is None


@pytest.mark.parametrize("status", [500, 503, 504])
def test_a_write_that_might_happen_twice_is_left_to_the_caller(patient: World, waits: list[float], status: int) -> None:
    patient.fail("status", value=status, times=1)
    with pytest.raises(errors.Unavailable):
        CALLS[WRITE_THAT_DOES_NOT](patient)
    assert waits == []


def test_a_write_that_was_never_sent_is_repeated(patient: World, waits: list[float]) -> None:
    tries = iter([errors.Unavailable("POST", "/oauth/token", status=503), None])
    real = patient.tokens.current

    def current() -> str:
        failure = next(tries, None)
        if failure:
            raise failure
        return real()

    patient.tokens.current = current  # type: ignore[method-assign]
    CALLS[WRITE_THAT_DOES_NOT](patient)
    assert waits == [0.5]


@pytest.mark.parametrize("status", [400, 403, 404, 409, 422])
def test_a_refusal_is_final(patient: World, waits: list[float], status: int) -> None:
    patient.fail("status", value=status, times=1)
    with pytest.raises(errors.PlatformError):
        CALLS[READ](patient)
    assert waits == []


def test_after_the_last_attempt_the_error_is_the_callers(patient: World, waits: list[float]) -> None:
    patient.fail("status", value=503, times=5)
    with pytest.raises(errors.Unavailable):
        CALLS[READ](patient)
    assert len(waits) == 2


def test_a_file_is_read_from_its_beginning_again(patient: World) -> None:
    """An attempt that failed has moved to the end of the file."""
    patient.fail("status", value=429, times=1)
    patient.api = patient.client(retries=Retries(attempts=2, longest_seconds=90, sleep=lambda _: None))
    contract = CALLS["contracts.create"](patient)
    assert contract.name == "agreement.pdf"


@pytest.mark.parametrize(("asked", "is_kept"), [(2.0, True), (8.0, True), (9.0, False)])
def test_the_wait_that_the_platform_asks_for_is_kept_if_it_is_short(asked: float, is_kept: bool) -> None:
    error = errors.RateLimited("GET", "/users", retry_after=asked)
    assert Retries().wait(error, attempt=1) == (asked if is_kept else None)


@given(st.floats(0, 1, exclude_max=True), st.integers(1, 40))
def test_a_wait_is_random_and_has_an_end(chance: float, attempt: int) -> None:
    retries = Retries(attempts=100, random=lambda: chance)
    error = errors.Unavailable("GET", "/users", is_idempotent=True)
    wait = retries.wait(error, attempt=attempt)
    assert wait is not None
    assert 0 <= wait <= retries.longest_seconds
    assert wait == pytest.approx(chance * min(8.0, 0.5 * 2 ** (attempt - 1)))


def test_unless_it_is_told_to_the_client_never_tries_again(world: World) -> None:
    world.fail("status", value=503, times=1)
    with pytest.raises(errors.Unavailable):
        world.api.users.all.page()
    assert NEVER.attempts == 1


def test_the_gate_is_asked_before_every_attempt_and_may_refuse(world: World) -> None:
    asked: list[str] = []

    def gate(bucket: str) -> None:
        asked.append(bucket)
        if len(asked) > 2:
            raise errors.RateLimited("GET", "", retry_after=5)

    api = world.client(gate=gate)
    world.fail("status", value=401, times=1)
    api.users.all.page()
    before = len(world.requests())
    with pytest.raises(errors.RateLimited):
        api.users.all.page()
    assert asked == ["management"] * 3
    assert len(world.requests()) == before
