"""T12: keys are rotated as docs/tokens.md says, while people look, events come and tokens run out; nobody notices."""

import base64
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
import requests

from tests.faults.children import Child, Inside
from tests.faults.grants import A_MINUTE
from tests.faults.house import CODE, House, control
from tests.faults.load import Load
from tests.support.polls import until

pytestmark = [pytest.mark.faults, pytest.mark.once]

OLD, NEW = (base64.b64encode(letter * 32).decode() for letter in (b"o", b"n"))
QUESTIONNAIRES = 2


@pytest.fixture
def own_house(tmp_path: Path) -> Iterator[House]:
    """One that nobody shares: what it has sealed is opened by no key of the others in the end."""
    house = House(tmp_path)
    house.environment["FIELD_ENCRYPTION_KEYS"] = OLD
    try:
        house.build()
        yield house
    finally:
        house.tear_down()


class Looking:
    """Somebody who was signed in before the keys changed, and opens a page again and again."""

    def __init__(self, house: House, cookie: str) -> None:
        self.statuses: list[int] = []
        self._page, self._cookies = f"{house.url}/t/rotated/settings/connection/", {"sessionid": cookie}
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._look)

    def __enter__(self) -> "Looking":
        self._thread.start()
        return self

    def __exit__(self, *exception: object) -> None:
        self._is_over.set()
        self._thread.join()

    def _look(self) -> None:
        while not self._is_over.wait(0.3):
            try:
                answer = requests.get(self._page, cookies=self._cookies, allow_redirects=False, timeout=20)
                self.statuses.append(answer.status_code)
            except requests.ConnectionError:
                time.sleep(0.05)  # one web process has ended and the next is not there yet: a proxy would wait


@dataclass
class Site:
    """A connected tenant, and the processes that serve it; each keeps the keys that it was started with."""

    house: House
    platform: str
    tenant: dict[str, int]
    user_id: int
    path: str
    web: Child
    worker: Child
    inside: Inside

    def start(self) -> Inside:
        return self.house.inside(PLATFORM_API_URL=self.platform)

    def roll(self, *keys: str) -> None:
        """Start one process after the other anew with these keys; what either seals meanwhile, the others open."""
        self.house.environment["FIELD_ENCRYPTION_KEYS"] = ",".join(keys)
        before, self.inside = self.inside, self.start()
        for mints, reads in ((self.inside, before), (before, self.inside)):
            self.pass_minute()
            mints.do("expire", **self.tenant)
            for process in (mints, reads):
                assert process.do("call_api", **self.tenant) == QUESTIONNAIRES
        before.end()
        worker, self.worker = self.worker, self.house.worker(clock=True, PLATFORM_API_URL=self.platform)
        worker.end()
        self.web.end()
        self.web = self.house.web(PLATFORM_API_URL=self.platform)

    def pass_minute(self) -> None:
        control(self.platform, "POST", "/clock", advance_seconds=A_MINUTE)
        self.inside.do("pass_minute")

    def manage(self, *command: str) -> str:
        run = [sys.executable, "manage.py", *command]
        done = subprocess.run(run, cwd=CODE, env=self.house.environment, capture_output=True, text=True, check=True)
        return done.stdout + done.stderr


@pytest.fixture
def site(own_house: House) -> Iterator[Site]:
    with own_house.sandbox("rotation") as platform:
        there = control(platform, "POST", "/tenants", name="Rotated", region="eu", questionnaires=QUESTIONNAIRES, seed=12)
        inside = own_house.inside(PLATFORM_API_URL=platform)
        made = inside.do("new_tenant", name="Rotated")
        inside.do("connect", tenant_id=made["tenant_id"], user_id=made["user_id"], platform_id=there["tenant_id"])
        processes = own_house.web(PLATFORM_API_URL=platform), own_house.worker(clock=True, PLATFORM_API_URL=platform)
        yield Site(own_house, platform, {"tenant_id": made["tenant_id"]}, made["user_id"], made["path"], *processes, inside)


def test_t12_keys_are_rotated_under_load_and_the_old_one_can_go(site: Site):
    person = site.inside.do("sign_in", user_id=site.user_id)
    with Load(site.house, site.path, clients=2, pause=0.2) as load:
        with Looking(site.house, person) as looking:
            site.roll(OLD, NEW)
            site.roll(NEW, OLD)
            site.manage("reseal")
        site.roll(NEW)
        before = len(load.acknowledged)
        until(lambda: len(load.acknowledged) > before + 10, what="deliveries with the new key alone")
    assert set(looking.statuses) == {200}
    assert load.refused == 0
    assert "no issues" in site.manage("check", "--database", "default", "--fail-level", "WARNING")
    until(lambda: not site.inside.do("waiting", **site.tenant), seconds=90, what="the rest")
    states = site.inside.do("deliveries", **site.tenant)
    assert set(load.acknowledged) <= states.keys()
    assert set(states.values()) == {"done"}
    assert site.inside.do("state_of", **site.tenant)["state"] == "active"
