"""The loader: a process of its own that delivers over keep-alive connections, so that it does not share the portal's time.

Run as `python -m tests.bench.load`, with a plan as JSON on its standard input; what it measured comes as JSON.
"""

import json
import socket
import statistics
import subprocess
import sys
import threading
import time
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


class Load:
    """The connections of one plan, each in a thread."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._requests = [_request(plan, number) for number in range(plan.count)]
        self._next = iter(range(plan.count))
        self._lock = threading.Lock()
        self._begin = threading.Barrier(plan.clients + 1)
        self._started = 0.0
        self.times: list[float] = []
        self.statuses: list[str] = []

    def run(self) -> Measured:
        threads = [threading.Thread(target=self._client) for _ in range(self._plan.clients)]
        for thread in threads:
            thread.start()
        self._started = time.perf_counter() + 0.05
        self._begin.wait()
        for thread in threads:
            thread.join()
        took = time.perf_counter() - self._started
        times = sorted(self.times) or [0.0]
        answered = {status: self.statuses.count(status) for status in set(self.statuses)}
        p99 = times[int(len(times) * 0.99)] if len(times) > 1 else times[0]
        return Measured(answered, len(times) / took, *(1000 * each for each in (statistics.median(times), p99, times[-1])))

    def _client(self) -> None:
        connection = socket.create_connection(("127.0.0.1", self._plan.port))
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        connection.settimeout(60)
        self._begin.wait()
        time.sleep(max(0.0, self._started - time.perf_counter()))
        while (number := self._take()) is not None:
            due = self._started + number / self._plan.rate if self._plan.rate else time.perf_counter()
            time.sleep(max(0.0, due - time.perf_counter()))
            status = _exchange(connection, self._requests[number])
            self.times.append(time.perf_counter() - due)
            self.statuses.append(status)
        connection.close()

    def _take(self) -> int | None:
        with self._lock:
            is_over = time.perf_counter() > self._started + self._plan.seconds
            return None if is_over else next(self._next, None)


def _exchange(connection: socket.socket, request: bytes) -> str:
    """Send one request and return the status; the answers that count have no body."""
    connection.sendall(request)
    answer = b""
    while b"\r\n\r\n" not in answer:
        piece = connection.recv(4096)
        if not piece:
            return "closed"
        answer += piece
    return answer[9:12].decode()


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
