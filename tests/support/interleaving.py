"""Callers of the token keeper that are stopped at every step and go on when told to, in any order, in one process.

Each caller runs the real code in a greenlet of its own, and hands over before and after whatever others may come between:
the steps of a mint, the request and the answer on their way, and every sleep. A caller that is never resumed has died.
"""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any
from unittest.mock import patch

import greenlet
import requests

from portal.connections.models import Connection
from portal.connections.services import Urgency, access_token, budget, token_refresh
from portal.connections.services.leases import Lease
from portal.tenants.scope import tenant_scope
from tests.support.clocks import A_MOMENT, Clocks
from tests.support.wsgi_adapter import WsgiAdapter

STEPS = ((token_refresh, "take_lease"), (budget, "take_call"), (Lease, "begin_call"), (token_refresh, "_ask"))
"""After each of them a caller stops."""
ON_ITS_WAY, ARRIVED = "the request is on its way", "the answer is on its way"


class Caller:
    """Somebody who asks for the token, and where on the way they are."""

    def __init__(self, tenant_id: int, ask: Callable[[], Any]) -> None:
        self.at = "the start"
        self.result: Any = None
        self.lease: Lease | None = None
        self.lease_taken = 0.0
        """On the monotonic clock."""
        self.late_by = 0.0
        """Seconds that the call was held up between its being counted and its arrival."""
        self._tenant_id = tenant_id
        self._ask = ask
        self._greenlet = greenlet.greenlet(self._run)

    def __repr__(self) -> str:
        return f"<caller at {self.at}>"

    @property
    def is_done(self) -> bool:
        return bool(self._greenlet.dead)

    def _run(self) -> None:
        with tenant_scope(self._tenant_id):
            try:
                self.result = self._ask()
            except Exception as error:
                self.result = error

    def resume(self) -> None:
        """Go on to the next step."""
        self._greenlet.caller = self
        self._greenlet.switch()

    def hand_over(self) -> None:
        """Let whoever resumed this caller go on."""
        assert self._greenlet.parent
        self._greenlet.parent.switch()

    def clear_away(self) -> None:
        """Take a dead caller out of the way; what it would do now is taken back with the example."""
        while not self.is_done:
            self._greenlet.throw(greenlet.GreenletExit)


def current() -> Caller | None:
    """Return the caller that runs; None for everybody else, who is not stopped."""
    caller: Caller | None = getattr(greenlet.getcurrent(), "caller", None)
    return caller


def stop(at: str) -> None:
    """Hand over, if a caller runs."""
    if caller := current():
        caller.at = at
        caller.hand_over()


class StoppingAdapter(WsgiAdapter):
    """The way to the platform: a caller's request stops on it, and so does the answer."""

    def send(self, request: requests.PreparedRequest, *args: Any, **options: Any) -> requests.Response:
        stop(ON_ITS_WAY)
        try:
            return super().send(request, *args, **options)
        finally:
            stop(ARRIVED)


@contextmanager
def stopping(clocks: Clocks) -> Iterator[None]:
    """Have callers stop after each step, and in every sleep."""

    def after(original: Callable[..., Any], name: str) -> Callable[..., Any]:
        def step(*args: Any, **options: Any) -> Any:
            answer, caller = original(*args, **options), current()
            if caller and name == "take_lease" and answer is not None:
                caller.lease, caller.lease_taken = answer, clocks.monotonic()
            stop(name)
            return answer

        return step

    def sleep(seconds: float) -> None:
        stop("asleep") if current() else clocks.pass_time(max(seconds, A_MOMENT))

    with ExitStack() as stack:
        for owner, name in STEPS:
            stack.enter_context(patch.object(owner, name, after(getattr(owner, name), name)))
        stack.enter_context(patch.object(clocks, "sleep", sleep))
        yield


def ask_as_a_person(connection: Connection, stale: str | None = None) -> str:
    return access_token(Connection.objects.get(pk=connection.pk), Urgency.PERSON, stale=stale)
