"""Ring the bell for a task: a hint to look into the table now. The work is a row; a lost bell only costs time."""

import logging
import time

from celery import current_app
from django.db import transaction

logger = logging.getLogger(__name__)

HEARD_WITHIN_SECONDS = 15
"""An older bell is thrown away: the sweep was there since. A flood for one tenant cannot keep the others waiting for longer."""
SILENCE_SECONDS = 5.0
"""After a failure nobody tries for so long: a broker that is down would cost every request its timeout."""
_silent_until = 0.0


def ring(task: str, *args: int) -> None:
    """Ask for a task by name, once the current transaction has committed. A broker that is down is logged, nothing more."""
    transaction.on_commit(lambda: _send(task, args))


def _send(task: str, args: tuple[int, ...]) -> None:
    global _silent_until
    if time.monotonic() < _silent_until:
        return
    try:
        current_app.send_task(task, args=args, retry=False, expires=HEARD_WITHIN_SECONDS)
    except Exception as error:  # each transport fails in its own way, and none of it may reach the caller (guarantee H6)
        _silent_until = time.monotonic() + SILENCE_SECONDS
        logger.warning("the broker did not take %s: %s", task, type(error).__name__)
