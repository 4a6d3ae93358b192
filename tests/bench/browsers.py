"""Many browsers, each with its stream of changes open, on one thread of the bench."""

import asyncio
import json
import os
import resource
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Self
from urllib.parse import urlsplit

OPENED_AT_ONCE = 50
SECONDS = 60
LAST_CHUNK = b"0\r\n"
"""The stream has ended; its connection may stay open for another one."""


@dataclass
class Used:
    """What the stream process used while it was watched."""

    processors: float = 0.0
    megabytes: float = 0.0
    threads: int = 0


class Browser:
    """One stream: which areas it has told of since somebody asked."""

    def __init__(self, cookies: Mapping[str, str]) -> None:
        self.cookies = dict(cookies)
        self._told: set[str] = set()
        self._changed = threading.Condition()
        self._is_first = True

    def take(self, news: Mapping[str, Mapping[str, int]]) -> None:
        # The first message says where everything is.
        is_first, self._is_first = self._is_first and bool(news), self._is_first and not news
        if is_first:
            return
        with self._changed:
            self._told.update(name for areas in news.values() for name in areas)
            self._changed.notify_all()

    def wait_for(self, area: str, *, seconds: float) -> bool:
        """Wait until the area has changed since this was last asked; False when it has not in time."""
        with self._changed:
            has_come = self._changed.wait_for(lambda: area in self._told, seconds)
            self._told.discard(area)
            return has_come


class Browsers:
    """All of them. They stay open until the block ends; a stream that ends by itself is opened again, as a browser does."""

    def __init__(self, url: str, cookies: Mapping[str, str], *, number: int) -> None:
        self._address = urlsplit(url)
        self.all = [Browser(cookies) for _ in range(number)]
        self._open = 0
        self._thread = threading.Thread(target=lambda: asyncio.run(self._run()), daemon=True)
        self._has_ended = threading.Event()

    def __enter__(self) -> Self:
        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
        self._thread.start()
        deadline = time.monotonic() + SECONDS
        while self._open < len(self.all):
            assert time.monotonic() < deadline, f"{self._open} of {len(self.all)} streams are open after {SECONDS} s"
            time.sleep(0.1)
        return self

    def __exit__(self, *_: object) -> None:
        self._has_ended.set()
        self._thread.join(SECONDS)

    async def _run(self) -> None:
        gate = asyncio.Semaphore(OPENED_AT_ONCE)
        tasks = [asyncio.create_task(self._keep_open(browser, gate)) for browser in self.all]
        await asyncio.to_thread(self._has_ended.wait)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _keep_open(self, browser: Browser, gate: asyncio.Semaphore) -> None:
        cookies = "; ".join(f"{name}={value}" for name, value in browser.cookies.items())
        request = f"GET {self._address.path} HTTP/1.1\r\nHost: {self._address.netloc}\r\nCookie: {cookies}\r\n\r\n"
        is_new = True
        while True:
            async with gate:
                reader, writer = await asyncio.open_connection(self._address.hostname, self._address.port)
                writer.write(request.encode())
                status = await reader.readline()
                assert b" 200 " in status, status
            self._open += is_new
            is_new = False
            async for line in reader:
                if line == LAST_CHUNK:
                    break
                if line.startswith(b"data: "):
                    browser.take(json.loads(line.removeprefix(b"data: ")))
            writer.close()

    @contextmanager
    def watching_the_process(self) -> Iterator[Used]:
        """Measure the process that listens at the streams' port, from the beginning of the block to its end."""
        used, pid = Used(), _listener(self._address.port or 0)
        began, before = time.monotonic(), _seconds_of(pid)
        yield used
        used.processors = (_seconds_of(pid) - before) / (time.monotonic() - began)
        status = Path(f"/proc/{pid}/status").read_text()
        fields = dict(line.split(":", 1) for line in status.splitlines())
        used.megabytes, used.threads = int(fields["VmRSS"].split()[0]) / 1024, int(fields["Threads"])


def _listener(port: int) -> int:
    """Return the process of the stream server that does the work: of those with this port in their command, the last one."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            command = (entry / "cmdline").read_bytes()
        except OSError:
            continue
        if str(port).encode() in command and b"portal.asgi" in command:
            found.append(int(entry.name))
    return max(found, key=_seconds_of)


def _seconds_of(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
