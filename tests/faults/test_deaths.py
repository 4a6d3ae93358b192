"""Q2 and Q6: a process is killed at a named moment of the drain, again and again, and nothing is half done."""

import signal
from itertools import product

import pytest

from tests.faults.children import Inside
from tests.faults.grants import Grant
from tests.faults.house import House, control
from tests.faults.mortal import FETCHING, HANDLING
from tests.support.sizes import LIMIT, size

pytestmark = [pytest.mark.faults, LIMIT]

DEATHS = size(3, whole=50)
"""At each moment."""


@pytest.fixture
def inside(house: House) -> Inside:
    return house.inside()


def whole(inside: Inside, key: dict[str, int]) -> set[str]:
    """Check that an object was marked, and once, exactly where its delivery is done; return the objects that were."""
    done = {hook_id for hook_id, state in inside.do("states", **key) if state == "done"}
    effects = inside.do("effects", **key)
    assert effects == dict.fromkeys(done, 1)
    return done


def test_q02_a_death_at_any_moment_of_handling_leaves_nothing_half_done(inside: Inside):
    key = {"tenant_id": inside.do("new_tenant", name="Deaths")["tenant_id"]}
    told: set[str] = set()
    for moment, death in product(HANDLING, range(DEATHS)):
        before, new = len(told), [f"{len(told)}{letter}" for letter in "abc"]
        told |= {*new}
        inside.do("put", **key, object_ids=new, tried=moment == "a further try is counted")
        assert inside.do("die_handling", **key, moment=moment) == signal.SIGKILL, (moment, death)
        assert len(whole(inside, key)) == (len(told) if moment == "the batch is committed" else before), (moment, death)
        inside.do("pass_time", **key)
        inside.do("handle", **key)
        assert whole(inside, key) == told, (moment, death)


def test_q02_a_death_at_any_moment_of_a_fetch_leaves_nothing_half_done(grant: Grant):
    inside, key = grant.inside, grant.tenant
    control(grant.platform, "POST", "/limits", management=None)
    there = control(grant.platform, "GET", f"/objects/{grant.platform_id}/questionnaires")[0]
    one = {**key, "object_id": there["id"]}
    inside.do("mark", **one)
    inside.do("fetch", **key)
    for moment, death in product(FETCHING, range(DEATHS)):
        before = inside.do("shown", **one)
        status = change(grant, there["id"])
        inside.do("mark", **one)
        assert inside.do("die_fetching", **key, moment=moment) == signal.SIGKILL, (moment, death)
        is_committed = moment == "the fetch is committed"
        fetched = {"status": status, "is_waiting": False, "told": before["told"] + 1}
        assert inside.do("shown", **one) == (fetched if is_committed else before | {"is_waiting": True}), (moment, death)
        inside.do("pass_time", **key)
        assert inside.do("fetch", **key) == ([] if is_committed else ["changed"]), (moment, death)
        assert inside.do("shown", **one) == fetched, (moment, death)


def change(grant: Grant, questionnaire_id: str) -> str:
    """Have the platform change a questionnaire; return its status."""
    event = {"tenant_id": grant.platform_id, "type": "v1.questionnaire.status-changed", "object_id": questionnaire_id}
    control(grant.platform, "POST", "/events", **event)
    rows = control(grant.platform, "GET", f"/objects/{grant.platform_id}/questionnaires")
    return next(str(row["status"]) for row in rows if row["id"] == questionnaire_id)


def test_q06_a_delivery_that_kills_its_worker_is_set_aside_and_its_neighbours_are_done(inside: Inside):
    key = {"tenant_id": inside.do("new_tenant", name="Poisoned")["tenant_id"]}
    neighbours = [f"q{number}" for number in range(20)]
    inside.do("put", **key, object_ids=[*neighbours[:10], "poison", *neighbours[10:]])
    deaths = 0
    while inside.do("waiting", **key):
        deaths += inside.do("handle_poison", **key, object_id="poison") == signal.SIGKILL
        assert deaths <= inside.do("most_attempts")
        if deaths == 3:
            # It took neighbours along with the batch, and in its turn among those tried alone; since then it is the last.
            assert whole(inside, key) == {*neighbours}
        inside.do("pass_time", **key)
    assert deaths == inside.do("most_attempts")
    assert dict(inside.do("states", **key)) == dict.fromkeys(neighbours, "done") | {"poison": "dead"}
    assert whole(inside, key) == {*neighbours}
