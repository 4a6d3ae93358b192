"""W1: a process is killed at every step from a file to a contract with its text; all of them are there, and none twice."""

import signal
from collections import Counter

import pytest

from tests.faults.contract_desk import REMOVING, UPLOADING
from tests.faults.grants import Grant
from tests.faults.house import control

pytestmark = [pytest.mark.faults]

SIXTY = [f"killed-{number:02}" for number in range(60)]
MAX_TURNS = 40


@pytest.fixture
def desk(grant: Grant) -> Grant:
    """A grant over a platform without a limit: the deaths are what is tried here, not the limits."""
    control(grant.platform, "POST", "/limits", management=None, contracts=None)
    return grant


def there(grant: Grant) -> Counter[str]:
    rows = control(grant.platform, "GET", f"/objects/{grant.platform_id}/contracts")
    return Counter(row["externalId"] for row in rows if row["externalId"] in SIXTY)


def work(grant: Grant) -> dict[str, int]:
    grant.inside.do("pass_contract_time", **grant.tenant)
    states: dict[str, int] = grant.inside.do("work_on_contracts", **grant.tenant)
    return states


def test_w01_sixty_contracts_whose_workers_die_are_there_once_with_their_text(desk: Grant):
    inside, key = desk.inside, desk.tenant
    assert inside.do("take_contracts", **key, names=SIXTY) == len(SIXTY)
    for moment in UPLOADING:
        inside.do("pass_contract_time", **key)
        assert inside.do("die_over_contracts", **key, moment=moment) == signal.SIGKILL, moment
        assert inside.do("take_contracts", **key, names=SIXTY) == 0, moment
    for _ in range(MAX_TURNS):
        if work(desk) == {"done": len(SIXTY)}:
            break
    work(desk)
    assert there(desk) == dict.fromkeys(SIXTY, 1)
    assert {name: pages for name, pages in inside.do("contracts_here", **key).items() if name in SIXTY} == dict.fromkeys(
        SIXTY, 1
    )
    assert inside.do("contract_files", **key) == 0


def test_w01_a_removal_whose_worker_dies_is_carried_out(desk: Grant):
    inside, key = desk.inside, desk.tenant
    names = SIXTY[: len(REMOVING)]
    inside.do("take_contracts", **key, names=names)
    for _ in range(MAX_TURNS):
        if set(work(desk)) <= {"done"}:
            break
    for name, moment in zip(names, REMOVING, strict=True):
        inside.do("ask_removal", **key, external_id=name)
        inside.do("pass_contract_time", **key)
        assert inside.do("die_over_contracts", **key, moment=moment) == signal.SIGKILL, moment
        work(desk)
        assert name not in there(desk), moment
        # Whoever goes on is told that there is no such contract: it is believed after the mirror's second look.
        inside.do("look_for_missing", **key)
        work(desk)
        assert name not in inside.do("contracts_here", **key), moment
