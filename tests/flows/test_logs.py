"""The running whole, started as `make demo` starts it: what it prints is true, and while it runs no process complains."""

import re
import sqlite3
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
import requests

from portal.tenants.models import Role
from tests.flows.newcomer import Newcomer, link_in
from tests.house.addresses import addresses
from tests.support.demo import Demo
from tests.support.sizes import size

pytestmark = [
    pytest.mark.processes,
    pytest.mark.once,
    pytest.mark.long,
    pytest.mark.xdist_group("demo"),
    pytest.mark.skipif(sys.platform == "win32", reason="starts processes as a group"),
]
SLUG = "larkfield-cloud"
PASSWORD = "correct horse battery staple"
RUNNING_SECONDS = size(75, whole=300)
"""The clock has rung for everything that comes once a minute; in five minutes for most of what comes more rarely, too."""
CHECKED_SECONDS = 420
"""Not a promise of speed: the machine may be busy with other tests. A task that is not registered never gets there."""
MAX_PAGES = 160
HREF = re.compile(rf'href="(/t/{SLUG}/[^"#?]*)"')
NOT_A_PAGE = ("/export", "/download/", ".pdf", ".ics", ".csv", ".zip")


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Demo]:
    """One demo for all of this file, with its ticker."""
    demo = Demo(tmp_path_factory.mktemp("running") / "my data", ticks=True).start()
    demo.wait_for_line("Ctrl-C stops everything")
    yield demo
    demo.stop()


def printed(demo: Demo, pattern: str) -> str:
    """Return what stands at a place of the welcome."""
    found = re.search(pattern, "".join(demo.lines))
    assert found, pattern
    return found[1]


@pytest.fixture
def newcomer(running: Demo) -> Newcomer:
    return Newcomer(printed(running, r"ready: +(\S+)"), Path(printed(running, r"Mail is written to (.+)\.\n")))


def test_r4_every_address_and_folder_that_the_demo_prints_is_there(running, newcomer):
    assert newcomer.open("/").status_code == 200
    assert requests.get(printed(running, r"sandbox platform: +(\S+)"), timeout=30).status_code == 200
    assert Path(printed(running, r"data stays in (.+)\.\n")) == running.folder
    assert newcomer.mail == running.folder / "mail"
    newcomer.sign_in(printed(running, r"Sign in as +(\S+)"), printed(running, r"with the password +(\S+)"))
    assert newcomer.place == "/portfolio/"
    page = newcomer.open("/portfolio/").text
    assert "Larkfield Cloud" in page
    assert "Osprey Systems" in page


def test_r4_a_new_person_signs_up_connects_invites_and_resets_with_what_the_demo_prints(running, newcomer):
    newcomer.sign_up("ines@new.example", PASSWORD)
    assert newcomer.place == "/tenants/new/"
    newcomer.send("/tenants/new/", name="New & Co")
    assert newcomer.place == "/t/new-co/first-hour/connect/"
    connect(running, newcomer)

    newcomer.send("/t/new-co/settings/members/", to="invite/", email="otto@new.example", role=str(Role.ANALYST.value))
    assert "Invitation sent to otto@new.example" in newcomer.last.text
    guest = Newcomer(newcomer.site, newcomer.mail)
    guest.open(link_in(guest.wait_for_mail("otto@new.example", 1)))
    assert guest.place == "/invitation/"
    guest.send("/invitation/", name="Otto", password=PASSWORD)
    assert guest.place == "/t/new-co/"

    forgetful = Newcomer(newcomer.site, newcomer.mail)
    forgetful.send("/accounts/password/reset/", email="ines@new.example")
    form = forgetful.open(link_in(forgetful.wait_for_mail("ines@new.example", 2))).url
    forgetful.send(form, password1=f"{PASSWORD} too", password2=f"{PASSWORD} too")
    assert forgetful.open("/t/new-co/").status_code == 200
    assert newcomer.open("/t/new-co/").url.endswith("/accounts/login/?next=/t/new-co/")


def connect(running: Demo, newcomer: Newcomer) -> None:
    """Consent on the sandbox's page, as somebody of the second organization there."""
    tenant = next(each for each in running.control("GET", "/tenants") if each["name"] == "Osprey Systems")
    consent = newcomer.send("/t/new-co/first-hour/connect/", to="consent/", region="us")
    decision = {"decision": "allow", "tenant_id": tenant["tenant_id"]}
    assert newcomer.session.post(consent.url, data=decision, timeout=60).status_code == 200
    assert "Connected" in newcomer.open("/t/new-co/settings/connection/").text


def test_r1_while_every_desk_is_opened_and_the_ticker_runs_no_process_complains(running, newcomer):
    until = running.ready_at + RUNNING_SECONDS
    newcomer.sign_in(printed(running, r"Sign in as +(\S+)"), printed(running, r"with the password +(\S+)"))
    seen = open_everything(newcomer)
    assert len(seen) > 60
    assert {path: status for path, status in seen.items() if status not in (200, 405)} == {}
    while time.monotonic() < until or is_any_viewer_unchecked(running):
        assert time.monotonic() < running.ready_at + CHECKED_SECONDS, "nobody has checked the viewers"
        open_everything(newcomer, most=5)
        time.sleep(2)
    review = newcomer.open(f"/t/{SLUG}/access-requests/viewers/review/").text
    assert "No contract" in review
    assert running.complaints() == []


def open_everything(newcomer: Newcomer, *, most: int = MAX_PAGES) -> dict[str, int]:
    """Open every address of the tenant that needs no key, and what these pages link to; return how each answered."""
    patterns = {each.pattern.removesuffix("$") for each in addresses() if each.is_of_a_tenant}
    waiting = sorted(pattern.replace("<slug:slug>", SLUG) for pattern in patterns if pattern.count("<") == 1)
    waiting = [f"/{path}" for path in waiting if not is_left_out(path)]
    seen: dict[str, int] = {}
    while waiting and len(seen) < most:
        path = waiting.pop(0)
        answer = newcomer.open(path)
        seen[path] = answer.status_code
        found = {each for each in HREF.findall(answer.text) if not is_left_out(each)}
        waiting += sorted(found - {*seen, *waiting})[:4]
    return seen


def is_left_out(path: str) -> bool:
    return any(part in path for part in NOT_A_PAGE)


def is_any_viewer_unchecked(running: Demo) -> bool:
    """Say whether the review still waits for its facts about somebody who has access."""
    with closing(sqlite3.connect(f"file:{running.folder / 'portal.sqlite3'}?mode=ro", uri=True, timeout=20)) as database:
        question = "SELECT COUNT(*), COUNT(checked_at) FROM access_requests_viewer WHERE expires_sort > datetime('now')"
        everybody, checked = database.execute(question).fetchone()
    return not everybody or checked < everybody
