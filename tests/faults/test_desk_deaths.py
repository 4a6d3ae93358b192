"""W1, W3, W4: a process is killed in the middle of a bulk run, an intake or a decision; all is done, and nothing twice."""

import signal
from itertools import product

import pytest

from tests.faults.access_desk import SENDING
from tests.faults.desk import HANDING_IN, WORKING
from tests.faults.grants import Grant
from tests.faults.house import ON_SERVICES, control

pytestmark = [pytest.mark.faults]

DEATHS = 2 if ON_SERVICES else 1
"""At each moment."""


@pytest.fixture
def desk(grant: Grant) -> Grant:
    """A grant whose questionnaires are mirrored, over a platform without a limit."""
    control(grant.platform, "POST", "/limits", management=None)
    for row in objects(grant):
        grant.inside.do("mark", **grant.tenant, object_id=row["id"])
    grant.inside.do("fetch", **grant.tenant)
    return grant


def objects(grant: Grant) -> list[dict[str, str]]:
    return list(control(grant.platform, "GET", f"/objects/{grant.platform_id}/questionnaires"))


def arrived(grant: Grant, method: str, path: str = "/questionnaires") -> list[dict[str, str]]:
    """Return the writes that reached the platform."""
    calls = control(grant.platform, "GET", "/requests?since=0")
    return [call for call in calls if call["method"] == method and path in call["path"]]


def test_w04_a_bulk_run_whose_workers_die_changes_everything_and_nothing_twice(desk: Grant):
    inside, key = desk.inside, desk.tenant
    written = 0
    for number, (moment, death) in enumerate(product(WORKING, range(DEATHS))):
        before = len(arrived(desk, "PATCH"))
        run = {**key, "run_id": inside.do("begin_run", **key, days=number + 1)}
        assert inside.do("die_working", **run, moment=moment) == signal.SIGKILL, (moment, death)
        inside.do("pass_desk_time", **key)
        states = inside.do("work_on_run", **run)
        assert set(states) == {"done"}, (moment, death)
        written += len(states)
        assert len(arrived(desk, "PATCH")) - before == len(states), (moment, death)
        assert inside.do("entries", **key, action="questionnaire.due") == written, (moment, death)
    assert inside.do("entries", **key, action="questionnaire.bulk_end") == len(WORKING) * DEATHS


def test_w01_what_is_handed_in_by_a_process_that_dies_is_there_once_or_not_at_all(desk: Grant):
    inside, key = desk.inside, desk.tenant
    for moment, death in product(HANDING_IN, range(DEATHS)):
        name = f"Review {len(objects(desk))} {death} {moment}"
        assert inside.do("die_handing_in", **key, name=name, moment=moment) == signal.SIGKILL, (moment, death)
        inside.do("pass_desk_time", **key)
        inside.do("look_for_intakes", **key)
        inside.do("pass_desk_time", **key)
        inside.do("look_for_intakes", **key)
        there = [row["id"] for row in objects(desk) if row["displayName"] == name]
        if moment == "it is written down":
            assert (there, inside.do("intake_of", **key, name=name)) == ([], {"state": "absent", "questionnaire": ""})
        else:
            [questionnaire_id] = there
            made = {"state": "created", "questionnaire": questionnaire_id}
            assert inside.do("intake_of", **key, name=name) == made, (moment, death)
    assert len(arrived(desk, "POST")) == (len(HANDING_IN) - 1) * DEATHS


def test_w03_a_decision_whose_worker_dies_leaves_once_and_is_written_down_once(desk: Grant):
    inside, key = desk.inside, desk.tenant
    [slug] = [world["slugId"] for world in control(desk.platform, "GET", "/tenants") if world["tenant_id"] == desk.platform_id]
    for number, (moment, death) in enumerate(product(SENDING, range(DEATHS)), start=1):
        body = {"tenant_id": desk.platform_id, "type": "v1.trust-center.access-request.received"}
        control(desk.platform, "POST", "/events", **body)
        inside.do("copy_requests", **key, slug_id=slug)
        request_id = inside.do("approve_next", **key)
        assert inside.do("die_sending", **key, moment=moment) == signal.SIGKILL, (moment, death)
        inside.do("pass_lease", **key)
        inside.do("send_decisions", **key)
        ended = inside.do("decision_of", **key, platform_id=request_id)
        assert ended == {"state": "done", "outcome": "APPROVED"}, (moment, death)
        assert len(arrived(desk, "POST", "/access-requests/")) == number, (moment, death)
        assert inside.do("entries", **key, action="access_request.approve") == number, (moment, death)
