"""Q3: a worker is frozen past its lease, another one does its work, and when it goes on it has no say any more."""

import pytest

from tests.faults.grants import Grant, thaw, wait_until_frozen
from tests.faults.house import House, control
from tests.faults.test_deaths import change, whole

pytestmark = [pytest.mark.faults]


@pytest.mark.parametrize(
    "tried",
    [pytest.param(False, id="a new batch", marks=pytest.mark.once), pytest.param(True, id="one that was tried before")],
)
def test_q03_deliveries_of_a_frozen_worker_are_handled_once(house: House, tried: bool):
    inside, frozen = house.inside(), house.inside()
    key = {"tenant_id": inside.do("new_tenant", name=f"Frozen{tried}")["tenant_id"]}
    objects = [f"q{number}" for number in range(5)]
    inside.do("put", **key, object_ids=objects, tried=tried)
    frozen.start("handle_and_stop", **key, moment="a further try is counted" if tried else "the deliveries are claimed")
    wait_until_frozen(frozen)
    assert inside.do("handle", **key) == 0, "its lease holds"
    inside.do("pass_time", **key)
    assert inside.do("handle", **key) == 5
    assert whole(inside, key) == {*objects}
    thaw(frozen)
    assert frozen.answer() == 5
    assert whole(inside, key) == {*objects}


def test_q03_what_a_frozen_worker_had_fetched_is_refused(grant: Grant):
    inside, frozen, key = grant.inside, grant.another(), grant.tenant
    there = control(grant.platform, "GET", f"/objects/{grant.platform_id}/questionnaires")[0]
    one = {**key, "object_id": there["id"]}
    inside.do("mark", **one)
    frozen.start("fetch_and_stop", **key, moment="the answer is in hand")
    wait_until_frozen(frozen)
    assert inside.do("fetch", **key) == [], "its lease holds"
    status = change(grant, there["id"])
    inside.do("pass_time", **key)
    assert inside.do("fetch", **key) == ["changed"]
    after = inside.do("shown", **one)
    assert after == {"status": status, "is_waiting": False, "told": after["told"]}
    thaw(frozen)
    assert frozen.answer() == ["lost"]
    assert inside.do("shown", **one) == after
