"""Opens streams as a server does, without one."""

import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

from asgiref.testing import ApplicationCommunicator
from django.conf import settings
from django.core.asgi import get_asgi_application
from django.test import Client

from portal.page_refresh.stream import PATH, ChangeStream

SECONDS = 20


def new_site() -> ChangeStream:
    return ChangeStream(get_asgi_application())


def cookie_of(client: Client) -> str:
    return client.cookies[settings.SESSION_COOKIE_NAME].value if client.cookies else ""


class Reader:
    """One open stream."""

    def __init__(self, application: ChangeStream, cookie: str) -> None:
        headers = [(b"host", b"testserver"), (b"cookie", f"{settings.SESSION_COOKIE_NAME}={cookie}".encode())]
        scope = {"type": "http", "method": "GET", "path": PATH, "query_string": b"", "headers": headers}
        self._connection = ApplicationCommunicator(application, scope | {"client": ("127.0.0.1", 1), "http_version": "1.1"})

    async def start(self) -> tuple[int, dict[bytes, bytes]]:
        """Send the request; return the status and the headers of the answer."""
        await self._connection.send_input({"type": "http.request", "body": b"", "more_body": False})
        start = await self._connection.receive_output(SECONDS)
        return start["status"], dict(start["headers"])

    async def message(self) -> Mapping[str, dict[str, int]] | None:
        """Return the next message; None at the end of the stream."""
        while True:
            part = await self._connection.receive_output(SECONDS)
            if not part.get("more_body"):
                return None
            if part["body"].startswith(b"data: "):
                told: dict[str, dict[str, int]] = json.loads(part["body"].removeprefix(b"data: "))
                return told

    async def news(self) -> Mapping[str, dict[str, int]]:
        """Return the next message that says something."""
        while not (told := await self.message()):
            assert told is not None, "the stream has ended"
        return told

    async def leave(self) -> None:
        await self._connection.send_input({"type": "http.disconnect"})
        await self._connection.wait(SECONDS)


@asynccontextmanager
async def opened(application: ChangeStream, client: Client) -> AsyncIterator[Reader]:
    reader = Reader(application, cookie_of(client))
    status, _ = await reader.start()
    assert status == 200
    try:
        yield reader
    finally:
        await reader.leave()
