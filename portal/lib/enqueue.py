"""Enqueue a task: a hint to look into the table now. The work is a row; a lost message only costs time."""

import logging
import threading
import time
from importlib import import_module

from celery import current_app
from celery.exceptions import NotRegistered
from django.db import connection, transaction

from portal.lib.request_ids import TASK_HEADER, current_request_id, working_for

logger = logging.getLogger(__name__)

HEARD_WITHIN_SECONDS = 15
"""An older message is thrown away: the sweep was there since. A flood for one tenant keeps the others waiting no longer."""
SILENCE_SECONDS = 5.0
"""After a failure nobody tries for so long: a broker that is down would cost every request its timeout."""
PAUSE_SECONDS = 0.25
"""A task is enqueued once in this time for each tenant: one run of it serves a whole burst of deliveries."""
MAX_REMEMBERED = 10_000
_silent_until = 0.0
_last_sent: dict[tuple[object, ...], float] = {}
_lock = threading.Lock()


def enqueue_on_commit(task: str, *args: int) -> None:
    """Ask for a task by name, once the current transaction has committed. A broker that is down is logged, nothing more.

    Like its sisters it raises NotRegistered at once for a name that is no task.
    """
    check_registered(task)
    transaction.on_commit(lambda: _send(task, args))


def enqueue_in(seconds: float, task: str, *args: int) -> None:
    """Ask for a task some seconds after the current transaction has committed. For a minute at most: the row knows its time."""
    check_registered(task)
    transaction.on_commit(lambda: _send(task, args, countdown=seconds))


def enqueue_coalesced(task: str, *args: int) -> None:
    """Ask for a task that many ask for at the same moment: now, or together with the others a blink later."""
    check_registered(task)
    if connection.in_atomic_block:
        transaction.on_commit(lambda: _send_once(task, args))
    else:
        # Not through on_commit: it would take a connection out of the pool only to learn that there is no transaction.
        _send_once(task, args)


def check_registered(task: str) -> None:
    """Raise NotRegistered for a name that is no task: a worker would throw its message away, and nobody would miss it."""
    if task in current_app.tasks:
        return
    try:
        # A web process imports the tasks of a room when it first needs one.
        import_module(task.rpartition(".")[0] or task)
    except ImportError as error:
        raise NotRegistered(task) from error
    if task not in current_app.tasks:
        raise NotRegistered(task)


def _send_once(task: str, args: tuple[int, ...]) -> None:
    key, now = (task, *args), time.monotonic()
    with _lock:
        next_at = _last_sent.get(key, 0.0) + PAUSE_SECONDS
        if next_at > now + PAUSE_SECONDS:
            return  # one message is on its way, and it will be taken after this row was stored
        if len(_last_sent) > MAX_REMEMBERED:
            _last_sent.clear()
        _last_sent[key] = max(now, next_at)
    if next_at <= now:
        _send(task, args)
        return
    timer = threading.Timer(next_at - now, _send_for, (current_request_id(), task, args))
    timer.daemon = True
    timer.start()


def _send_for(request_id: str, task: str, args: tuple[int, ...]) -> None:
    """Send from another thread than the one that asked. Of several who asked the first one gives the name."""
    with working_for(request_id):
        _send(task, args)


def _send(task: str, args: tuple[int, ...], *, countdown: float = 0) -> None:
    global _silent_until
    if time.monotonic() < _silent_until:
        return
    try:
        options: dict[str, object] = {"countdown": countdown} if countdown else {}
        if request_id := current_request_id():
            options["headers"] = {TASK_HEADER: request_id}
        current_app.send_task(task, args=args, retry=False, expires=countdown + HEARD_WITHIN_SECONDS, **options)
    except Exception as error:  # each transport fails in its own way, and none of it may reach the caller (guarantee H6)
        _silent_until = time.monotonic() + SILENCE_SECONDS
        logger.warning("the broker did not take %s: %s", task, type(error).__name__)
