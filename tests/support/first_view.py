"""What a browser fetches to show a page: the first one a person ever opens, and one more when all is in its cache."""

from dataclasses import dataclass
from urllib.parse import urlsplit

from playwright.sync_api import Browser, BrowserContext

from portal.demo.seed import CONNECTED, DEMO_EMAIL
from tests.support.demo import Demo

MAX_BYTES, MAX_REQUESTS, MAX_WARM = 60 * 1024, 8, 1


@dataclass(frozen=True)
class View:
    """One page as a browser met it. Bytes are those on the wire, headers included."""

    path: str
    requests: int
    bytes: int
    warm_requests: int
    warm_bytes: int
    shift: float
    """How much has moved while it was drawn (CLS)."""


def views(browser: Browser, demo: Demo) -> list[View]:
    """Look at the page to sign in and at each page of the navigation, each in a browser that has seen nothing yet."""
    signed_in = _signed_in(browser, demo)
    places = ["/accounts/login/", *_places(signed_in, demo)]
    cookies = signed_in.cookies()
    signed_in.close()
    found = []
    for path in places:
        context = browser.new_context()
        if path != places[0]:
            context.add_cookies(cookies)  # type: ignore[arg-type]  # what it gives is what it takes
        found.append(_view(context, demo, path))
        context.close()
    return found


def _signed_in(browser: Browser, demo: Demo) -> BrowserContext:
    context = browser.new_context()
    page = context.new_page()
    page.goto(f"{demo.url}/accounts/login/")
    page.locator("[name=login]").fill(DEMO_EMAIL)
    page.locator("[name=password]").fill(demo.password)
    page.locator("[name=password]").press("Enter")
    page.wait_for_url(lambda address: "/accounts/" not in address)
    return context


def _places(context: BrowserContext, demo: Demo) -> list[str]:
    page = context.new_page()
    page.goto(f"{demo.url}/t/{CONNECTED.lower().replace(' ', '-')}/questionnaires/")
    links: list[str] = page.eval_on_selector_all("nav a[href^='/t/']", "links => links.map(link => link.href)")
    return sorted({urlsplit(link).path for link in links})


def _view(context: BrowserContext, demo: Demo, path: str) -> View:
    requests, size, shift = _fetched(context, demo.url + path)
    warm_requests, warm_size, warm_shift = _fetched(context, demo.url + path)
    return View(path, requests, size, warm_requests, warm_size, max(shift, warm_shift))


def _fetched(context: BrowserContext, url: str) -> tuple[int, int, float]:
    """Open a page; return how many answers came over the wire, their bytes, and how much moved."""
    page = context.new_page()
    devtools = context.new_cdp_session(page)
    devtools.send("Network.enable")
    from_cache: set[str] = set()
    lengths: dict[str, int] = {}
    devtools.on("Network.requestServedFromCache", lambda event: from_cache.add(event["requestId"]))
    devtools.on(
        "Network.responseReceived",
        lambda event: from_cache.add(event["requestId"]) if event["response"].get("fromDiskCache") else None,
    )
    devtools.on("Network.loadingFinished", lambda event: lengths.update({event["requestId"]: int(event["encodedDataLength"])}))
    page.goto(url, wait_until="load")
    # What a page asks for as soon as it stands; what it polls for comes seconds later.
    page.wait_for_timeout(500)
    shift = page.evaluate(
        """() => new Promise((resolve) => {
          let sum = 0;
          new PerformanceObserver((list) => {
            for (const entry of list.getEntries()) sum += entry.hadRecentInput ? 0 : entry.value;
          }).observe({ type: "layout-shift", buffered: true });
          setTimeout(() => resolve(sum), 100);
        })"""
    )
    page.close()
    wire = [length for request, length in lengths.items() if request not in from_cache]
    return len(wire), sum(wire), float(shift)
