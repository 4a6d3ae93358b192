"""W5: workers that write beside each other stay within the platform's limits, as the platform counts."""

from collections import Counter
from collections.abc import Iterator

import pytest

from tests.faults.grants import A_MINUTE, Grant, grants, name_of
from tests.faults.house import House, control
from tests.support.polls import until
from tests.support.sizes import LIMIT, size

pytestmark = [pytest.mark.faults, pytest.mark.once]

QUESTIONS = size(50, whole=250)
"""Of each of two questionnaires."""
WORKERS = RUNS = 2


@pytest.fixture
def desk(house: House) -> Iterator[Grant]:
    """A grant whose questions are mirrored, at the beginning of a minute of its platform."""
    with grants(house, name_of("limits"), responses_per_questionnaire=QUESTIONS) as (grant,):
        control(grant.platform, "POST", "/limits", management=None)
        for row in control(grant.platform, "GET", f"/objects/{grant.platform_id}/questionnaires"):
            grant.inside.do("mark", **grant.tenant, object_id=row["id"])
        grant.inside.do("fetch", **grant.tenant)
        grant.inside.do("fetch", **grant.tenant, kind="responses")
        grant.inside.do("put_comparisons_off", **grant.tenant)
        control(grant.platform, "POST", "/limits", management=50)
        yield grant


def writes(desk: Grant) -> list[dict[str, str]]:
    calls = control(desk.platform, "GET", "/requests?since=0")
    return [call for call in calls if call["method"] == "PATCH" and "/responses/" in call["path"]]


@LIMIT
def test_w5_two_workers_give_every_question_away_and_no_call_is_refused(desk: Grant):
    owner = next(row for row in control(desk.platform, "GET", f"/objects/{desk.platform_id}/users") if row["isActive"])
    for _ in range(WORKERS):
        desk.house.worker(clock=True, PLATFORM_API_URL=desk.platform)
    desk.inside.do("begin_giving_away", **desk.tenant, owner_id=owner["id"], runs=RUNS)
    minutes, progress = 0, [0]
    while (runs := settled(desk))["left"]:
        progress.append(runs.get("done", 0))
        minutes += 1
        control(desk.platform, "POST", "/clock", advance_seconds=A_MINUTE)
        desk.inside.do("go_on_with_runs", **desk.tenant)
    assert runs == {"left": 0, "paused": 0, "done": 2 * QUESTIONS}
    assert minutes >= 2 * QUESTIONS // 50, "nobody was held up: the limits were not tried"
    assert progress == sorted(progress)
    written = Counter(call["path"] for call in writes(desk))
    assert (len(written), {*written.values()}) == (2 * QUESTIONS, {1})
    assert 429 not in {call["status"] for call in control(desk.platform, "GET", "/requests?since=0")}


def settled(desk: Grant) -> dict[str, int]:
    """Wait until every run is over or waits for the next minute; return how they stand."""

    def runs() -> dict[str, int] | None:
        found: dict[str, int] = desk.inside.do("runs_of", **desk.tenant)
        return found if found["left"] == found["paused"] else None

    return until(runs, seconds=90, what="a minute that is used up")
