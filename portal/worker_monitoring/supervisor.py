"""Runs one Celery worker as a child and replaces it when it has died or is unresponsive (guarantee Q7).

A worker can live and hear nothing: its connection to the broker is half open, its event loop stands still. So its supervisor
sends it a task through the broker, on a queue of its own, and looks in the database whether it was taken.
"""

import logging
import signal
import subprocess
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from types import FrameType

from celery import current_app
from django.db import DatabaseError

from portal.lib import children
from portal.lib.database import renew
from portal.lib.enqueue import check_registered
from portal.worker_monitoring.queues import QUEUE_VARIABLE, own_queue
from portal.worker_monitoring.selectors import last_bell
from portal.worker_monitoring.services import forget_heartbeat, last_heartbeat

logger = logging.getLogger(__name__)

HEARTBEAT = "portal.worker_monitoring.tasks.heartbeat"
LOOK_SECONDS = 0.5
PATIENCE_SECONDS = 28.0
"""A deploy waits for half a minute. A task goes on for 15 s by itself (`lib.turns`), and one call takes at most 13 more."""
DEAF_PATIENCE_SECONDS = 5.0
MAX_PAUSE_SECONDS = 30.0
STARTING_SECONDS = 60.0
"""A busy machine takes so long to start a worker; it is not called unresponsive for it."""


@dataclass(frozen=True)
class Intervals:
    """How often the worker is called, and how long it may be silent. All in seconds."""

    ping: float = 10.0
    unresponsive_after: float = 45.0


class Supervisor:
    """One worker and what becomes of it."""

    def __init__(self, command: Sequence[str], *, name: str, has_clock: bool, intervals: Intervals) -> None:
        self._command = command
        self._name = name
        self._has_clock = has_clock
        self._intervals = intervals
        self._stopping = threading.Event()

    def listen_for_signals(self) -> None:
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self._on_signal)

    def run(self) -> int:
        """Keep a worker running until somebody asks this process to end (0), or it turns out that none can be started."""
        failures = 0
        while not self._stopping.is_set():
            started, ears = (
                time.monotonic(),
                WorkerMonitor(self._intervals.unresponsive_after, self._name, has_clock=self._has_clock),
            )
            child = self._start()
            reason = self._watch(child, ears)
            code = child.poll() or 0
            if not children.end(child, patience=DEAF_PATIENCE_SECONDS if reason else PATIENCE_SECONDS):
                logger.warning("the worker had to be killed; what it was doing waits in rows until its leases end")
            if not reason:
                break
            if code > 0 and not failures and not ears.has_heard:
                # Nobody has killed it: its settings or its keys end it. Whoever starts this process should see that.
                logger.error("the worker %s instead of starting", reason)
                self._forget()
                return code
            has_lasted = time.monotonic() - started > 2 * self._intervals.unresponsive_after
            failures = 1 if has_lasted else failures + 1
            pause = min(2.0 ** (failures - 1), MAX_PAUSE_SECONDS)
            logger.error("the worker %s; it is replaced in %.0f s", reason, pause)
            self._stopping.wait(pause)
        self._forget()
        return 0

    def _start(self) -> subprocess.Popen[str]:
        # Killed with its supervisor, not asked: nobody would be there to lose patience with it.
        return children.start(self._command, env={QUEUE_VARIABLE: self._name}, when_orphaned=signal.SIGKILL)

    def _watch(self, child: subprocess.Popen[str], ears: "WorkerMonitor") -> str:
        """Wait until the child needs replacing and return why; empty when this process is to end."""
        next_ping = time.monotonic()
        while not self._stopping.wait(LOOK_SECONDS):
            if child.poll() is not None:
                return f"has ended with code {child.returncode}"
            if time.monotonic() >= next_ping:
                next_ping = time.monotonic() + self._intervals.ping
                ears.listen(is_reachable=ping(self._name))
                if ears.complaint:
                    return ears.complaint
        return ""

    def _forget(self) -> None:
        """Leave nothing of this worker behind. What cannot be removed now goes by itself, or does no harm."""
        renew()
        try:
            forget_heartbeat(self._name)
            with current_app.connection_for_write() as broker:
                queue = own_queue(self._name)(broker.default_channel)
                queue.purge()  # type: ignore[no-untyped-call]
                queue.delete()  # type: ignore[no-untyped-call]
        except Exception as error:  # each transport fails in its own way
            logger.warning("this worker's heartbeat stays behind for a day: %s", type(error).__name__)

    def _on_signal(self, number: int, frame: FrameType | None) -> None:
        self._stopping.set()


def ping(name: str) -> bool:
    """Send a heartbeat to one worker. False: the broker cannot be reached, and a new worker would not hear more."""
    check_registered(HEARTBEAT)
    try:
        current_app.send_task(HEARTBEAT, queue=own_queue(name), retry=False, expires=60)
    except Exception as error:  # each transport fails in its own way
        logger.warning("the broker cannot be reached: %s", type(error).__name__)
        return False
    return True


class WorkerMonitor:
    """Tells how long nothing was heard. Only changes count: the clocks of the machines need not agree."""

    def __init__(self, unresponsive_after: float, name: str, *, has_clock: bool) -> None:
        self._unresponsive_after = unresponsive_after
        self._name = name
        self._has_clock = has_clock
        self._last: tuple[object, object] | None = None
        self.has_heard = False
        self._heard_at = self._rung_at = time.monotonic() + STARTING_SECONDS

    def listen(self, *, is_reachable: bool) -> None:
        """Look what was noted since the last time."""
        now = time.monotonic()
        if not is_reachable:
            self._heard_at, self._rung_at = max(now, self._heard_at), max(now, self._rung_at)
            return
        renew()
        try:
            noted = last_heartbeat(self._name), last_bell()
        except DatabaseError as error:
            logger.warning("nobody knows whether the worker hears: %s", type(error).__name__)
            self._heard_at, self._rung_at = max(now, self._heard_at), max(now, self._rung_at)
            return
        if self._last is None:
            # What the worker before this one, or the clock of another, has left behind.
            self._last = noted
        if noted[0] != self._last[0]:
            self._heard_at, self.has_heard = now, True
        if noted[1] != self._last[1]:
            self._rung_at = now
        self._last = noted

    @property
    def complaint(self) -> str:
        now = time.monotonic()
        if now - self._heard_at > self._unresponsive_after:
            return f"is unresponsive: it has taken no task for {now - self._heard_at:.0f} s although the broker can be reached"
        if self._has_clock and now - self._rung_at > self._unresponsive_after:
            return f"has a clock that has not rung for {now - self._rung_at:.0f} s"
        return ""
