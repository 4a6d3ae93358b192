"""S4: a token leaves for the API host only. Every redirect is refused, whoever it points to."""

import pytest
import requests

from portal.platform_api import errors
from portal.platform_api.oauth import OAuthApplication
from tests.platform_api.peers import answer, peer
from tests.platform_api.test_network import TOKEN, client

TARGETS = {
    "another host": "{other}/v1/users",
    "the same host": "{self}/v1/elsewhere",
    "without a scheme": "//{other_host}/v1/users",
    "the same path": "/v1/users",
    "the address of the machine's own facts": "http://169.254.169.254/latest/meta-data/",
    "a file": "file:///etc/passwd",
    "nowhere": "",
}
STATUSES = ["300 Multiple Choices", "301 Moved", "302 Found", "303 See Other", "307 Temporary", "308 Permanent"]


@pytest.mark.parametrize("status", STATUSES)
@pytest.mark.parametrize("target", TARGETS)
def test_s4_no_redirect_is_followed(target: str, status: str) -> None:
    with peer(answer(b"{}")) as other:
        location: list[str] = []
        with peer(lambda connection: connection.sendall(answer(b"", f"Location: {location[0]}", status=status))) as asked:
            location.append(
                TARGETS[target].format(other=other.url, other_host=other.url.removeprefix("http://"), self=asked.url)
            )
            with pytest.raises(errors.RedirectRefused) as caught:
                client(asked.url).trust_center("slug").access_requests.approve("65b0")
            assert len(asked.received) == 1
        assert other.received == []
    assert caught.value.status == int(status[:3])
    assert not location[0] or location[0] not in str(caught.value)


@pytest.mark.parametrize("status", STATUSES)
def test_s4_no_secret_follows_a_redirect_of_the_token_endpoint(status: str) -> None:
    with peer(answer(b'{"access_token": "stolen"}')) as other:
        with peer(answer(b"", f"Location: {other.url}/oauth/token", status=status)) as asked:
            application = OAuthApplication(asked.url, client_id="id", client_secret="s3", session=requests.Session())
            for call in (application.refresh, application.issue, application.suspend):
                with pytest.raises(errors.RedirectRefused):
                    call("value")
            assert len(asked.received) == 3
        assert other.received == []


def test_s4_a_download_follows_no_redirect_and_carries_no_token() -> None:
    with peer(answer(b"secret of the network")) as inside:
        with peer(answer(b"", f"Location: {inside.url}/", status="302 Found")) as files:
            api = client(files.url)
            with pytest.raises(errors.StorageRefused), api.download(f"{files.url}/x?signature=abc"):
                pass
            assert TOKEN.encode() not in files.received[0]
        assert inside.received == []


@pytest.mark.parametrize(
    "url",
    [
        "",
        "platform.test",
        "ftp://platform.test",
        "file:///etc/passwd",
        "http://",
        "https://user:password@platform.test",
        "https://platform.test?x=1",
        "https://platform.test#x",
        "https://safe.test@evil.test",
    ],
)
def test_an_address_that_is_none_is_refused_at_once(url: str) -> None:
    with pytest.raises(ValueError, match="address of the API"):
        client(url)
