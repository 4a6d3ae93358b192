"""What a process of the house can be told to do for many tenants at once: call, wait in the queue, serve it."""

import random
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from django.db import connection as database
from django.db import connections
from django.utils import timezone

from portal.connections.models import Connection, TokenRequest
from portal.connections.services import Urgency, client_for, queue
from portal.inbox.models import Delivery
from portal.platform_api.errors import AuthenticationFailed, TemporaryError
from portal.tenants.scope import all_tenants, tenant_scope
from tests.faults.keeper import ask

MAX_PAUSE_BETWEEN_TRIES = 3.0


def work(tenant_ids: list[int], threads: int, seconds: float, seed: int) -> list[str]:
    """Call the API over and over with many threads, as people do; return what failed for good."""
    end = time.monotonic() + seconds

    def run(number: int) -> str:
        pauses, tenant_id = random.Random(seed * 1000 + number), tenant_ids[number % len(tenant_ids)]
        try:
            while time.monotonic() < end:
                call_until_it_works(tenant_id, end + 30)
                time.sleep(min(pauses.uniform(8, 16), max(0.0, end - time.monotonic())))
            call_until_it_works(tenant_id, end + 30)
        except Exception as error:
            return repr(error)
        return ""

    with ThreadPoolExecutor(threads) as pool:
        return [failure for failure in pool.map(run, range(threads)) if failure]


def call_until_it_works(tenant_id: int, deadline: float) -> None:
    """Make one API call; whoever is told that it is temporary tries again."""
    while True:
        try:
            with tenant_scope(tenant_id):
                client_for(Urgency.PERSON).questionnaires.all.page()
            return
        except (TemporaryError, AuthenticationFailed) as error:
            if time.monotonic() > deadline:
                raise
            time.sleep(min(getattr(error, "retry_after", None) or 1.0, MAX_PAUSE_BETWEEN_TRIES))
        finally:
            connections.close_all()


def want_tokens(tenant_ids: list[int]) -> None:
    """Have tenants wait, every other one for a person."""
    for number, tenant_id in enumerate(tenant_ids):
        with tenant_scope(tenant_id):
            queue.request_token(Connection.objects.get(), Urgency.NEWS if number % 2 else Urgency.PERSON, queue.Waiting())


def serve(at: float = 0.0) -> int:
    """Serve the queue as far as the budget goes; return the number of calls."""
    time.sleep(max(0.0, at - time.time()))
    return queue.serve_all(most=20)


def wanted() -> int:
    with all_tenants("a test counts who waits"):
        return TokenRequest.objects.count()


def ask_beside_others(keys: list[dict[str, int]], threads: int) -> dict[str, Any]:
    """Ask for tokens with many threads, and use the database meanwhile like any other work of the process."""
    slowest = 0.0
    with ThreadPoolExecutor(threads) as pool:
        asked = [pool.submit(ask, **keys[number % len(keys)]) for number in range(threads)]
        while not all(each.done() for each in asked):
            started = time.monotonic()
            with tenant_scope(keys[0]["tenant_id"]):
                Delivery.objects.count()
                TokenRequest.objects.filter(since=None).update(since=timezone.now())
            database.close()
            slowest = max(slowest, time.monotonic() - started)
            time.sleep(0.05)
    return {"slowest": slowest, "tokens": [each.result() for each in asked]}


COMMANDS: dict[str, Callable[..., Any]] = {
    command.__name__: command for command in (work, want_tokens, serve, wanted, ask_beside_others)
}
