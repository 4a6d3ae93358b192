"""One call for all who want the same thing at the same moment.

A commit costs the database the same for one row as for ten. Whoever comes while a call is on its way waits for its end; then
one of them makes the next call for all of them. Nobody waits for company: alone, a caller is served at once.
"""

import threading
from collections.abc import Callable, Sequence


class _Ticket[Wish, Result]:
    """One caller's wish, and what became of it."""

    def __init__(self, wish: Wish) -> None:
        self.wish = wish
        self.results: list[Result] = []
        self.failure: BaseException | None = None

    @property
    def is_settled(self) -> bool:
        return bool(self.results) or self.failure is not None


class Together[Wish, Result]:
    """Calls one function with the wishes of several threads; it returns a result for each, in their order."""

    def __init__(self, serve: Callable[[Sequence[Wish]], Sequence[Result]]) -> None:
        self._serve = serve
        self._turn = threading.Lock()
        self._lock = threading.Lock()
        self._waiting: list[_Ticket[Wish, Result]] = []

    def __call__(self, wish: Wish) -> Result:
        """Return the result of one wish. Raises what the call raised that served it."""
        ticket = _Ticket[Wish, Result](wish)
        with self._lock:
            self._waiting.append(ticket)
        with self._turn:
            if not ticket.is_settled:
                self._serve_waiting()
        if ticket.failure is not None:
            raise ticket.failure
        return ticket.results[0]

    def _serve_waiting(self) -> None:
        tickets = self._take()
        try:
            results = self._serve([ticket.wish for ticket in tickets])
            for ticket, result in zip(tickets, results, strict=True):
                ticket.results.append(result)
        except BaseException as failure:
            # Who came meanwhile is told as well: to find out one after the other would add up the waits for what is away.
            for ticket in [*tickets, *self._take()]:
                ticket.failure = failure

    def _take(self) -> list[_Ticket[Wish, Result]]:
        with self._lock:
            taken, self._waiting = self._waiting, []
        return taken
