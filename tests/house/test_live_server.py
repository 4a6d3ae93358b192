"""A browser that is gone leaves requests behind: the database is emptied once they have ended."""

import socket
import threading
import time
from urllib.parse import urlsplit

import pytest
from django.core.signals import request_finished, request_started

from tests.support.live_requests import wait_for_requests

pytestmark = pytest.mark.once


def test_a_request_that_nobody_waits_for_is_waited_for(live_server):
    begun, ended = threading.Event(), threading.Event()

    def dawdle(**_: object) -> None:
        begun.set()
        time.sleep(0.5)

    def end(**_: object) -> None:
        ended.set()

    address = urlsplit(live_server.url)
    request_started.connect(dawdle)
    request_finished.connect(end)
    try:
        with socket.create_connection((address.hostname, address.port)) as connection:
            connection.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
            assert begun.wait(10)
        wait_for_requests()
        assert ended.is_set()
    finally:
        request_started.disconnect(dawdle)
        request_finished.disconnect(end)
