"""One portal made of real processes over a database and a broker of its own; any of them can be killed."""

import json
import os
import shlex
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import psycopg
import redis
import requests
from psycopg import sql
from standardwebhooks import Webhook

from tests.environment import POSTGRESQL
from tests.faults.broker import OwnRedis
from tests.faults.children import Child, Inside
from tests.faults.inside import SECRET
from tests.faults.nursery import Nursery
from tests.support.polls import until
from tests.support.ports import free_port

ON_SERVICES = os.environ.get("TEST_SERVICES") == "1"
CODE = Path(__file__).parents[2]


class House:
    """Starts and kills the portal's processes."""

    def __init__(self, folder: Path, *, database_url: str = "", code: Path = CODE) -> None:
        """`database_url` is an empty database of the caller's; without one the house makes its own."""
        self.folder, self.port = folder, free_port()
        self.code = code
        """The tree whose code runs in what is started from now on; what runs already stays what it is."""
        self.url = f"http://127.0.0.1:{self.port}"
        self.database = f"portal_faults_{os.getpid()}_{self.port}"
        self._makes_database = ON_SERVICES and not database_url
        own = f"{POSTGRESQL.rpartition('/')[0]}/{self.database}" if ON_SERVICES else f"sqlite:///{folder}/portal.sqlite3"
        self.children: list[Child] = []
        self._nursery: Nursery | None = None
        # Of its own, as the database is: houses stand beside each other, and each empties its broker.
        self._redis = OwnRedis(folder) if ON_SERVICES else None
        self.broker = f"redis://127.0.0.1:{self._redis.port}/0" if self._redis else "filesystem://localhost"
        self.environment = {
            **os.environ,
            "DATA_DIR": str(folder),
            "DATABASE_URL": database_url or own,
            "CELERY_BROKER_URL": self.broker,
            "PUBLIC_URL": self.url,
            "DJANGO_SETTINGS_MODULE": "portal.settings",
            # A case that fails shows them.
            "LOG_LEVEL": "ERROR",
        }

    def build(self) -> None:
        (self.folder / "static").mkdir(parents=True, exist_ok=True)
        if self._redis:
            self._redis.start()
        if self._makes_database:
            self._on_postgresql("DROP DATABASE IF EXISTS {} WITH (FORCE)", "CREATE DATABASE {}")
        self.migrate()

    def migrate(self) -> None:
        subprocess.run([sys.executable, "manage.py", "migrate", "-v", "0"], cwd=self.code, env=self.environment, check=True)

    def tear_down(self) -> None:
        self.kill_all()
        if self._nursery:
            self._nursery.close()
        if self._redis:
            self._redis.stop()
        if self._makes_database:
            self._on_postgresql("DROP DATABASE IF EXISTS {} WITH (FORCE)")

    def _on_postgresql(self, *statements: str) -> None:
        with psycopg.connect(POSTGRESQL, autocommit=True) as connection:
            for statement in statements:
                connection.execute(sql.SQL(statement).format(sql.Identifier(self.database)))

    def kill_all(self) -> None:
        while self.children:
            self.children.pop().kill()

    def start(self, command: list[str], **changes: str) -> Child:
        return self._keep(Child(command, self.environment | changes, cwd=self.code))

    def inside(self, **changes: str) -> Inside:
        """Start a process that does what it is told, in the environment of the house or a changed one."""
        if changes or self.code != CODE or not hasattr(os, "pidfd_open"):
            return self._keep(Inside(self.environment | changes, cwd=self.code))
        self._nursery = self._nursery or Nursery(self.environment)
        return self._keep(Inside(self.environment, nursery=self._nursery))

    def _keep[T: Child](self, child: T) -> T:
        self.children.append(child)
        return child

    def web(self, **changes: str) -> Child:
        """Start the web process as the demo does, and wait until it answers."""
        return self._answering(self._web_command(), **changes)

    def stream(self, port: int, **changes: str) -> Child:
        """Start the stream process as the demo does, and wait until it answers."""
        command = [sys.executable, "-m", "granian", "--interface", "asginl", "--host", "127.0.0.1", "--port", str(port)]
        command += ["--workers-kill-timeout", "1s", "--no-ws", "--log-level", "error", "portal.asgi:application"]
        child = self.start(command, PORTAL_PROCESS="web", **changes)
        until(lambda: self._answers(port), seconds=60, what="the stream process")
        return child

    def _web_command(self) -> list[str]:
        command = [sys.executable, "-m", "granian", "--interface", "wsgi", "--host", "127.0.0.1", "--port", str(self.port)]
        command += ["--workers", "1", "--blocking-threads", "8", "--no-ws", "--log-level", "error"]
        return [*command, "portal.wsgi:application"]

    def _answering(self, command: list[str], **changes: str) -> Child:
        # What was killed just now may hold the port for some moments more.
        until(self._has_free_port, what="the port")
        child = self.start(command, **changes)
        until(self._answers, seconds=60, what="the web process")
        return child

    def _has_free_port(self) -> bool:
        try:
            socket.create_server(("127.0.0.1", self.port)).close()
        except OSError:
            return False
        return True

    def _answers(self, port: int = 0) -> bool:
        try:
            return requests.get(f"http://127.0.0.1:{port or self.port}/healthz", timeout=2).ok
        except requests.RequestException:
            return False

    def worker(self, *options: str, clock: bool = False, pool: str = "threads", **changes: str) -> Child:
        """Start a worker under its supervisor; with its clock, the sweeps run as well."""
        return self.start(self._worker_command(*options, clock=clock, pool=pool), **changes)

    def _worker_command(self, *options: str, clock: bool, pool: str = "threads") -> list[str]:
        command = [sys.executable, "manage.py", "worker", "--pool", pool, "--log-level", "CRITICAL", *options]
        return command if clock else [*command, "--no-clock"]

    def web_and_worker(self) -> Child:
        """Start both in one group, as on a machine that loses its power: one signal ends all of it."""
        commands = (self._web_command(), self._worker_command(clock=True))
        script = " & ".join(shlex.join(command) for command in commands)
        return self._answering(["sh", "-c", f"{script} & wait"])

    @contextmanager
    def sandbox(self, name: str) -> Iterator[str]:
        """Run a sandbox over real HTTP; every one has a token budget of its own. Yields its address."""
        port = free_port()
        command = [sys.executable, "-m", "portal.sandbox", "--port", str(port), "--data-dir", str(self.folder / name)]
        child = self.start([*command, "--control", "--portal-url", self.url])
        url = f"http://127.0.0.1:{port}"
        until(lambda: answers(f"{url}/healthz"), what="the sandbox")
        yield url
        child.kill()

    def wipe_broker(self) -> int:
        """Take every message out of the broker; return how many there were."""
        if self._redis:
            client = redis.Redis.from_url(self.broker)
            count = client.llen("celery")
            client.flushdb()
            return int(count)
        messages = list((self.folder / "broker" / "queue").glob("*.msg"))
        for message in messages:
            message.unlink(missing_ok=True)
        return len(messages)

    @contextmanager
    def web_without_broker(self) -> Iterator[None]:
        """Run the web process while nothing answers where its broker should be."""
        if ON_SERVICES:
            web = self.web(CELERY_BROKER_URL=f"redis://127.0.0.1:{free_port()}/14")
            yield
            web.kill()
            return
        web, queue = self.web(), self.folder / "broker" / "queue"
        shutil.rmtree(queue)
        queue.write_text("This is no folder.")
        try:
            yield
        finally:
            web.kill()
            queue.unlink()
            queue.mkdir()

    def post(self, path: str, hook_id: str, object_id: str, *, timeout: float = 15) -> int:
        """Deliver one signed event, as the platform would; return the status."""
        return self.deliver(path, hook_id, json.dumps({"questionnaire": {"id": object_id}}), timeout=timeout)

    def deliver(self, path: str, hook_id: str, body: str, *, secret: str = SECRET, **options: Any) -> int:
        at = datetime.now(UTC)
        headers = {
            "hook-id": hook_id,
            "hook-timestamp": str(int(at.timestamp())),
            "hook-signature": Webhook(secret).sign(hook_id, at, body),
            "Content-Type": "application/json",
        }
        post = options.pop("session", requests).post
        return int(post(f"{self.url}{path}", data=body, headers=headers, **({"timeout": 15} | options)).status_code)


def answers(url: str) -> bool:
    try:
        return requests.get(url, timeout=2).ok
    except requests.RequestException:
        return False


def control(platform: str, method: str, path: str, /, **body: Any) -> Any:
    answer = requests.request(method, f"{platform}/_control{path}", json=body or None, timeout=20)
    answer.raise_for_status()
    return answer.json() if answer.content else {}


def token_calls(platform: str) -> int:
    return sum(call["path"].endswith("/oauth/token") for call in control(platform, "GET", "/requests?since=0"))


def seconds_of(action: Any) -> float:
    started = time.monotonic()
    action()
    return time.monotonic() - started
