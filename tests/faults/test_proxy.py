"""The shipped proxy in front of real web processes: what is too large ends there, and who is slow waits there."""

import gzip
import http.client
import json
import select
import ssl
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from types import SimpleNamespace

import pytest
from standardwebhooks import Webhook

from tests.bench.figures import quantile
from tests.faults.house import House
from tests.faults.inside import SECRET
from tests.faults.proxy import Proxy, peak_kilobytes
from tests.support.waiting import until

pytestmark = [
    pytest.mark.faults,
    pytest.mark.once,
    pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc"),
]
HOST = "portal.example.com"
GIB = 1024**3
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
    proxy = Proxy(tmp_path / "nginx", web_port=built.port, static=static)
    yield SimpleNamespace(proxy=proxy, web=web, path=path)
    proxy.stop()
    built.kill_all()


def head(stage: SimpleNamespace, *lines: str) -> bytes:
    return "\r\n".join([f"POST {stage.path} HTTP/1.1", f"Host: {HOST}", *lines, "", ""]).encode()


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
    slow = [stage.proxy.connect() for _ in range(SLOW_CONNECTIONS)]
    for number, connection in enumerate(slow):
        begun = head(stage, "Content-Length: 1000")
        connection.sendall(begun if number % 2 else begun[:40])
    is_over, cut = threading.Event(), set[int]()

    def drip() -> None:
        while not is_over.wait(1):
            for number, connection in enumerate(slow):
                try:
                    connection.sendall(b"z")
                except OSError:
                    cut.add(number)

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
    assert len(cut) < SLOW_CONNECTIONS / 4, "the slow ones have to be there all the time, or this says nothing"


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
    file = ask("/static/portal.0123456789ab.css")
    assert file.headers["Content-Encoding"] == "gzip"
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
