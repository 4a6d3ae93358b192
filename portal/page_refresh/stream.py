"""The stream that tells a browser what has changed: server-sent events, for an ASGI process beside the web processes.

A message is the versions of areas that have changed, by the slug of their tenant; an empty one says that the stream is alive.
The first one of a stream holds all of them: whoever was cut off sees by that what it has missed. The pages ask for their
fragments as they do without a stream, so that it carries nothing that has to be kept secret, and nothing that may not be lost.
"""

import asyncio
import json
import random
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from typing import Any

from django.conf import settings

from portal.lib.environment import origin_of
from portal.page_refresh.hub import Hub, Watcher
from portal.users.sessions import POLL_HEADER

type Scope = dict[str, Any]
type Message = Mapping[str, Any]
type Receive = Callable[[], Awaitable[Message]]
type Send = Callable[[Message], Awaitable[None]]
type Application = Callable[[Scope, Receive, Send], Awaitable[None]]

PATH = "/changes/"
ALIVE_SECONDS = 15
"""So often a stream says something: what stands between would take it for dead, and a browser that is gone is noticed."""
MIN_LIFE_SECONDS, MAX_LIFE_SECONDS = 90, 150
"""Then it ends, and the browser opens it again: by that it is asked anew who may see what. Not all of them at once."""
RETRY_MILLISECONDS = 500
ASKED_AT_ONCE = 8
"""When a process is new, all browsers come at once; each question takes a thread and a connection to the database."""
MAX_STREAMS = 5000
"""Of one process; each is a connection and some 20 KB."""
LEFT_OUT = (b"accept-encoding", b"connection", POLL_HEADER.lower().encode())
"""Headers that the site is not handed on: its answer is read here."""


class ChangeStream:
    """Answers one address with a stream, and lets the site answer all others."""

    def __init__(self, site: Application) -> None:
        self._site = site
        self._hub = Hub()
        self._asking = asyncio.Semaphore(ASKED_AT_ONCE)
        self._open_of = Counter[int]()
        """How many streams each person has, by primary key."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["path"] == PATH and scope["method"] == "GET":
            await self._answer(scope, receive, send)
        else:
            await self._site(scope, receive, send)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        if len(self._hub.watchers) >= MAX_STREAMS:
            await _refuse(send, 503)
            return
        async with self._asking:
            status, body = await self._ask_site(scope)
        if status != 200:
            await _refuse(send, 503 if status >= 500 else 403)
            return
        told = json.loads(body)
        person = told["person"]
        # A browser has one for all its pages: nobody needs many, or may take those of the others. Pages without one poll.
        if self._open_of[person] >= settings.STREAMS_PER_PERSON:
            await _refuse(send, 429)
            return
        watcher = Watcher({tenant_id: slug for slug, tenant_id in told["tenants"].items()})
        self._hub.add(watcher)
        self._open_of[person] += 1
        gone = asyncio.ensure_future(_wait_for_end(receive))
        telling = asyncio.ensure_future(_tell(watcher, send))
        try:
            await asyncio.wait((gone, telling), return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._hub.remove(watcher)
            self._open_of[person] -= 1
            if not self._open_of[person]:
                del self._open_of[person]
            for task in (gone, telling):
                task.cancel()
                # A browser that went away in the middle of a message is no fault.
                with suppress(asyncio.CancelledError, OSError, RuntimeError):
                    await task

    async def _ask_site(self, scope: Scope) -> tuple[int, bytes]:
        """Ask the site itself, with all that stands before its views, whose changes this browser may be told of.

        An open stream is nobody's work: like a poll it does not prolong the session.
        """
        headers = [(name, value) for name, value in scope["headers"] if name not in LEFT_OUT]
        asked = {**scope, "headers": [*headers, (POLL_HEADER.lower().encode(), b"stream")]}
        status, parts, is_read = 500, [], False

        async def receive() -> Message:
            # There is no body, and nobody goes away before the answer.
            nonlocal is_read
            if is_read:
                await asyncio.Event().wait()
            is_read = True
            return {"type": "http.request", "body": b"", "more_body": False}

        async def send(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            else:
                parts.append(message.get("body", b""))

        await self._site(asked, receive, send)
        return status, b"".join(parts)


async def _wait_for_end(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


async def _tell(watcher: Watcher, send: Send) -> None:
    loop = asyncio.get_running_loop()
    ends_at = loop.time() + random.uniform(MIN_LIFE_SECONDS, MAX_LIFE_SECONDS)  # noqa: S311 - spreads load
    await send({"type": "http.response.start", "status": 200, "headers": _headers(b"text/event-stream")})
    await _send_text(send, f"retry: {RETRY_MILLISECONDS}\n\n")
    while (left := ends_at - loop.time()) > 0:
        news = await watcher.news(min(ALIVE_SECONDS, left))
        await _send_text(send, f"data: {json.dumps(news)}\n\n")
    await send({"type": "http.response.body", "body": b"", "more_body": False})


async def _send_text(send: Send, text: str) -> None:
    await send({"type": "http.response.body", "body": text.encode(), "more_body": True})


async def _refuse(send: Send, status: int) -> None:
    await send({"type": "http.response.start", "status": status, "headers": _headers(b"text/plain")})
    await send({"type": "http.response.body", "body": b""})


def _headers(content_type: bytes) -> list[tuple[bytes, bytes]]:
    return [
        (b"content-type", content_type),
        (b"cache-control", b"no-store"),
        (b"x-accel-buffering", b"no"),
        (b"x-content-type-options", b"nosniff"),
        # The demo's stream has a port of its own.
        (b"access-control-allow-origin", origin_of(settings.PUBLIC_URL).encode()),
        (b"access-control-allow-credentials", b"true"),
    ]
