"""The portal over HTTP inside of one transaction, which is taken back after each press: the world is never used up."""

import logging
import sqlite3
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any
from wsgiref.types import StartResponse, WSGIEnvironment

from django.contrib.staticfiles.handlers import StaticFilesHandler
from django.core.cache import caches
from django.core.handlers.wsgi import WSGIHandler
from django.core.servers.basehttp import ThreadedWSGIServer, WSGIRequestHandler
from django.core.signals import request_finished, request_started
from django.db import close_old_connections, connection, transaction

from portal.sandbox.sandbox import Sandbox


class Quiet(WSGIRequestHandler):
    """Writes no line for each request."""

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - its name in the standard library
        """Stay quiet."""


class Server(ThreadedWSGIServer):
    """Hands each of its threads the connection of the test, and leaves it open."""

    def _close_connections(self) -> None:
        """Keep the one connection: it is the test's."""


class OneAtATime:
    """An application that answers whole, one request after the other: they share a connection."""

    def __init__(self, application: Callable[..., Iterable[bytes]], lock: threading.RLock) -> None:
        self.application, self.lock = application, lock

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> list[bytes]:
        with self.lock:
            answer = self.application(environ, start_response)
            try:
                return [b"".join(answer)]
            finally:
                if close := getattr(answer, "close", None):
                    close()


@contextmanager
def serving(lock: threading.RLock) -> Iterator[str]:
    """Serve the site; yields its address."""
    application = StaticFilesHandler(OneAtATime(WSGIHandler(), lock))
    server = Server(("127.0.0.1", 0), Quiet, connections_override={"default": connection._connections["default"]})
    server.set_app(application)
    connection.inc_thread_sharing()
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        for signal in (request_started, request_finished):
            signal.connect(close_old_connections)
        connection.dec_thread_sharing()


class Kept:
    """The rows of the portal and the objects of the sandbox today's facts."""

    def __init__(self, sandbox: Sandbox, lock: threading.RLock) -> None:
        self.sandbox, self.lock = sandbox, lock
        self.objects = sqlite3.connect(":memory:", check_same_thread=False)
        sandbox.store._connection.backup(self.objects)
        self.savepoint = transaction.savepoint_create()

    def restore(self) -> None:
        """Make everything as it was."""
        with self.lock:
            connection.needs_rollback = False
            connection.run_on_commit.clear()
            transaction.savepoint_rollback(self.savepoint)
            with self.sandbox.store._lock:
                self.objects.backup(self.sandbox.store._connection)
            self.sandbox.limits.forget()
            for cache in caches.all():  # with it, how often somebody has searched in this minute
                cache.clear()


class Errors(logging.Handler):
    """Keeps what any logger says at level ERROR."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(f"{record.name}: {record.getMessage()}"[:300])

    def take(self) -> list[str]:
        """Return what was said since the last time."""
        lines, self.lines = self.lines, []
        return lines


@contextmanager
def errors() -> Iterator[Errors]:
    """Listen to every logger that there is."""
    kept = Errors()
    loggers = [logging.getLogger(), *(logging.getLogger(name) for name in ("django", "portal", "celery"))]
    own = [logger for logger in loggers if logger.parent is None or not logger.propagate]
    for logger in own:
        logger.addHandler(kept)
    yield kept
    for logger in own:
        logger.removeHandler(kept)
