"""Is anything still heard? Asked by the web processes, which are there when every worker is gone."""

from datetime import datetime

from django.conf import settings
from django.utils import timezone

from portal.worker_monitoring.selectors import last_bell, last_heartbeat
from portal.worker_monitoring.services import alarms

WORKERS = "no worker"
NO_WORKER = "No worker has taken a task for a while. What arrives is kept, nothing is worked on: look after `manage.py worker`."
CLOCK = "no clock"
NO_CLOCK = "No clock has rung for a while, so no periodic job runs: at least one `manage.py worker` has to run with its clock."


def check_workers() -> None:
    """Tell the operator when no worker takes tasks, or no clock rings; and when that is over."""
    if _is_recent(last_heartbeat()):
        alarms.clear(WORKERS, "A worker takes tasks again.")
    else:
        alarms.raise_alarm(WORKERS, NO_WORKER)
    if _is_recent(last_bell()):
        alarms.clear(CLOCK, "A clock rings again.")
    else:
        alarms.raise_alarm(CLOCK, NO_CLOCK)


def _is_recent(moment: datetime | None) -> bool:
    return moment is not None and (timezone.now() - moment).total_seconds() < settings.WORKER_SILENT_SECONDS
