"""S4: calls leave for the configured hosts only, follow nothing, and reach no address inside a network."""

import socket
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
import requests
from django.conf import settings

from portal.connections import http
from portal.connections.http import may_lead_to
from portal.platform_api import Platform
from portal.platform_api.errors import RedirectRefused, Unavailable
from portal.platform_api.oauth import OAuthApplication

pytestmark = pytest.mark.once


class Token:
    def current(self) -> str:
        return "sat_canary-token"

    def renew(self, stale: str) -> str:
        return "sat_canary-token"


class Inside(BaseHTTPRequestHandler):
    """A server inside the network; remembers whatever reached it."""

    reached: list[str] = []

    def do_GET(self) -> None:
        Inside.reached.append(f"{self.path} {self.headers}")
        status = 308 if self.path.startswith("/v1/") else 200
        self.send_response(status)
        self.send_header("Location", f"http://127.0.0.1:{self.server.server_address[1]}/second")
        self.send_header("Content-Length", "0")
        self.end_headers()

    do_POST = do_GET  # noqa: N815 - the name is the library's

    def log_message(self, *args: object) -> None:
        pass


@pytest.fixture
def inside() -> Iterator[int]:
    """Run the server; yields its port."""
    Inside.reached = []
    server = ThreadingHTTPServer(("127.0.0.1", 0), Inside)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server.server_address[1]
    server.shutdown()
    server.server_close()


@pytest.fixture
def session() -> Iterator[requests.Session]:
    http._local.__dict__.clear()
    http.MOUNTS.clear()
    yield http.http_session()
    http._local.__dict__.clear()


@pytest.fixture
def names(monkeypatch):
    """Every name leads to this machine, as a poisoned look-up would have it."""
    look_up = socket.getaddrinfo

    def poisoned(host, *args, **options):
        return look_up("127.0.0.1", *args, **options)

    monkeypatch.setattr(socket, "getaddrinfo", poisoned)


def test_s4_a_name_that_leads_into_a_network_is_not_talked_to(inside, session, names):
    api = Platform(f"http://api.platform.example:{inside}", tokens=Token(), session=session)
    with pytest.raises(Unavailable) as refused:
        api.questionnaires.all.page()
    assert not refused.value.sent
    app = OAuthApplication(f"http://api.platform.example:{inside}", client_id="c", client_secret="s", session=session)
    with pytest.raises(Unavailable):
        app.refresh("srt_canary-token")
    assert Inside.reached == []


@pytest.mark.parametrize("host", ["127.0.0.1", "[::1]", "localhost"])
def test_s4_an_address_that_the_platform_hands_out_is_not_followed_into_the_network(inside, session, settings, host):
    settings.PLATFORM_API_URL = settings.PLATFORM_GOV_API_URL = "https://api.platform.example"
    settings.PLATFORM_APP_URLS = {"us": "https://app.platform.example"}
    api = Platform("http://api.platform.example", tokens=Token(), session=session)
    with pytest.raises(Unavailable), api.download(f"http://{host}:{inside}/media") as chunks:
        b"".join(chunks)
    assert Inside.reached == []


def test_s4_a_redirect_is_an_error_and_nothing_arrives_at_the_second_place(inside, session, settings):
    settings.PLATFORM_API_URL = f"http://127.0.0.1:{inside}"
    api = Platform(settings.PLATFORM_API_URL, tokens=Token(), session=session)
    with pytest.raises(RedirectRefused):
        api.questionnaires.all.page()
    assert [line.split()[0].partition("?")[0] for line in Inside.reached] == ["/v1/customer-trust/questionnaires"]


@pytest.mark.parametrize(
    ("host", "address", "may"),
    [
        ("api.platform.example", "93.184.216.34", True),
        ("api.platform.example", "127.0.0.1", False),
        ("api.platform.example", "10.1.2.3", False),
        ("api.platform.example", "169.254.169.254", False),
        ("api.platform.example", "::1", False),
        ("api.platform.example", "fe80::1%eth0", False),
        ("api.platform.example", "::ffff:10.0.0.1", False),
        ("169.254.169.254", "169.254.169.254", False),
        ("127.0.0.1", "127.0.0.1", True),
    ],
)
def test_s4_only_what_the_operator_wrote_down_may_be_inside(host, address, may):
    assert settings.PLATFORM_API_URL == "http://127.0.0.1:8001"
    assert may_lead_to(host, address) is may


def test_s4_certificates_are_checked_and_no_proxy_of_the_environment_is_used(session, monkeypatch):
    monkeypatch.setenv("HTTPS_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("REQUESTS_CA_BUNDLE", "/nonexistent")
    merged = session.merge_environment_settings("https://api.platform.example", {}, True, None, None)
    assert merged["verify"] is True
    assert not merged["proxies"]
