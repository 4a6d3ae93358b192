"""Clients that deliver over real HTTP: without an end, or a given pile of copies, each until it is taken."""

import threading
import time
from collections import deque
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor

import requests

from tests.faults.history import Message
from tests.faults.house import House

CLIENTS = 6


class Load:
    """Clients that deliver as fast as they are answered, and remember what was acknowledged."""

    def __init__(self, house: House, path: str, *, clients: int = CLIENTS, pause: float = 0) -> None:
        self.acknowledged: list[str] = []
        self.unanswered = self.refused = 0
        self._house, self._path, self._pause = house, path, pause
        self._is_over = threading.Event()
        self._clients = [threading.Thread(target=self._deliver, args=(number,)) for number in range(clients)]

    def __enter__(self) -> "Load":
        for client in self._clients:
            client.start()
        return self

    def __exit__(self, *exception: object) -> None:
        self._is_over.set()
        for client in self._clients:
            client.join()

    def _deliver(self, client: int) -> None:
        turn = 0
        while not self._is_over.is_set():
            turn += 1
            hook_id = f"msg_{client}_{turn}"
            try:
                if self._house.post(self._path, hook_id, f"q{client}x{turn}") == 204:
                    self.acknowledged.append(hook_id)
                else:
                    self.refused += 1
            except requests.RequestException:
                self.unanswered += 1
                time.sleep(0.05)
            time.sleep(self._pause)


class Pile:
    """Copies of messages on their way, each sent again and again until it is answered with 2xx, as the platform does.

    They leave as `let_through` says: whoever strikes at the portal wants some to be on their way, however fast it is.
    """

    def __init__(self, house: House, path: str, copies: Iterable[Message], *, clients: int = CLIENTS) -> None:
        self.taken = self.refused = 0
        self._house, self._path, self._copies = house, path, deque(copies)
        self._lock = threading.Lock()
        self._left, self._may_leave = 0, 0
        self._threads = ThreadPoolExecutor(clients)
        self._is_over = False
        self._clients = [self._threads.submit(self._deliver) for _ in range(clients)]

    def __enter__(self) -> "Pile":
        return self

    def __exit__(self, *exception: object) -> None:
        """Leave the rest: a test that has failed waits for nobody."""
        self._is_over = True
        self._threads.shutdown()

    def let_through(self, number: int) -> None:
        """Let the copies leave up to the one of this number."""
        self._may_leave = number

    def wait(self) -> None:
        """Wait until all is delivered. Raise what a client ended with."""
        for client in self._clients:
            client.result()

    def _deliver(self) -> None:
        with requests.Session() as session:
            while not self._is_over and (copy := self._next()):
                while not self._is_over and not self._is_taken(session, copy):
                    time.sleep(0.2)

    def _next(self) -> Message | None:
        """Take the next copy when it may leave; None after the last one."""
        while not self._is_over:
            with self._lock:
                if not self._copies:
                    return None
                if self._left < self._may_leave:
                    self._left += 1
                    return self._copies.popleft()
            time.sleep(0.02)
        return None

    def _is_taken(self, session: requests.Session, copy: Message) -> bool:
        try:
            is_taken = self._house.deliver(self._path, copy.hook_id, copy.body, session=session) // 100 == 2
        except requests.RequestException:
            is_taken = False
        with self._lock:
            self.taken += is_taken
            self.refused += not is_taken
        return is_taken
