"""Files at pre-signed addresses: as large as allowed, from where the platform says, and without a token."""

import socket

import pytest
import requests

from portal.platform_api import Platform, errors
from portal.platform_api.models import Export
from tests.platform_api.calls.core import first_export
from tests.platform_api.peers import answer, nobody, peer
from tests.platform_api.test_network import TOKEN, client
from tests.platform_api.world import World


def finished_export(world: World) -> Export:
    export_id = first_export(world)
    world.sandbox.clock.advance(3600)
    while world.sandbox.run_next_job():
        pass
    export = world.api.questionnaires.exports.get(export_id)
    assert export.download_url
    return export


def content(api: Platform, url: str, **options: int) -> bytes:
    with api.download(url, **options) as chunks:
        return b"".join(chunks)


def test_a_finished_export_can_be_fetched_without_a_token(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    export = finished_export(world)
    sent: list[requests.PreparedRequest] = []
    adapter = world.session.get_adapter(export.download_url or "")
    send = adapter.send
    monkeypatch.setattr(adapter, "send", lambda request, **options: sent.append(request) or send(request, **options))
    assert content(world.api, export.download_url or "")
    assert len(sent) == 1
    assert "Authorization" not in sent[0].headers
    assert world.tokens.token not in str(sent[0].headers)


def test_an_address_that_has_expired_is_refused(world: World) -> None:
    export = finished_export(world)
    world.sandbox.clock.advance(48 * 3600)
    with pytest.raises(errors.PlatformError) as caught:
        content(world.api, export.download_url or "")
    assert caught.value.status in {403, 404}
    assert (export.download_url or "") not in str(caught.value)


def test_s4_no_token_goes_to_another_host() -> None:
    with nobody() as api_host, peer(answer(b"the file")) as files:
        assert content(client(api_host), f"{files.url}/x?signature=abc") == b"the file"
        head = files.received[0].lower()
    assert b"authorization" not in head
    assert TOKEN.encode() not in head
    assert b"cookie" not in head


@pytest.mark.parametrize("size", [0, 1, 99_999, 100_000])
def test_what_is_not_larger_than_allowed_comes_whole(size: int) -> None:
    with peer(answer(b"x" * size)) as files:
        assert content(client(files.url), files.url, limit=100_000) == b"x" * size


@pytest.mark.parametrize("headers", [["Content-Length: 100001"], []])
def test_s5_what_is_larger_is_not_read_to_the_end(headers: list[str]) -> None:
    head = "\r\n".join(["HTTP/1.1 200 OK", *headers, "Connection: close", "", ""]).encode()
    with peer(head + b"x" * 100_001) as files, pytest.raises(errors.UnexpectedAnswer, match="larger than 100000 bytes"):
        content(client(files.url), files.url, limit=100_000)


def test_the_chunks_come_as_they_arrive() -> None:
    def half(connection: socket.socket) -> None:
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nfirst")
        connection.recv(1)

    with peer(half) as files, client(files.url).download(files.url) as chunks:
        assert next(chunks) == b"first"


def test_a_file_that_breaks_off_is_not_a_short_file() -> None:
    with peer(b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nfirst") as files, pytest.raises(errors.Unavailable) as caught:
        content(client(files.url), f"{files.url}/x?signature=abc")
    assert "signature" not in str(caught.value)


@pytest.mark.parametrize(
    ("status", "error"),
    [
        ("400 Bad Request", errors.LinkExpired),
        ("401 Unauthorized", errors.LinkExpired),
        ("403 Forbidden", errors.LinkExpired),
        ("404 Not Found", errors.LinkExpired),
        ("410 Gone", errors.LinkExpired),
        ("415 Unsupported", errors.StorageRefused),
        ("302 Found", errors.StorageRefused),
        ("429 Too Many", errors.StorageUnavailable),
        ("503 Busy", errors.StorageUnavailable),
    ],
)
def test_a_refusal_becomes_its_error_and_does_not_show_the_address(status: str, error: type) -> None:
    body = b"<Error><Message>Request has expired</Message></Error>"
    with peer(answer(body, status=status)) as files, pytest.raises(error) as caught:
        content(client(files.url), f"{files.url}/x?signature=abc")
    shown = str(caught.value) + repr(vars(caught.value))
    assert type(caught.value) is error
    assert "signature" not in shown
    assert files.url not in shown


def test_r5_a_storage_that_cannot_be_reached_or_breaks_off_is_not_the_platform() -> None:
    with nobody() as url, pytest.raises(errors.StorageUnavailable):
        content(client(url), f"{url}/x?signature=abc")
    with peer(b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nfirst") as files, pytest.raises(errors.StorageUnavailable):
        content(client(files.url), f"{files.url}/x?signature=abc")


@pytest.mark.parametrize(
    "url",
    [
        "",
        "/relative",
        "//files.test/x",
        "file:///etc/passwd",
        "ftp://files.test/x",
        "javascript:alert(1)",
        "data:text/plain,x",
        "gopher://files.test",
        " https://files.test",
    ],
)
def test_an_address_of_another_kind_is_refused_before_any_call(url: str) -> None:
    with pytest.raises(errors.UnexpectedAnswer):
        content(client("http://platform.test"), url)


@pytest.mark.parametrize(
    "url", ["https://", "https://[", "https://:1/", "https://x:99999999/", "https://a b/", "https://\ud800/"]
)
def test_a_broken_address_is_an_error_of_the_platform(url: str) -> None:
    with pytest.raises(errors.PlatformError) as caught:
        content(client("http://platform.test"), url)
    assert url not in str(caught.value)


@pytest.mark.parametrize("url", ["http://files.test/x", "HTTP://files.test/x"])
def test_s4_where_the_api_is_encrypted_the_file_is_as_well(url: str) -> None:
    with pytest.raises(errors.UnexpectedAnswer):
        content(client("https://platform.test"), url)
