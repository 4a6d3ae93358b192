"""O14: the last release is upgraded under load, step by step as docs/operating.md says; data, work and people go on."""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.faults.children import Inside
from tests.faults.database import count_rows
from tests.faults.grants import A_MINUTE
from tests.faults.house import CODE, House, control
from tests.faults.load import Load
from tests.faults.person import Person
from tests.faults.release import take_out
from tests.support.polls import until

pytestmark = [pytest.mark.faults, pytest.mark.long]

SIDE_BY_SIDE = 60
"""So many seconds workers of both releases work beside each other."""
SEED = {
    "region": "eu",
    "questionnaires": 6,
    "responses_per_questionnaire": 4,
    "access_requests": 4,
    "viewers": 3,
    "contracts": 2,
    "seed": 14,
}
WORKED_OFF = {"work_items_change", "work_items_workitem", "sync_stalemark", "sync_unseenrow", "connections_callwindow"}
"""What is to be done, and what has just been counted: it becomes less by itself. Every other table keeps its rows."""


@pytest.fixture
def released(tmp_path: Path) -> Iterator[House]:
    """A house whose tables and processes are those of the last release."""
    house = House(tmp_path / "house", code=take_out(tmp_path / "release"))
    try:
        house.build()
        yield house
    finally:
        house.tear_down()


@dataclass
class Desk:
    """A connected tenant, and a process of the last release that looks after it."""

    house: House
    platform: str
    platform_id: str
    inside: Inside
    key: dict[str, int]
    person: Person

    def there(self) -> dict[str, set[str]]:
        kinds = ("questionnaires", "access-requests", "viewers")
        path = f"/objects/{self.platform_id}/"
        return {kind: {row["id"] for row in control(self.platform, "GET", path + kind)} for kind in kinds}

    def is_copied(self) -> bool:
        """Say whether everything of the platform is here, a minute later than the last time."""
        # Every lease ends with it: who works has to have the time to come to an end.
        time.sleep(2)
        control(self.platform, "POST", "/clock", advance_seconds=A_MINUTE)
        self.inside.do("pass_time", **self.key)
        self.inside.do("ring", **self.key, times=1)
        here = self.inside.do("mirror", **self.key)
        return all(here[kind].keys() == ids for kind, ids in self.there().items())


def open_desk(house: House, platform: str) -> Desk:
    """Connect a tenant of some size with the code that the house has now."""
    inside = house.inside(PLATFORM_API_URL=platform)
    there = control(platform, "POST", "/tenants", name="Upgraded", **SEED)
    tenant = inside.do("new_tenant", name="Upgraded")
    key = {"tenant_id": tenant["tenant_id"]}
    inside.do("connect", **key, user_id=tenant["user_id"], platform_id=there["tenant_id"])
    inside.do("copy_requests", **key, slug_id=there["slugId"])
    person = Person(house, "upgraded", inside.do("sign_in", user_id=tenant["user_id"]))
    return Desk(house, platform, there["tenant_id"], inside, key, person)


def check_work_goes_on(load: Load, inside: Inside, key: dict[str, int]) -> None:
    """What is delivered from now on is taken and worked on, by whoever is there."""
    before = len(load.acknowledged)
    until(lambda: len(load.acknowledged) > before + 10, seconds=60, what="deliveries")
    later = load.acknowledged[before : before + 10]
    until(lambda: {inside.do("deliveries", **key).get(hook_id) for hook_id in later} == {"done"}, seconds=60, what="the work")


def test_o14_an_upgrade_of_the_last_release_under_load_keeps_data_work_and_people(released: House):
    house = released
    with house.sandbox("upgrade") as platform:
        desk = open_desk(house, platform)
        loaded = desk.inside.do("new_tenant", name="Loaded")
        key = {"tenant_id": loaded["tenant_id"]}
        web, worker = house.web(PLATFORM_API_URL=platform), house.worker(clock=True, PLATFORM_API_URL=platform)
        until(desk.is_copied, seconds=120, what="a copy of the platform")
        pages, rows = desk.person.look_around(), count_rows(house)
        with Load(house, loaded["path"], clients=2, pause=0.4) as load:
            house.code = CODE
            house.migrate()
            # The old code alone, over the new tables.
            check_work_goes_on(load, desk.inside, key)
            desk.person.check_sees(pages)
            house.worker(clock=True, PLATFORM_API_URL=platform)
            time.sleep(SIDE_BY_SIDE / 2)
            web.end()
            house.web(PLATFORM_API_URL=platform)
            time.sleep(SIDE_BY_SIDE / 2)
            worker.end()
            assert worker.process.returncode == 0
            run_id = begin_run(desk)
            check_work_goes_on(load, desk.inside, key)
        check_settled(house.inside(PLATFORM_API_URL=platform), key, load)
        check_run_ends(desk, run_id)
        desk.person.check_sees(pages)
        now = count_rows(house)
        assert not {name: (rows[name], now.get(name)) for name in rows.keys() - WORKED_OFF if now.get(name, 0) < rows[name]}


def begin_run(desk: Desk) -> int:
    """Begin something in the old code that the new one has to finish."""
    return int(desk.inside.do("begin_run", **desk.key, days=30))


def check_run_ends(desk: Desk, run_id: int) -> None:
    """The platform has for every questionnaire the day that the run gives it."""

    def days() -> set[str]:
        desk.is_copied()
        path = f"/objects/{desk.platform_id}/questionnaires"
        return {row.get("dueDate", "") for row in control(desk.platform, "GET", path)}

    until(lambda: len(found := days()) == 1 and "" not in found, seconds=90, what=f"the end of run {run_id}")


def check_settled(inside: Inside, key: dict[str, int], load: Load) -> None:
    until(lambda: not inside.do("waiting", **key), seconds=90, what="the rest")
    states = inside.do("deliveries", **key)
    assert set(load.acknowledged) <= states.keys()
    assert set(states.values()) == {"done"}
    effects = inside.do("effects", **key)
    assert (len(effects), set(effects.values())) == (len(states), {1})
