import pytest

from portal.lib.logs import hide
from portal.platform_api import errors
from tests.platform_api.peers import peer
from tests.platform_api.test_network import client


def test_s6_an_address_that_is_a_key_to_a_file_is_in_no_log_line(caplog: pytest.LogCaptureFixture) -> None:
    with peer(b"HTTP/1.1 404 Not Found\r\nContent-Le") as files, pytest.raises(errors.PlatformError):
        client(files.url).download(f"{files.url}/x?signature=abc").__enter__()
    assert "signature" not in caplog.text


@pytest.mark.parametrize(
    "line",
    [
        "Not Found: //invitation//{}",
        '{{"url": "https:\\/\\/portal.example\\/invitation\\/{}"}}',
        "Not Found: /accounts/password//reset/key/1-{}/",
        "/t/acme?next=%252Finvitation%252F{}",
        "Forbidden: /company-sign-in/acme/saml/logout/?SAMLRequest={}&RelayState=x",
        "{{'logout_token': ['{}']}}",
        '{{"SAMLResponse": "{}"}}',
        "?id_token={}",
    ],
)
def test_s15_however_a_link_is_written_its_secret_is_hidden(line: str) -> None:
    assert "a-secret-Token" not in hide(line.format("a-secret-Token"))
