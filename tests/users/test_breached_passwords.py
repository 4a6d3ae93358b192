"""New passwords are looked up among breached ones where the operator names a service, here a real one on this machine."""

import hashlib
import logging
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ImproperlyConfigured, ValidationError

from portal.audit.models import AccountEvent
from portal.lib import environment
from tests.conftest import PASSWORD
from tests.support.ports import free_port

OTHER = "another horse, another battery"


def digest_of(password: str) -> str:
    return hashlib.sha1(password.encode(), usedforsecurity=False).hexdigest().upper()


class RangeService:
    """Answers as the services that list passwords by the beginning of their hashes do."""

    def __init__(self) -> None:
        self.listed: dict[str, int] = {}
        self.asked: list[str] = []
        self.status = 200
        self.location = ""
        self.padding = b""

    def lists(self, password: str, *, times: int = 3) -> None:
        self.listed[digest_of(password)] = times

    def answer(self, path: str) -> bytes:
        self.asked.append(path)
        prefix = path.rpartition("/")[2]
        found = [f"{digest[5:]}:{times}" for digest, times in self.listed.items() if digest.startswith(prefix)]
        return "\r\n".join([*found, f"{'0' * 35}:0"]).encode() + self.padding


@pytest.fixture
def service(settings) -> Iterator[RangeService]:
    """A service that the portal asks."""
    range_service = RangeService()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = range_service.answer(self.path)
            self.send_response(range_service.status)
            if range_service.location:
                self.send_header("Location", range_service.location)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None: ...

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        settings.BREACHED_PASSWORDS_URL = f"http://127.0.0.1:{server.server_port}/range"
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield range_service
        server.shutdown()


def test_a_listed_password_is_refused_and_only_five_letters_of_its_hash_are_told(service):
    service.lists(PASSWORD)
    with pytest.raises(ValidationError, match="appeared in a data breach"):
        validate_password(PASSWORD)
    validate_password(OTHER)
    digests = [digest_of(password) for password in (PASSWORD, OTHER)]
    assert service.asked == [f"/range/{digest[:5]}" for digest in digests]


def test_a_line_that_only_pads_the_answer_lists_nothing(service):
    service.lists(PASSWORD, times=0)
    validate_password(PASSWORD)


@pytest.mark.django_db
def test_whoever_signs_up_with_a_listed_password_is_told(service, client):
    service.lists(PASSWORD)
    given = {"email": "new@acme.example", "name": "New", "password1": PASSWORD}
    assert "appeared in a data breach" in client.post("/accounts/signup/", given).content.decode()
    assert not AccountEvent.objects.exists()
    client.post("/accounts/signup/", given | {"password1": OTHER})
    assert AccountEvent.objects.filter(action="account.sign_up").exists()


@pytest.mark.parametrize("mood", ["error", "redirect", "too long", "gone"])
def test_a_service_that_fails_refuses_nobody_and_the_log_tells_no_hash(service, settings, caplog, mood):
    service.lists(PASSWORD)
    if mood == "error":
        service.status = 503
    elif mood == "redirect":
        service.status, service.location = 302, "http://127.0.0.1:1/"
    elif mood == "too long":
        service.padding = b"x" * 2_000_000
    else:
        settings.BREACHED_PASSWORDS_URL = f"http://127.0.0.1:{free_port()}/range"
    with caplog.at_level(logging.WARNING):
        validate_password(PASSWORD)
    assert "a password was not looked up" in caplog.text
    assert digest_of(PASSWORD)[:5] not in caplog.text


def test_nobody_is_asked_where_no_service_is_named(service, settings):
    service.lists(PASSWORD)
    settings.BREACHED_PASSWORDS_URL = ""
    validate_password(PASSWORD)
    assert service.asked == []


@pytest.mark.parametrize(("given", "is_right"), [("https://p.example/range/", True), ("", True), ("http://p.example", False)])
def test_the_address_of_the_service_is_https(monkeypatch, given, is_right):
    monkeypatch.setenv("BREACHED_PASSWORDS_URL", given)
    if is_right:
        assert environment.breached_passwords_url() == given.rstrip("/")
        return
    with pytest.raises(ImproperlyConfigured, match="BREACHED_PASSWORDS_URL"):
        environment.breached_passwords_url()


@pytest.mark.parametrize("password", ["Football1234!", "!!2024Superman", "password20242025"])
def test_a_common_password_with_digits_and_signs_around_it_is_refused(password):
    with pytest.raises(ValidationError, match="too common"):
        validate_password(password)
