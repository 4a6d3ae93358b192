import pytest

from portal.platform_api import errors
from tests.platform_api.peers import peer
from tests.platform_api.test_network import client


def test_s6_an_address_that_is_a_key_to_a_file_is_in_no_log_line(caplog: pytest.LogCaptureFixture) -> None:
    with peer(b"HTTP/1.1 404 Not Found\r\nContent-Le") as files, pytest.raises(errors.NotFound):
        client(files.url).download(f"{files.url}/x?signature=abc").__enter__()
    assert "signature" not in caplog.text
