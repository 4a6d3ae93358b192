"""The loader: a process of its own that delivers over keep-alive connections, so that it does not share the portal's time.

Run as `python -m tests.bench.load`, with a plan as JSON on its standard input; what it measured comes as JSON.
"""

import json
import selectors
import socket
import statistics
import subprocess
import sys
import time
from collections import Counter, deque
from dataclasses import asdict, dataclass
from datetime import UTC, datetime

from standardwebhooks import Webhook


@dataclass(frozen=True)
class Plan:
    """What to deliver. With a rate, each is sent at its own moment, however slow the answers are (an open loop)."""

    port: int
    path: str
    secret: str
    name: str
    count: int
    clients: int
    rate: float = 0.0
    seconds: float = 30.0


@dataclass(frozen=True)
class Measured:
    """How it went. Times in milliseconds, from the moment a delivery was due."""

    answered: dict[str, int]
    a_second: float
    p50: float
    p99: float
    slowest: float

    def count(self, status: int) -> int:
        return self.answered.get(str(status), 0)


def deliver(plan: Plan) -> Measured:
    """Run the loader and wait for it."""
    command = [sys.executable, "-m", "tests.bench.load"]
    done = subprocess.run(command, input=json.dumps(asdict(plan)), capture_output=True, text=True, check=True)
    return Measured(**json.loads(done.stdout))


class Line:
    """One connection, with at most one request on its way."""

    def __init__(self, port: int) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._due, self._answer = 0.0, b""

    def send(self, request: bytes, due: float) -> None:
        self._due, self._answer = due, b""
        self.socket.sendall(request)

    def receive(self) -> tuple[str, float] | None:
        """Return the status and the time since it was due; None while the answer is not complete. What counts has no body."""
        piece = self.socket.recv(4096)
        self._answer += piece
        if piece and b"\r\n\r\n" not in self._answer:
            return None
        return self._answer[9:12].decode() if piece else "closed", time.perf_counter() - self._due


class Load:
    """The connections of one plan, all in one thread: threads would spend the processors' time on taking turns."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._requests = [_request(plan, number) for number in range(plan.count)]
        self._free = deque(Line(plan.port) for _ in range(plan.clients))
        self._sent = 0
        self._answered: list[tuple[str, float]] = []

    def run(self) -> Measured:
        self._started = time.perf_counter()
        with selectors.DefaultSelector() as waiting:
            while self._send_due(waiting) or waiting.get_map():
                for key, _ in waiting.select(self._seconds_to_next()):
                    self._receive(waiting, key.data)
        took = time.perf_counter() - self._started
        times = sorted(seconds for _, seconds in self._answered) or [0.0]
        statuses = Counter(status for status, _ in self._answered)
        p99 = times[int(len(times) * 0.99)] if len(times) > 1 else times[0]
        return Measured(
            dict(statuses), len(times) / took, *(1000 * each for each in (statistics.median(times), p99, times[-1]))
        )

    def _send_due(self, waiting: selectors.BaseSelector) -> bool:
        """Send what is due on the connections that are free; False when there is nothing more to send."""
        while self._has_more() and self._free and (due := self._due()) <= time.perf_counter():
            line = self._free.popleft()
            line.send(self._requests[self._sent], due)
            waiting.register(line.socket, selectors.EVENT_READ, line)
            self._sent += 1
        return self._has_more()

    def _receive(self, waiting: selectors.BaseSelector, line: Line) -> None:
        if answer := line.receive():
            self._answered.append(answer)
            waiting.unregister(line.socket)
            self._free.append(line)

    def _has_more(self) -> bool:
        return self._sent < self._plan.count and time.perf_counter() < self._started + self._plan.seconds

    def _due(self) -> float:
        return self._started + self._sent / self._plan.rate if self._plan.rate else time.perf_counter()

    def _seconds_to_next(self) -> float | None:
        """How long to wait for answers: until the next one is due, if it can be sent then."""
        return max(0.0, self._due() - time.perf_counter()) if self._free and self._has_more() else None


def _request(plan: Plan, number: int) -> bytes:
    body = json.dumps({"questionnaire": {"id": f"{plan.name}{number:020x}", "status": "IN_REVIEW"}})
    hook_id, at = f"msg_{plan.name}_{number}", datetime.now(UTC)
    head = (
        f"POST {plan.path} HTTP/1.1\r\nHost: 127.0.0.1:{plan.port}\r\nContent-Type: application/json\r\n"
        f"Content-Length: {len(body)}\r\nhook-id: {hook_id}\r\nhook-timestamp: {int(at.timestamp())}\r\n"
        f"hook-signature: {Webhook(plan.secret).sign(hook_id, at, body)}\r\n\r\n"
    )
    return (head + body).encode()


if __name__ == "__main__":
    print(json.dumps(asdict(Load(Plan(**json.load(sys.stdin))).run())))
