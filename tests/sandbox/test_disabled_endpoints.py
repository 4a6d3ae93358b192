"""Platform-api 3.2: an endpoint that has taken nothing for five days is disabled, and what it missed can be recovered."""

from typing import Any

from tests.sandbox.platform import Platform

HOUR = 3600
DAY = 24 * HOUR


def state(platform: Platform, endpoint: dict[str, str]) -> dict[str, Any]:
    found = platform.control("GET", "/endpoints")
    return dict(next(each for each in found if each["endpoint_id"] == endpoint["endpoint_id"]))


def fail_daily(platform: Platform, days: int, *, status: int = 500) -> None:
    """Let an event happen every day, and every attempt that comes due meanwhile fail."""
    for _ in range(days * 4):
        platform.receiver.statuses = [status] * 100
        platform.fire("v1.trust-center.access-request.received")
        platform.sandbox.deliver_due()
        platform.sandbox.clock.advance(DAY // 4)
        platform.sandbox.deliver_due()
    platform.receiver.statuses = []


def test_after_five_days_of_failures_alone_it_is_disabled(platform: Platform) -> None:
    endpoint = platform.listen()
    fail_daily(platform, 4)
    assert state(platform, endpoint)["disabled"] is False
    assert state(platform, endpoint)["failing_since"] is not None
    fail_daily(platform, 2)
    found = state(platform, endpoint)
    assert (found["disabled"], found["disabled_by_platform"]) == (True, True)
    platform.receiver.received.clear()
    platform.fire("v1.trust-center.access-request.received")
    platform.sandbox.deliver_due()
    assert platform.receiver.received == []


def test_one_success_starts_the_time_anew(platform: Platform) -> None:
    endpoint = platform.listen()
    fail_daily(platform, 4)
    platform.fire("v1.trust-center.access-request.received")
    platform.sandbox.deliver_due()
    assert state(platform, endpoint)["failing_since"] is None
    fail_daily(platform, 4)
    assert state(platform, endpoint)["disabled"] is False


def test_enabled_again_it_gets_what_it_missed_when_somebody_recovers_it(platform: Platform) -> None:
    endpoint = platform.listen()
    fail_daily(platform, 6)
    missed = [platform.fire("v1.trust-center.access-request.received") for _ in range(3)]
    changed = platform.control("POST", f"/endpoints/{endpoint['endpoint_id']}", disabled=False)
    assert (changed["disabled"], changed["disabled_by_platform"], changed["failing_since"]) == (False, False, None)
    platform.receiver.received.clear()
    since = platform.control("GET", "/clock")["now"]
    count = platform.control("POST", f"/messages/{endpoint['endpoint_id']}/recover", since="2020-01-01T00:00:00Z", until=since)
    platform.sandbox.deliver_due()
    taken = {request.headers["hook-id"] for request in platform.receiver.received}
    assert set(missed) <= taken
    assert count["messages"] >= len(missed)


def test_what_a_person_disabled_is_not_said_to_be_the_platforms_doing(platform: Platform) -> None:
    endpoint = platform.listen()
    platform.control("POST", f"/endpoints/{endpoint['endpoint_id']}", disabled=True)
    found = state(platform, endpoint)
    assert (found["disabled"], found["disabled_by_platform"]) == (True, False)
