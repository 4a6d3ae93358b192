"""Open pages that are told of changes by a stream: at once, all of a browser by one connection, and without it as ever."""

import asyncio
import threading
from collections.abc import Iterator

import pytest
from django.conf import settings as site_settings
from django.core.asgi import get_asgi_application
from granian.constants import Interfaces
from granian.server.embed import Server
from playwright.sync_api import Page, expect

from portal.connections.services import Urgency, client_for
from portal.contracts.mirror import MIRRORS as CONTRACT_MIRRORS
from portal.contracts.models import Contract
from portal.page_refresh.services import touch_areas
from portal.page_refresh.stream import PATH, ChangeStream
from portal.page_refresh.templatetags import page_refresh
from portal.sync.services import drain, reconcile, start_reconcile
from tests.support.polls import until
from tests.support.ports import free_port

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.xdist_group("live-browser")]

CONTRACTS = "/t/acme/contracts/"
QUIET_SECONDS = 4
STAYS_AFTER_SECONDS = 3
"""As in `live.js`."""


UNCHANGED_LOGGING = {"incremental": True, "formatters": {}, "handlers": {}, "loggers": {}}
"""By itself the server would set up the logging of this whole process anew."""


class StreamServer(threading.Thread):
    """The stream process of these tests, as a thread of theirs: it reads the database that they write."""

    def __init__(self, port: int) -> None:
        super().__init__(daemon=True)
        self._application = ChangeStream(get_asgi_application())
        self._port = port

    def run(self) -> None:
        asyncio.run(self._serve())

    async def _serve(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._server = Server(
            self._application,
            port=self._port,
            interface=Interfaces.ASGINL,
            websockets=False,
            log_enabled=False,
            log_dictconfig=UNCHANGED_LOGGING,
        )
        await self._server.serve()

    def stop(self) -> None:
        self._loop.call_soon_threadsafe(self._server.stop)
        self.join(20)
        assert not self.is_alive()

    def has_readers(self) -> bool:
        return bool(self._application._hub.watchers)


@pytest.fixture
def streamed(live_server, settings) -> int:
    """The portal with a stream, at a port where nobody answers yet."""
    port, origin = free_port(), f"http://{live_server.thread.host}"
    settings.STREAM_URL = f"{origin}:{port}{PATH}"
    settings.PUBLIC_URL = live_server.url
    settings.SECURE_CSP = {**site_settings.SECURE_CSP, "connect-src": ["'self'", f"{origin}:{port}"]}
    return port


@pytest.fixture
def stream(streamed, page) -> Iterator[StreamServer]:
    server = StreamServer(streamed)
    server.start()
    yield server
    # The server waits for the streams that are still read.
    page.context.close()
    server.stop()


@pytest.fixture
def copied(connected, scoped) -> None:
    start_reconcile(CONTRACT_MIRRORS)
    reconcile(CONTRACT_MIRRORS, client_for(Urgency.PERSON), seconds=60)
    drain(CONTRACT_MIRRORS, client_for(Urgency.PERSON))


def rename(name: str) -> None:
    Contract.objects.filter(pk=Contract.objects.order_by("pk")[0].pk).update(name=name)
    touch_areas("contracts")


def polls_of(page: Page) -> list[str]:
    """Note from now on what the regions of a page ask for by themselves; the bell asks seldom anyway."""
    found: list[str] = []
    page.on("request", lambda request: found.append(request.url) if "seen" in request.headers else None)
    return found


def test_one_stream_tells_all_pages_of_a_browser_at_once_and_they_ask_for_nothing_else(
    page, live_server, session_cookie, stream, copied
):
    page.context.add_cookies([session_cookie])
    streams: list[str] = []
    page.context.on("request", lambda request: streams.append(request.url) if PATH in request.url else None)
    page.goto(live_server.url + CONTRACTS)
    until(stream.has_readers, what="the stream of the first page")
    second = page.context.new_page()
    second.goto(live_server.url + CONTRACTS)
    # A page asks by itself until it has been open for some seconds; something may have changed while it was on its way.
    second.wait_for_timeout(1000 * (STAYS_AFTER_SECONDS + page_refresh.POLL_SECONDS + 1))
    quiet = polls_of(page), polls_of(second)
    second.wait_for_timeout(1000 * QUIET_SECONDS)
    assert [len(each) for each in quiet] == [0, 0]
    rename("Told by the stream")
    expect(second.get_by_text("Told by the stream").first).to_be_visible(timeout=10_000)
    page.bring_to_front()
    expect(page.get_by_text("Told by the stream").first).to_be_visible(timeout=10_000)
    assert len(streams) == 1
    # Another area of the same tenant is none of theirs.
    asked = [len(each) for each in quiet]
    touch_areas("library")
    second.wait_for_timeout(1000)
    assert [len(each) for each in quiet] == asked
    # The page that holds the stream goes; the other one takes it over.
    page.close()
    until(lambda: second.wait_for_timeout(100) or len(streams) == 2, what="the stream of the second page")
    rename("Told by the next stream")
    second.bring_to_front()
    expect(second.get_by_text("Told by the next stream").first).to_be_visible(timeout=10_000)
    second.close()
    until(lambda: not stream.has_readers(), what="the end of the stream")


def test_while_no_stream_answers_pages_ask_as_often_as_ever(page, live_server, session_cookie, streamed, copied):
    page.context.add_cookies([session_cookie])
    page.goto(live_server.url + CONTRACTS)
    asked = polls_of(page)
    until(lambda: page.wait_for_timeout(200) or len(asked) >= 3, seconds=30, what="three polls")
    rename("Found by asking")
    expect(page.get_by_text("Found by asking").first).to_be_visible(timeout=10_000)


def test_news_that_come_while_somebody_presses_are_not_forgotten(page, live_server, session_cookie, stream, copied):
    page.context.add_cookies([session_cookie])
    page.goto(live_server.url + CONTRACTS)
    until(stream.has_readers, what="the stream")
    page.wait_for_timeout(1000 * (page_refresh.POLL_SECONDS + 1))
    page.locator('[data-live] a[href^="/t/acme/contracts/"]').first.hover()
    page.mouse.down()
    rename("Came in between")
    page.wait_for_timeout(2000)
    expect(page.get_by_text("Came in between")).to_have_count(0)
    page.mouse.move(5, 5)
    page.mouse.up()
    # Not forgotten: it asks with its next turn.
    expect(page.get_by_text("Came in between").first).to_be_visible(timeout=10_000)
