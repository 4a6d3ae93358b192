"""The shipped proxy in front of real web processes: what is too large ends there, and who is slow waits there."""

import gzip
import http.client
import json
import select
import socket
import ssl
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from http.cookies import SimpleCookie
from types import SimpleNamespace
from urllib.parse import urlencode

import pytest
from django.conf import settings
from standardwebhooks import Webhook

from tests.bench.figures import quantile
from tests.faults.house import House
from tests.faults.inside import SECRET
from tests.faults.proxy import Proxy, peak_kilobytes
from tests.support.polls import until
from tests.support.ports import free_port

pytestmark = [
    pytest.mark.faults,
    pytest.mark.once,
    pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc"),
]
HOST = "portal.example.com"
GIB = 1024**3
PERSON, PASSWORD = "person@faults.example", "a long password indeed"
LIMITED = "Too many failed login attempts"
UPLOAD = "/t/behind-a-proxy/contracts/"
SLOW_CONNECTIONS, SLOW_SECONDS = 200, 12
MAX_SENT = 16 * 1024 * 1024
"""What fits into the sockets' buffers, and what goes on arriving while the refusal is on its way."""


@pytest.fixture(scope="module")
def stage(built: House, tmp_path_factory: pytest.TempPathFactory) -> Iterator[SimpleNamespace]:
    """A web process, the proxy before it, and the address of a tenant's receiver."""
    tmp_path = tmp_path_factory.mktemp("proxy")
    static = tmp_path / "static"
    static.mkdir()
    (static / "portal.0123456789ab.css").write_text("a{}")
    (static / "portal.0123456789ab.css.gz").write_bytes(gzip.compress(b"a{}"))
    path = built.inside().do("new_tenant", name="Behind a proxy")["path"]
    web = built.web(TRUSTED_PROXIES="1", ALLOWED_HOSTS=HOST)
    stream_port = free_port()
    stream = built.stream(stream_port, TRUSTED_PROXIES="1", ALLOWED_HOSTS=f"{HOST},127.0.0.1")
    proxy = Proxy(tmp_path / "nginx", web_port=built.port, stream_port=stream_port, static=static)
    built.inside().do("new_person", email=PERSON, password=PASSWORD)
    yield SimpleNamespace(proxy=proxy, web=web, stream=stream, path=path)
    proxy.stop()
    built.kill_all()


class Browser:
    """Somebody at an address of this machine, with their cookies."""

    def __init__(self, stage: SimpleNamespace, *, at: str = "127.0.0.1") -> None:
        self.port, self.at = stage.proxy.port, at
        self.cookies = SimpleCookie[str]()

    @property
    def cookie(self) -> str:
        return "; ".join(f"{name}={morsel.value}" for name, morsel in self.cookies.items())

    def ask(self, method: str, path: str, form: dict[str, str] | None = None, **headers: str) -> tuple[int, str]:
        """Ask once; return the status, and where the answer leads or what it says."""
        context = ssl._create_unverified_context()  # noqa: S323
        connection = http.client.HTTPSConnection(
            "127.0.0.1", self.port, context=context, source_address=(self.at, 0), timeout=60
        )
        given = {"Host": HOST, "Cookie": self.cookie, "Content-Type": "application/x-www-form-urlencoded", **headers}
        connection.request(method, path, urlencode(form or {}) if method == "POST" else None, given)
        answer = connection.getresponse()
        text = answer.read().decode()
        for line in answer.headers.get_all("Set-Cookie") or ():
            self.cookies.load(line)
        connection.close()
        return answer.status, answer.headers.get("Location") or text

    def sign_in(self, email: str, password: str, **headers: str) -> tuple[int, str]:
        if "csrftoken" not in self.cookies:
            self.ask("GET", "/accounts/login/")
        form = {"login": email, "password": password, "csrfmiddlewaretoken": self.cookies["csrftoken"].value}
        return self.ask("POST", "/accounts/login/", form, **headers)


def head(stage: SimpleNamespace, *lines: str, path: str = "") -> bytes:
    return "\r\n".join([f"POST {path or stage.path} HTTP/1.1", f"Host: {HOST}", *lines, "", ""]).encode()


def status_of(connection: ssl.SSLSocket) -> int:
    answer = http.client.HTTPResponse(connection)
    answer.begin()
    return answer.status


def flood(stage: SimpleNamespace, first: bytes, piece: bytes, *, most: int = GIB) -> tuple[int, int]:
    """Send pieces until somebody answers; return the status and how much has left."""
    with stage.proxy.connect() as connection:
        connection.sendall(first)
        sent = 0
        while sent < most and not select.select([connection], [], [], 0)[0]:
            connection.sendall(piece)
            sent += len(piece)
        return status_of(connection), sent


def signed(number: int, body: str) -> list[str]:
    at = datetime.now(UTC)
    hook_id = f"msg_proxy_{number}"
    signature = Webhook(SECRET).sign(hook_id, at, body)
    return [f"hook-id: {hook_id}", f"hook-timestamp: {int(at.timestamp())}", f"hook-signature: {signature}"]


def deliver(stage: SimpleNamespace, number: int) -> int:
    body = json.dumps({"questionnaire": {"id": f"q{number}"}})
    with stage.proxy.connect() as connection:
        length = f"Content-Length: {len(body)}"
        connection.sendall(head(stage, *signed(number, body), length, "Connection: close") + body.encode())
        return status_of(connection)


def test_h11_what_is_too_large_or_packed_is_refused_before_it_costs_memory_or_disk(stage):
    assert deliver(stage, 0) == 204
    memory = [peak_kilobytes(child) for child in (stage.proxy.child, stage.web)]
    disk = stage.proxy.bodies_changed_at()
    kilobytes_64 = b"x" * 65536

    status, sent = flood(stage, head(stage, f"Content-Length: {GIB}"), kilobytes_64)
    assert (status, sent < MAX_SENT) == (413, True)
    chunk = b"10000\r\n" + kilobytes_64 + b"\r\n"
    status, sent = flood(stage, head(stage, "Transfer-Encoding: chunked"), chunk)
    assert (status, sent < MAX_SENT) == (413, True)
    bomb = gzip.compress(b"0" * 50_000_000)
    packed = head(stage, "Content-Encoding: gzip", f"Content-Length: {len(bomb)}")
    assert flood(stage, packed, bomb, most=len(bomb))[0] == 400
    assert flood(stage, head(stage), b"", most=0)[0] == 400  # no length: an empty body, whose signature is wrong
    assert flood(stage, head(stage, *(f"X-Long-{number}: {'y' * 4000}" for number in range(5))), b"", most=0)[0] == 400
    assert flood(stage, head(stage, "Content-Length: many"), b"", most=0)[0] == 400

    assert stage.proxy.bodies_changed_at() == disk
    grown = [peak_kilobytes(child) - before for child, before in zip((stage.proxy.child, stage.web), memory, strict=True)]
    assert max(grown) < 16 * 1024
    assert deliver(stage, 1) == 204


def test_h11_chunks_reach_the_web_process_as_one_body_with_a_length(stage):
    body = json.dumps({"questionnaire": {"id": "chunked"}})
    with stage.proxy.connect() as connection:
        connection.sendall(head(stage, *signed(2, body), "Transfer-Encoding: chunked"))
        for letter in body:
            connection.sendall(f"1\r\n{letter}\r\n".encode())
        connection.sendall(b"0\r\n\r\n")
        assert status_of(connection) == 204


def test_h12_two_hundred_connections_of_a_byte_a_second_hold_up_nobody(stage):
    def begin(number: int) -> socket.socket:
        connection = stage.proxy.connect()
        begun = head(stage, "Content-Length: 1000")
        connection.sendall(begun if number % 2 else begun[:40])
        return connection

    slow = [begin(number) for number in range(SLOW_CONNECTIONS)]
    is_over = threading.Event()

    def drip() -> None:
        while not is_over.wait(1):
            for number, connection in enumerate(slow):
                try:
                    connection.sendall(b"z")
                except OSError:
                    # Cut off for being slow, it comes again: there are as many of them all the time.
                    connection.close()
                    slow[number] = begin(number)

    dripping = threading.Thread(target=drip)
    dripping.start()
    seconds, statuses, ends = [], set[int](), time.monotonic() + SLOW_SECONDS
    try:
        while time.monotonic() < ends:
            started = time.monotonic()
            statuses.add(deliver(stage, 100 + len(seconds)))
            seconds.append(time.monotonic() - started)
    finally:
        is_over.set()
        dripping.join()
        for connection in slow:
            connection.close()
    assert statuses == {204}
    assert len(seconds) > 50
    assert quantile(seconds, 0.99) < 1


def test_o10_the_shipped_configuration_serves_files_hides_figures_and_speaks_tls_only(stage):
    def ask(path: str, *, secure: bool = True, headers: Mapping[str, str] | None = None) -> http.client.HTTPResponse:
        if secure:
            connection = http.client.HTTPSConnection("127.0.0.1", stage.proxy.port, context=ssl._create_unverified_context())  # noqa: S323
        else:
            connection = http.client.HTTPConnection("127.0.0.1", stage.proxy.plain_port)
        connection.request("GET", path, headers={"Host": HOST, "Accept-Encoding": "gzip", **(headers or {})})
        return connection.getresponse()

    assert ask("/healthz").status == 200
    assert ask("/metrics").status == 404
    plain = ask("/accounts/login/?next=/t/", secure=False)
    assert (plain.status, plain.headers["Location"]) == (308, f"https://{HOST}/accounts/login/?next=/t/")
    for path in (stage.path, "/slack/acme/"):
        assert ask(path, secure=False).status == 403, "programs are led nowhere"
    old = ssl._create_unverified_context()  # noqa: S323
    old.maximum_version = ssl.TLSVersion.TLSv1_2
    old.set_ciphers("ECDHE-ECDSA-AES128-SHA256:ECDHE-ECDSA-AES128-SHA:AES128-SHA")
    with pytest.raises(ssl.SSLError), socket.create_connection(("127.0.0.1", stage.proxy.port)) as connection:
        old.wrap_socket(connection)
    file = ask("/static/portal.0123456789ab.css")
    assert file.headers["Content-Encoding"] == "gzip"
    assert file.headers["Vary"] == "Accept-Encoding"
    assert "immutable" in file.headers["Cache-Control"]
    assert gzip.decompress(file.read()) == b"a{}"
    log = stage.proxy.folder / "portal.log"
    until(lambda: "/healthz" in log.read_text(), what="the log")
    assert deliver(stage, 3) == 204
    assert ask("/healthz").status == 200
    until(lambda: log.read_text().count("/healthz") == 2, what="the log")
    assert stage.path not in log.read_text()
    # Who asks does not choose how the request is called.
    named = ask("/healthz", headers={"X-Request-ID": "trace-of-the-client"}).headers["X-Request-ID"]
    assert named != "trace-of-the-client"
    until(lambda: named in log.read_text(), what="the log")


def test_s20_a_large_body_is_read_from_people_who_are_signed_in_only(stage):
    disk, piece = stage.proxy.bodies_changed_at(), b"x" * 65536
    chunk = b"10000\r\n" + piece + b"\r\n"
    large, chunked, made_up = (
        f"Content-Length: {settings.MAX_UPLOAD_BYTES}",
        "Transfer-Encoding: chunked",
        f"Cookie: sessionid={'a' * 32}",
    )
    for lines in ((large,), (large, made_up), (chunked,), (chunked, made_up)):
        status, sent = flood(stage, head(stage, *lines, path=UPLOAD), piece if large in lines else chunk)
        assert (status, sent < MAX_SENT) == (303, True), lines
    assert flood(stage, head(stage, large, path="/accounts/login/"), piece)[0] == 413
    hidden = head(stage, chunked, path=UPLOAD).replace(b"POST", b"GET", 1)
    assert flood(stage, hidden, chunk)[0] == 303
    assert stage.proxy.bodies_changed_at() == disk

    person = Browser(stage)
    assert person.sign_in(PERSON, PASSWORD) == (302, "/")
    with stage.proxy.connect() as connection:
        connection.sendall(head(stage, large, f"Cookie: {person.cookie}", path=UPLOAD) + b"x" * settings.MAX_UPLOAD_BYTES)
        assert status_of(connection) == 403, "the portal has asked for its token"
    assert stage.proxy.bodies_changed_at() != disk
    visitor = Browser(stage, at="127.0.0.4")
    assert visitor.ask("GET", UPLOAD)[1].startswith("/accounts/login/?next=")
    assert visitor.ask("POST", UPLOAD, {"a": "b"})[0] == 403
    assert visitor.ask("GET", "/-/may-send")[0] == 404


def test_s14_through_the_shipped_proxy_wrong_passwords_of_one_client_shut_out_no_other(stage):
    attacker, other = Browser(stage, at="127.0.0.2"), Browser(stage, at="127.0.0.3")
    answers = []
    for number in range(60):
        made_up = {"X-Forwarded-For": f"192.0.2.{number}"}
        answers.append(attacker.sign_in(f"account-{number}@faults.example", "a wrong password", **made_up))
    assert not any(LIMITED in text for _, text in answers[:5])
    assert all(status == 429 or LIMITED in text for status, text in answers[10:])
    status, text = attacker.sign_in(PERSON, PASSWORD)
    assert status == 429 or LIMITED in text, "the client itself waits"
    assert other.sign_in(PERSON, PASSWORD) == (302, "/")


def test_the_stream_of_changes_comes_through_as_it_is_written_and_pages_live_without_it(stage):
    person = Browser(stage)
    assert person.ask("GET", "/changes/")[0] == 403
    person.sign_in(PERSON, PASSWORD)
    with stage.proxy.connect() as connection:
        lines = ["GET /changes/ HTTP/1.1", f"Host: {HOST}", f"Cookie: {person.cookie}", "", ""]
        connection.sendall("\r\n".join(lines).encode())
        connection.settimeout(10)
        answer = http.client.HTTPResponse(connection)
        answer.begin()
        assert (answer.status, answer.getheader("Content-Type")) == (200, "text/event-stream")
        # It is open still, and this is here.
        assert answer.readline() == b"retry: 500\n"
    stage.stream.kill()
    assert person.ask("GET", "/changes/")[0] == 502
    assert person.ask("GET", "/healthz")[0] == 200
