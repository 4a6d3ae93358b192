"""S3: every text of the platform is hostile, and every page shows it as what it is: text. Also in a browser."""

import threading
from collections.abc import Iterator
from urllib.parse import urljoin

import pytest
from playwright.sync_api import Page

from portal.page_refresh.templatetags import page_refresh
from tests.contrary.crawler import walk
from tests.contrary.house import House, expect_none
from tests.contrary.platform import Platform
from tests.contrary.platform.hostile import MARK, make_hostile
from tests.controls.server import serving
from tests.support.live_requests import wait_for_requests

pytestmark = pytest.mark.once

LISTS = (
    *("questionnaires/?stage=all", "access-requests/?tab=all", "contracts/", "customers/"),
    *("trust-center/resources/", "trust-center/faqs/"),
)
"""Of the main desks, each with a link to every object by its name."""
WRONG = ("runs ", "has worked out ", "4", "5")
"""How those faults of a page begin that are meant here: markup, templates, and an address that does not answer."""
LISTEN = """
window.refused = [];
document.addEventListener("securitypolicyviolation", (event) => {
    refused.push(`${event.effectiveDirective} refuses ${event.blockedURI} ${event.sample} at line ${event.lineNumber}`);
});
"""


@pytest.fixture
def platform(platform: Platform) -> Platform:
    """The contrary platform, written by somebody who wants more than to be read."""
    make_hostile(platform.world)
    return platform


def test_s3_no_page_takes_a_text_of_the_platform_for_more_than_a_text(filled: House):
    found = walk(filled, filled.root, on_each_route=1)
    expect_none([fault for fault in found.faults if fault.partition(": ")[2].startswith(WRONG)])
    # They were there to be taken for it.
    shown = {page: filled.read(filled.root + page).text.count(f"<{MARK}>") for page in LISTS}
    assert [page for page, number in shown.items() if not number] == []


@pytest.fixture
def addresses(filled: House) -> list[str]:
    """The lists, and an object of each. Looked up ahead: the test client would have the server close their connection."""
    lists = [filled.root + each for each in LISTS]
    return [*lists, *(filled.find(each, MARK) for each in lists)]


@pytest.fixture
def url(addresses: list[str], monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Where the tenant is served, one request after the other; open pages do not ask again."""
    monkeypatch.setattr(page_refresh, "POLL_SECONDS", 3600)
    with serving(threading.RLock()) as address:
        yield address
        wait_for_requests()


@pytest.mark.browser
def test_s3_a_browser_runs_nothing_of_it_and_has_nothing_to_refuse(filled: House, page: Page, addresses: list[str], url: str):
    said: list[str] = []
    page.on("dialog", lambda dialog: (said.append(f"a dialog: {dialog.message}"), dialog.dismiss()))
    page.on("pageerror", lambda error: said.append(f"the page fails: {error}"))
    page.on("console", lambda message: said.append(f"the console: {message.text}") if message.type == "error" else None)
    page.add_init_script(LISTEN)
    page.context.add_cookies([{"name": "sessionid", "value": filled.client.cookies["sessionid"].value, "url": url}])
    faults = []
    for address in addresses:
        answer = page.goto(urljoin(url, address))
        said += page.evaluate("refused")
        faults += [f"{address}: {each}" for each in said]
        faults += [] if answer and answer.status == 200 else [f"{address}: {answer and answer.status}"]
        faults += [] if f"<{MARK}>" in page.locator("main").inner_text() else [f"{address}: shows nothing hostile"]
        said.clear()
    page.goto("about:blank")
    expect_none(faults)
