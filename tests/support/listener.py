"""A channel's other side: an HTTP server on this machine that takes messages, or behaves badly."""

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Listener:
    """What arrived, and what is answered from now on."""

    url: str = ""
    status: int = 200
    then: int = 0
    """What it answers to all messages behind the next one; 0: the same."""
    headers: dict[str, str] = field(default_factory=dict)
    waits: float = 0.0
    """Before the answer."""
    drips: bool = False
    """It answers a byte at a time, and comes to no end."""
    drips_head: bool = False
    """Even its first line comes to no end, until the other side hangs up."""
    was_cut: bool = False
    hangs_up: bool = False
    """It takes a message and says nothing."""
    answer: Callable[[dict[str, Any]], bytes] = lambda body: b"o"
    """What it says to a message."""
    bodies: list[dict[str, Any]] = field(default_factory=list)
    seen: list[dict[str, str]] = field(default_factory=list)
    raw: list[bytes] = field(default_factory=list)


class _Handler(BaseHTTPRequestHandler):
    listener: Listener

    def do_POST(self) -> None:
        it = self.listener
        body = self.rfile.read(int(self.headers["Content-Length"]))
        it.raw.append(body)
        it.bodies.append(json.loads(body))
        it.seen.append({name.lower(): value for name, value in self.headers.items()})
        time.sleep(it.waits)
        self.close_connection = True
        if it.hangs_up:
            return
        try:
            while it.drips_head:
                self.wfile.write(b"H")
                time.sleep(0.1)
            self.send_response(it.status)
            it.status = it.then or it.status
            for name, value in it.headers.items():
                self.send_header(name, value)
            self.end_headers()
            for _ in range(40 if it.drips else 0):
                self.wfile.write(b"o")
                time.sleep(0.05)
            self.wfile.write(it.answer(it.bodies[-1]))
        except OSError:
            it.was_cut = True

    def log_message(self, *args: object) -> None:
        pass


@contextmanager
def listening() -> Iterator[Listener]:
    listener = Listener()
    handler = type("Handler", (_Handler,), {"listener": listener})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    listener.url = f"http://127.0.0.1:{server.server_port}/services/T1/canary-address"
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield listener
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
