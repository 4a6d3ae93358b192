"""Serves the sandbox over HTTP: one thread per connection, and threads that deliver, work off jobs and tick."""

import logging
import threading
from collections.abc import Callable
from contextlib import suppress
from http.server import BaseHTTPRequestHandler
from typing import Any

from flask import Flask
from werkzeug.exceptions import InternalServerError
from werkzeug.serving import BaseWSGIServer, WSGIRequestHandler, make_server
from werkzeug.wrappers import Response

from portal.sandbox import ticker
from portal.sandbox.sandbox import Sandbox

DELIVERY_THREADS = 6
"""So many slow receivers can be waited for at the same time."""
LOOK_AGAIN_SECONDS = 0.5

logger = logging.getLogger(__name__)
NO_CONTENT = {204, 304}


class Handler(WSGIRequestHandler):
    """Keeps connections open between requests: clients that poll would use up the ports of the machine otherwise."""

    protocol_version = "HTTP/1.1"
    wbufsize = -1  # head and body leave in one packet
    disable_nagle_algorithm = True
    timeout = 60

    def run_wsgi(self) -> None:
        environ = self.make_environ()
        if self.headers.get("Expect", "").lower().strip() == "100-continue":
            self.wfile.write(b"HTTP/1.1 100 Continue\r\n\r\n")
            self.wfile.flush()
        # What is left of an unread body would be taken for the next request, so only requests without one go on.
        self.close_connection = self.close_connection or has_body(self)
        try:
            answer = Response.from_app(self.server.app, environ, buffered=True)
        except ConnectionError:
            self.close_connection = True
            return
        except Exception as error:  # a bug must not take the server down
            self.server.log("error", "%s on %s %s", type(error).__name__, self.command, environ["PATH_INFO"])
            answer = Response.from_app(InternalServerError(), environ, buffered=True)
        self.send(answer)
        self.drain()

    def log_error(self, format: str, *args: Any) -> None:  # noqa: A002 - the name of the standard library
        """An idle connection that is closed is no news."""
        if not any(isinstance(each, TimeoutError) for each in args):
            super().log_error(format, *args)

    def send(self, answer: Response) -> None:
        body = answer.get_data()
        self.send_response_only(answer.status_code, answer.status.partition(" ")[2])
        # The sandbox has a clock of its own, and says its time; what is no part of the platform says the machine's.
        answer.headers.setdefault("Date", self.date_time_string())
        for name, value in answer.headers:
            if name.lower() not in {"content-length", "connection"}:
                self.send_header(name, value)
        if answer.status_code not in NO_CONTENT:
            self.send_header("Content-Length", str(len(body)))
        self.send_header("Connection", "close" if self.close_connection else "keep-alive")
        self.end_headers()
        if self.command != "HEAD" and answer.status_code not in NO_CONTENT:
            self.wfile.write(body)
        self.wfile.flush()

    def drain(self) -> None:
        """Read what the caller still sends before closing, or it would see a reset instead of the answer."""
        if not has_body(self):
            return
        self.connection.settimeout(0.05)
        with suppress(OSError):
            while self.connection.recv(1 << 20):
                pass

    def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
        """Say nothing: addresses carry codes and states. The request log of the sandbox has what may be known."""


def has_body(handler: BaseHTTPRequestHandler) -> bool:
    return handler.headers.get("Content-Length", "0") != "0" or "Transfer-Encoding" in handler.headers


class Server:
    """The sandbox with its threads. `start()` returns at once, `stop()` within a second."""

    def __init__(self, app: Flask, *, host: str, port: int, tick_seconds: float = 0) -> None:
        self._sandbox: Sandbox = app.extensions["sandbox"]
        self._server: BaseWSGIServer = make_server(host, port, app, threaded=True, request_handler=Handler)
        self._tick_seconds = tick_seconds
        self._stopping = threading.Event()

    @property
    def port(self) -> int:
        return self._server.port

    def start(self) -> None:
        run("http", lambda: self._server.serve_forever(poll_interval=0.1))
        run("jobs", lambda: self._work(self._sandbox.run_next_job))
        for _ in range(DELIVERY_THREADS):
            run("delivery", lambda: self._work(self._sandbox.pump.deliver_next))
        if self._tick_seconds > 0:
            run("ticker", self._tick)

    def stop(self) -> None:
        """Stop taking requests and leave the rest: a delivery that waits for its answer is repeated after the next start."""
        self._stopping.set()
        self._sandbox.bell.ring()
        self._server.shutdown()
        self._server.server_close()

    def _work(self, do_next: Callable[[], bool]) -> None:
        """Do what is due, then wait for the bell; look now and then for what becomes due by itself."""
        while not self._stopping.is_set():
            heard = self._sandbox.bell.rings
            if not survives(do_next):
                self._sandbox.bell.wait(heard, seconds=LOOK_AGAIN_SECONDS)

    def _tick(self) -> None:
        while not self._stopping.wait(self._tick_seconds):
            survives(lambda: ticker.tick(self._sandbox))


def survives(do_next: Callable[[], bool | None]) -> bool:
    """Do one thing; a bug in it is logged and does not end the thread."""
    try:
        return bool(do_next())
    except Exception:
        logger.exception("a background thread of the sandbox failed")
        return False


def run(name: str, target: Callable[[], None]) -> None:
    threading.Thread(target=target, name=f"sandbox-{name}", daemon=True).start()
