"""Faults of the network over real sockets: which error, and whether the platform may have done what was asked."""

import gzip
import itertools
import socket
import struct
import time
from collections.abc import Callable, Iterator

import pytest
import requests

from portal.platform_api import Call, Platform, errors, transport
from tests.platform_api.peers import Behaviour, answer, deaf, nobody, peer, self_signed
from tests.platform_api.world import Tokens

TOKEN = "token-that-nobody-may-see"
USERS = b'{"results":{"data":[],"pageInfo":{"hasNextPage":false}}}'


def client(url: str, **options: object) -> Platform:
    return Platform(url, tokens=Tokens(lambda: TOKEN), **options)  # type: ignore[arg-type]


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait for tenths of seconds where the client waits for seconds."""
    monkeypatch.setattr("portal.platform_api.request.TIMEOUT", (0.3, 0.3))


def unavailable(url: str, call: Callable[[Platform], object] = lambda api: api.users.all.page()) -> errors.Unavailable:
    """Make a call that must fail; return its error, which must not say more than it may."""
    with pytest.raises(errors.Unavailable) as caught:
        call(client(url))
    error = caught.value
    assert error.__cause__ is None
    assert error.__context__ is None or error.__suppress_context__
    assert TOKEN not in str(error) and url not in str(error)
    assert error.status is None
    return error


def test_w1_nobody_listens_so_nothing_was_sent() -> None:
    with nobody() as url:
        assert not unavailable(url).sent


@pytest.mark.usefixtures("impatient")
def test_w1_no_connection_in_time_so_nothing_was_sent() -> None:
    with deaf() as url:
        assert not unavailable(url).sent


def test_w1_a_name_that_nobody_knows_so_nothing_was_sent() -> None:
    assert not unavailable("http://no-such-host.invalid").sent


def test_s4_a_certificate_that_nobody_vouches_for_is_refused_before_anything_is_sent(tmp_path) -> None:
    context, _ = self_signed(tmp_path)
    with peer(answer(USERS), tls=context) as other:
        assert not unavailable(other.url).sent
        assert not any(other.received)


def reset(connection: socket.socket) -> None:
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


def silent(connection: socket.socket) -> None:
    connection.recv(1)


def stuck_in_the_head(connection: socket.socket) -> None:
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-")
    connection.recv(1)


def stuck_in_the_body(connection: socket.socket) -> None:
    connection.sendall(b'HTTP/1.1 200 OK\r\nContent-Length: 90\r\n\r\n{"results"')
    connection.recv(1)


def head(*headers: str) -> bytes:
    return "\r\n".join(["HTTP/1.1 200 OK", *headers, "", ""]).encode()


BROKEN: dict[str, Behaviour | bytes] = {
    "reset": reset,
    "silent": silent,
    "stuck in the head": stuck_in_the_head,
    "stuck in the body": stuck_in_the_body,
    "closed without a word": b"",
    "not HTTP": b"220 mail.example ESMTP\r\n",
    "a status that is none": b"HTTP/1.1 abc OK\r\n\r\n",
    "half a body": head("Content-Length: 90") + b'{"results":',
    "half a chunk": head("Transfer-Encoding: chunked") + b'40\r\n{"results":',
    "a chunk without a length": head("Transfer-Encoding: chunked") + b"zz\r\n{}\r\n",
    "no last chunk": head("Transfer-Encoding: chunked") + b"2\r\n{}\r\n",
    "not gzip": answer(USERS, "Content-Encoding: gzip"),
    "half a gzip": head("Content-Encoding: gzip", "Content-Length: 900") + gzip.compress(USERS)[:30],
    "a head without end": head(*(f"X-{number}: y" for number in range(500))),
    "a line without end": head("X-Long: " + "y" * 100_000),
}


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("fault", BROKEN)
def test_w1_a_broken_answer_is_an_uncertain_outcome(fault: str) -> None:
    with peer(BROKEN[fault]) as other:
        error = unavailable(other.url, lambda api: api.trust_center("slug").access_requests.approve("65b0"))
        assert error.sent
        assert not error.is_idempotent
        assert len(other.received) == 1, "a POST is never repeated by itself"


def test_w1_half_a_head_that_says_success_means_executed() -> None:
    with peer(b"HTTP/1.1 200 OK\r\nContent-Le") as other:
        client(other.url).trust_center("slug").access_requests.approve("65b0")
        with pytest.raises(errors.UnexpectedAnswer):
            client(other.url).questionnaires.approve("65a0")


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("fault", ["closed without a word", "reset", "half a body"])
def test_a_call_that_may_be_repeated_is_not_repeated_by_itself_but_says_so(fault: str) -> None:
    with peer(BROKEN[fault]) as other:
        assert unavailable(other.url).is_idempotent
        assert len(other.received) == 1


def drip(connection: socket.socket) -> None:
    connection.sendall(head("Content-Length: 100000"))
    for _ in range(100):
        connection.sendall(b" ")
        time.sleep(0.05)


@pytest.mark.usefixtures("impatient")
def test_an_answer_that_drips_for_ever_ends_at_its_deadline() -> None:
    started = time.monotonic()
    with peer(drip) as other:
        assert unavailable(other.url).sent
    assert time.monotonic() - started < 3


def test_an_answer_without_end_is_not_read_to_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transport, "MAX_ANSWER_LENGTH", 1_000_000)

    def pour(connection: socket.socket) -> None:
        connection.sendall(head())
        for _ in itertools.count():
            connection.sendall(b" " * 65536)

    with peer(pour) as other, pytest.raises(errors.UnexpectedAnswer, match="larger than 1000000 bytes"):
        client(other.url).users.all.page()


def test_a_small_answer_that_unpacks_to_a_huge_one_is_not_read_to_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transport, "MAX_ANSWER_LENGTH", 1_000_000)
    bomb = gzip.compress(b" " * 20_000_000)
    with peer(answer(bomb, "Content-Encoding: gzip")) as other, pytest.raises(errors.UnexpectedAnswer, match="larger"):
        client(other.url).users.all.page()


def in_pieces(body: bytes) -> Iterator[bytes]:
    for start in range(0, len(body), 3):
        piece = body[start : start + 3]
        yield f"{len(piece):x}\r\n".encode() + piece + b"\r\n"
    yield b"0\r\n\r\n"


def test_a_packed_answer_in_many_pieces_is_read_whole() -> None:
    packed = gzip.compress(USERS)

    def trickle(connection: socket.socket) -> None:
        connection.sendall(head("Content-Encoding: gzip", "Transfer-Encoding: chunked"))
        for piece in in_pieces(packed):
            connection.sendall(piece)
            time.sleep(0.002)

    with peer(trickle) as other:
        assert client(other.url).users.all.page().items == []


def test_the_observer_hears_of_calls_that_got_no_answer() -> None:
    calls: list[Call] = []
    with nobody() as url, pytest.raises(errors.Unavailable):
        client(url, observe=calls.append).users.all.page()
    assert [(call.area, call.status, call.attempt) for call in calls] == [("users", None, 1)]


def test_s6_what_the_session_carries_for_others_stays_out(monkeypatch: pytest.MonkeyPatch, tmp_path) -> None:
    netrc = tmp_path / "netrc"
    netrc.write_text("machine 127.0.0.1 login robot password hunter2\n")
    monkeypatch.setenv("NETRC", str(netrc))
    session = requests.Session()
    session.cookies.set("tenant", "somebody-else", domain="127.0.0.1")
    session.headers["X-Tenant"] = "somebody-else"
    session.auth = ("robot", "hunter2")
    with peer(answer(USERS, "Set-Cookie: later=1; Path=/")) as other:
        api = client(other.url, session=session)
        api.users.all.page()
        api.users.all.page()
        first, second = other.received
    assert first == second
    assert f"Authorization: Bearer {TOKEN}".encode() in first
    for word in (b"Cookie", b"somebody-else", b"Basic"):
        assert word not in first
