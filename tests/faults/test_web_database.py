"""The database is gone or does not answer: the platform is told to try again, soon, and all is well when it is back."""

import time

import pytest

from tests.faults.database import away
from tests.faults.house import House, seconds_of

pytestmark = [pytest.mark.faults]

SLOWEST_ANSWER = 7.0
"""Six seconds are the promise (guarantee H5); one more is for processors that other tests have busy."""
WELL_AGAIN_WITHIN = 5.0


def test_h05_without_a_database_the_answer_is_503_and_soon_and_the_first_after_it_is_204(house: House):
    inside = house.inside()
    tenant = inside.do("new_tenant", name="Databaseless")
    path = tenant["path"]
    inside.kill()
    house.web()
    assert house.post(path, "msg_before", "q1") == 204
    statuses: list[int] = []
    with away(house):
        for number in range(4):
            taken = seconds_of(lambda number=number: statuses.append(house.post(path, f"msg_during_{number}", "q1")))
            assert taken < SLOWEST_ANSWER
    assert set(statuses) == {503}
    back = time.monotonic()
    # Without a restart, and without one more failure for each connection of before.
    while (status := house.post(path, "msg_after", "q1")) != 204:
        assert status == 503
        assert time.monotonic() - back < WELL_AGAIN_WITHIN
    assert {house.post(path, f"msg_again_{number}", "q1") for number in range(20)} == {204}
    kept = house.inside().do("deliveries", tenant_id=tenant["tenant_id"])
    assert "msg_after" in kept
    assert not any(name.startswith("msg_during") for name in kept)
