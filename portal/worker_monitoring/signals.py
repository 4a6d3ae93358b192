"""What workers and web processes do on the way, without being asked."""

import logging
import os
import time
from typing import Any

from billiard.process import current_process
from celery import current_task
from celery.platforms import set_pdeathsig
from django.conf import settings
from django.core.signals import request_finished
from django.db import DatabaseError

from portal.lib import request_ids
from portal.lib.database import renew
from portal.worker_monitoring.services import check_workers, record_heartbeat

logger = logging.getLogger(__name__)

HEARD_EVERY_SECONDS = 2.0
_next_note_at = 0.0
_next_look_at = 0.0


def on_task(sender: Any, **_: Any) -> None:
    """Note that this worker has taken a task; not for each one of a burst."""
    global _next_note_at
    if sender.request.is_eager:
        return
    # Of the request that asked for it; a clock's has none, and its lines belong together as well.
    request_ids.begin(getattr(sender.request, request_ids.TASK_HEADER, None))
    # What the last task left behind may be too old or broken: this is what Django does between requests (guarantee O5).
    renew()
    if time.monotonic() < _next_note_at:
        return
    _next_note_at = time.monotonic() + HEARD_EVERY_SECONDS
    try:
        record_heartbeat(sender.request.hostname)
    except DatabaseError as error:
        logger.warning("a heartbeat could not be noted: %s", type(error).__name__)


def after_task(sender: Any, **_: Any) -> None:
    """Give back a connection that has served its time."""
    if not sender.request.is_eager:
        renew()
        request_ids.end()


def task_facts() -> dict[str, object]:
    """Name the task that is running here, for the log."""
    return {"task": current_task.name, "task_id": current_task.request.id} if current_task else {}


def monitor_from_now_on() -> None:
    """Let this web process look after the workers, from some time after its start: they may be starting as well."""
    global _next_look_at
    _next_look_at = time.monotonic() + settings.WORKER_SILENT_SECONDS
    request_finished.connect(after_answer, dispatch_uid="look_after_workers")


def after_answer(**_: Any) -> None:
    """Look now and then, when an answer has been sent: nobody waits for it, and no thread has to survive a fork."""
    global _next_look_at
    if time.monotonic() < _next_look_at:
        return
    _next_look_at = time.monotonic() + settings.WORKER_SILENT_SECONDS / 4
    try:
        check_workers()
    except DatabaseError as error:
        logger.warning("nobody could look after the workers: %s", type(error).__name__)
    finally:
        renew()


def keep_our_logging(loglevel: int, **_: Any) -> None:
    """Leave logging as the settings have it: by default Celery adds handlers of its own, which hide nothing (guarantee S15)."""
    logging.getLogger("celery").setLevel(loglevel)


def end_with_worker(**_: Any) -> None:
    """Have the kernel end a worker's own clock with it when the worker is killed, as Celery does with its other children."""
    set_pdeathsig("SIGKILL")
    if os.getppid() != current_process()._parent_pid:
        os._exit(1)  # the worker was killed before this: nobody will send the signal any more
