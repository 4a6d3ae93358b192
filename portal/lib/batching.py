"""One call for all who want the same thing at the same moment.

A commit costs the database the same for one row as for ten. Whoever comes while a call is on its way waits for its end; then
the first of them makes the next call for all of them. Nobody waits for company: alone, a caller is served at once.
"""

import threading
from collections.abc import Callable, Sequence


class _PendingCall[Call, Result]:
    """One caller's wish, and what became of it."""

    def __init__(self, call: Call) -> None:
        self.call = call
        self.results: list[Result] = []
        self.failure: BaseException | None = None
        self._news = threading.Lock()
        self._news.acquire()

    @property
    def is_settled(self) -> bool:
        return bool(self.results) or self.failure is not None

    def wait(self) -> None:
        """Wait until the wish is settled, or it is this caller's turn to call."""
        self._news.acquire()

    def wake(self) -> None:
        self._news.release()


class CallBatcher[Call, Result]:
    """Calls one function with the wishes of several threads; it returns a result for each, in their order."""

    def __init__(self, serve: Callable[[Sequence[Call]], Sequence[Result]]) -> None:
        self._serve = serve
        self._lock = threading.Lock()
        self._waiting: list[_PendingCall[Call, Result]] = []
        self._is_serving = False

    def __call__(self, call: Call) -> Result:
        """Return the result of one wish. Raises what the call raised that served it."""
        ticket = _PendingCall[Call, Result](call)
        with self._lock:
            self._waiting.append(ticket)
            is_first, self._is_serving = not self._is_serving, True
        if not is_first:
            ticket.wait()
        if not ticket.is_settled:
            self._serve_waiting(ticket)
        if ticket.failure is not None:
            raise ticket.failure
        return ticket.results[0]

    def _serve_waiting(self, own: _PendingCall[Call, Result]) -> None:
        served = self._take()
        try:
            results = self._serve([ticket.call for ticket in served])
            for ticket, result in zip(served, results, strict=True):
                ticket.results.append(result)
        except BaseException as failure:
            # Who came meanwhile is told as well: to find out one after the other would add up the waits for what is away.
            served += self._take()
            for ticket in served:
                ticket.failure = failure
        finally:
            self._hand_over()
            # Each is woken by itself: woken one by the other, the last would wait for the work of all before it.
            for ticket in served:
                if ticket is not own:
                    ticket.wake()

    def _take(self) -> list[_PendingCall[Call, Result]]:
        with self._lock:
            taken, self._waiting = self._waiting, []
        return taken

    def _hand_over(self) -> None:
        """Let the first of those who came meanwhile make the next call."""
        with self._lock:
            next_one = self._waiting[0] if self._waiting else None
            self._is_serving = next_one is not None
        if next_one is not None:
            next_one.wake()
