"""Runs `manage.py demo` as a person would, on free ports and in a folder of its own."""

import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

import psycopg
import redis
import requests

from tests.environment import POSTGRESQL, REDIS
from tests.support.ports import free_port

COMMAND = ["manage.py", "demo"]
"""What `make demo` starts."""
COMPLAINT = re.compile(r"\b(ERROR|CRITICAL|FATAL)\b|Traceback \(most recent|unregistered|panicked|ended with code")
READY_SECONDS = 180
TRACEBACK_LINES = 60
OF_THE_TESTS = (
    *("SECRET_KEY", "FIELD_ENCRYPTION_KEYS", "PLATFORM_", "SANDBOX_", "PUBLIC_URL", "EMAIL_URL"),
    *("DATABASE_URL", "CELERY_BROKER_URL"),
)
"""What the tests have set for themselves; the demo makes its own."""


ON_SERVICES = os.environ.get("TEST_SERVICES") == "1"
SERVER, _, NUMBER = REDIS.rpartition("/")
BROKER = f"{SERVER}/{(int(NUMBER) - 2) % 16}"
"""Beside that of this run of the tests: two checkouts that are tested at once would empty each other's."""


@contextmanager
def services(database: str) -> Iterator[dict[str, str]]:
    """Make a database and empty a broker for a demo, where this run is about those; else it has its embedded ones."""
    if not ON_SERVICES:
        yield {}
        return
    database = f"{database}_of_{POSTGRESQL.rpartition('/')[2]}"
    with psycopg.connect(POSTGRESQL, autocommit=True) as connection:
        connection.execute(f"DROP DATABASE IF EXISTS {database} WITH (FORCE)")
        connection.execute(f"CREATE DATABASE {database}")
        redis.Redis.from_url(BROKER).flushdb()
        yield {"DATABASE_URL": f"{POSTGRESQL.rpartition('/')[0]}/{database}", "CELERY_BROKER_URL": BROKER}
        connection.execute(f"DROP DATABASE IF EXISTS {database} WITH (FORCE)")


class Demo:
    """One running demo. `url` is the portal, `platform` the sandbox."""

    def __init__(
        self,
        folder: Path,
        *,
        port: int = 0,
        sandbox_port: int = 0,
        services: Mapping[str, str] | None = None,
        ticks: bool = False,
    ) -> None:
        self.folder, self.services = folder, services or {}
        self.arguments = [] if ticks else ["--tick", "0"]
        """With its ticker it is started as `make demo` does; without, nothing changes in it but what a test does."""
        self.port, self.sandbox_port = port or free_port(), sandbox_port or free_port()
        self.url, self.platform = f"http://127.0.0.1:{self.port}", f"http://127.0.0.1:{self.sandbox_port}"
        self.lines: list[str] = []

    def start(self) -> Self:
        kept = {name: value for name, value in os.environ.items() if not name.startswith(OF_THE_TESTS)}
        self.process = subprocess.Popen(
            [sys.executable, *COMMAND, *self.arguments],
            env={
                **kept,
                **self.services,
                "DATA_DIR": str(self.folder),
                "PORT": str(self.port),
                "SANDBOX_PORT": str(self.sandbox_port),
                "LOG_LEVEL": "INFO",
            },
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        threading.Thread(target=self._read, daemon=True).start()
        self.wait_for_line("The portal is ready")
        self.ready_at = time.monotonic()
        return self

    def wait_for_line(self, words: str) -> None:
        deadline = time.monotonic() + READY_SECONDS
        while not any(words in line for line in self.lines):
            if self.process.poll() is not None or time.monotonic() > deadline:
                raise AssertionError("the demo did not get ready:\n" + "".join(self.lines[-40:]))
            time.sleep(0.1)

    def stop(self) -> float:
        """Press Ctrl-C; return the seconds it took to end."""
        started = time.monotonic()
        self.process.send_signal(signal.SIGINT)
        self.process.wait(20)
        return time.monotonic() - started

    def kill(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait(20)

    def complaints(self) -> list[str]:
        """Return the lines of any process that say that something is wrong, each with what follows it: its traceback."""
        found = [number for number, line in enumerate(self.lines) if COMPLAINT.search(line)]
        return ["".join(self.lines[number : number + TRACEBACK_LINES]) for number in found]

    @property
    def password(self) -> str:
        return str(json.loads((self.folder / "demo.json").read_text())["password"])

    def control(self, method: str, path: str, **body: Any) -> Any:
        answer = requests.request(method, f"{self.platform}/_control{path}", json=body or None, timeout=30)
        answer.raise_for_status()
        return answer.json() if answer.content else {}

    def _read(self) -> None:
        for line in self.process.stdout or ():
            self.lines.append(line)
