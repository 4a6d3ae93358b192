"""How long from a delivery to the change on an open page? Through a whole demo: stream, web process, worker, sandbox."""

import os
import random
import re
import tempfile
import threading
import time
from collections import deque
from pathlib import Path
from typing import Any

import requests

from portal.demo.seed import CONNECTED
from portal.page_refresh.templatetags.page_refresh import POLL_SECONDS
from portal.questionnaires.stages import status_label
from tests.bench.browsers import Browser, Browsers, Used
from tests.bench.figures import quantile
from tests.support.demo import Demo, services
from tests.support.polls import until

BROWSERS, PAGES, CHANGES = 1000, 8, 5
PAUSE_SECONDS = 60
"""At most so long between two changes of one page: all of them show each change of the tenant's."""
AT_MOST, SELDOM_SECONDS = 10, 30
WANTED_SECONDS, MAX_SECONDS = 1.0, 30.0
EVENT = "v1.questionnaire.status-changed"
ROW = r"<tr>(?:(?!</tr>).)*?/{id}/(?:(?!</tr>).)*</tr>"
AREA = "questionnaires"


def print_visible() -> None:
    with tempfile.TemporaryDirectory() as folder, services(f"portal_visible_{os.getpid()}") as given:
        # All browsers are one person's.
        demo = Demo(Path(folder) / "demo", services={**given, "STREAMS_PER_PERSON": str(BROWSERS)}).start()
        try:
            cold, waits, used = _measure(demo)
        finally:
            demo.stop()
    p50, p95, p99 = (quantile(waits, share) for share in (0.5, 0.95, 0.99))
    print(f"\nFrom a delivery to the change on an open page, {len(waits)} of them, {BROWSERS} browsers with a stream each,")
    print(f"{PAGES} of which show what changes:")
    wanted, slowest = f"(wanted: below {WANTED_SECONDS:.0f})", f"slowest {max(waits):.1f} s"
    print(f"  p50 {p50:.2f} s   p95 {p95:.2f} s {wanted}   p99 {p99:.2f} s   {slowest}")
    print(f"  the {len(cold)} before them, into cold processes in the middle of the first copy: slowest {max(cold):.1f} s")
    print(f"  the stream process: {used.processors:.0%} of a processor, {used.megabytes:.0f} MB, {used.threads} threads")


def _measure(demo: Demo) -> tuple[list[float], list[float], Used]:
    """Return the waits of the first change on each page, those of the others, and what the stream process used."""
    tenant_id = next(each["tenant_id"] for each in demo.control("GET", "/tenants") if each["name"] == CONNECTED)
    session, root = _sign_in(demo)
    there = demo.control("GET", f"/objects/{tenant_id}/questionnaires")
    in_work = [each for each in there if each["status"] in ("IN_PROGRESS", "IN_REVIEW", "ON_HOLD", "COMPLETE")]
    found = re.search(r'name="stream-url" content="([^"]+)"', session.get(root, timeout=10).text)
    assert found, "the page names no stream"
    with Browsers(found[1], dict(session.cookies), number=BROWSERS) as browsers:
        pages = [
            OpenPage(demo, tenant_id, each, root, browser) for each, browser in zip(in_work[:PAGES], browsers.all, strict=False)
        ]
        for page in pages:
            until(page.is_there, seconds=180, what="the first copy")
        with browsers.watching_the_process() as used:
            for page in pages:
                page.start()
            for page in pages:
                page.join()
    return [page.waits[0] for page in pages], [wait for page in pages for wait in page.waits[1:]], used


def _sign_in(demo: Demo) -> tuple[requests.Session, str]:
    session = requests.Session()
    form = session.get(f"{demo.url}/accounts/login/", timeout=10).text
    found = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', form)
    assert found, "no form to sign in"
    fields = {"login": "demo@example.test", "password": demo.password, "csrfmiddlewaretoken": found[1]}
    headers = {"Referer": f"{demo.url}/accounts/login/"}
    home = session.post(f"{demo.url}/accounts/login/", data=fields, headers=headers, timeout=10).text
    slug = CONNECTED.lower().replace(" ", "-")
    assert f"/t/{slug}/" in home, "not signed in"
    return session, f"{demo.url}/t/{slug}/questionnaires/"


class OpenPage(threading.Thread):
    """A list with one questionnaire in it, which asks as a browser does (`stream.js`) while that questionnaire changes."""

    def __init__(self, demo: Demo, tenant_id: str, there: dict[str, Any], root: str, browser: Browser) -> None:
        super().__init__(daemon=True)
        self.waits: list[float] = []
        self._demo, self._tenant_id, self._id = demo, tenant_id, there["id"]
        self._params = {"stage": "all", "q": there["displayName"]}
        self._root, self._session, self._browser = root, requests.Session(), browser
        self._session.cookies.update(browser.cookies)
        self._seen = ""
        self._asked = deque([-SELDOM_SECONDS] * AT_MOST, maxlen=AT_MOST)

    def is_there(self) -> bool:
        return bool(self._poll())

    def run(self) -> None:
        for _ in range(1 + CHANGES):
            time.sleep(random.uniform(0, PAUSE_SECONDS))
            sent = time.monotonic()
            self._demo.control("POST", "/events", tenant_id=self._tenant_id, type=EVENT, object_id=self._id)
            [there] = [each for each in self._objects() if each["id"] == self._id]
            self._wait_for(status_label(there["status"]), sent)

    def _objects(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self._demo.control("GET", f"/objects/{self._tenant_id}/questionnaires")
        return found

    def _wait_for(self, label: str, sent: float) -> None:
        """Ask when the stream tells of the area; after many times the page waits for its own turn."""
        while time.monotonic() < sent + MAX_SECONDS:
            if not self._browser.wait_for(AREA, seconds=MAX_SECONDS):
                break
            if time.monotonic() - self._asked[0] < SELDOM_SECONDS:
                time.sleep(random.uniform(0, POLL_SECONDS))
            self._asked.append(time.monotonic())
            if label in self._poll():
                self.waits.append(time.monotonic() - sent)
                return
        raise TimeoutError(label)

    def _poll(self) -> str:
        """Ask as the page does; return the row of the questionnaire as it came, empty when nothing has changed."""
        headers = {"HX-Request": "true", "HX-Target": "results", "Seen": self._seen}
        answer = self._session.get(self._root, params=self._params, headers=headers, timeout=10)
        if answer.status_code == 204:
            return ""
        version = re.search(r'id="results"[^>]*"Seen": "([^"]+)"', answer.text)
        row = re.search(ROW.format(id=self._id), answer.text, re.DOTALL)
        self._seen = version[1] if version else ""
        return row[0] if row else ""
