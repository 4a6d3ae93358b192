"""The Celery application: where tasks run and which ones run on a clock. A task is only a bell; the work waits in rows."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "portal.settings")

from django.conf import settings

app = Celery("portal")

LONGEST_TASK_SECONDS = 120
FOLDER = settings.DATA_DIR / "broker"
TRANSPORT_OPTIONS: dict[str, dict[str, object]] = {
    # The embedded broker of a single machine: files that the worker looks for ten times a second.
    "filesystem": {
        "data_folder_in": str(FOLDER / "queue"),
        "data_folder_out": str(FOLDER / "queue"),
        "control_folder": str(FOLDER / "control"),
        "store_processed": False,
    },
    # Redis hands a task whose worker died to another one after the visibility timeout; kombu looks only every 100 s by default.
    "redis": {
        "visibility_timeout": LONGEST_TASK_SECONDS + 60,
        "unacked_restore_interval": 5,
        "unacked_restore_throttle": 1,
        "socket_timeout": 1,
        "socket_connect_timeout": 1,
        # Without these a publisher waits two seconds before it gives a broker up.
        "max_retries": 1,
        "interval_start": 0,
        "interval_step": 0.1,
    },
}
SCHEME = settings.CELERY_BROKER_URL.partition(":")[0]
if SCHEME == "filesystem":
    for folder in ("queue", "control"):
        (FOLDER / folder).mkdir(parents=True, exist_ok=True)

app.conf.update(
    broker_url=settings.CELERY_BROKER_URL,
    broker_transport_options=TRANSPORT_OPTIONS.get(SCHEME, {}),
    broker_connection_retry_on_startup=True,
    # The publisher never waits long for a broker that is down or silent: the sweep finds the row (guarantee H6).
    broker_connection_timeout=1,
    task_publish_retry=False,
    task_ignore_result=True,
    task_acks_late=True,
    task_reject_on_worker_lost=True,
    worker_prefetch_multiplier=1,
    worker_hijack_root_logger=False,
    task_time_limit=LONGEST_TASK_SECONDS,
    task_always_eager=settings.CELERY_BROKER_URL == "memory://eager",
    timezone="UTC",
)
app.autodiscover_tasks()

# In memory: all entries are intervals, and after a kill the file that Celery keeps by default can stop the clock from starting.
app.conf.beat_scheduler = "celery.beat:Scheduler"

app.conf.beat_schedule = {
    # Deliveries and stale marks whose bell was lost, and those whose retry is due.
    "sweep_deliveries": {"task": "portal.inbox.tasks.sweep_deliveries", "schedule": 15},
    "sweep_stale_marks": {"task": "portal.inbox.tasks.sweep_stale_marks", "schedule": 15},
    # The bodies of deliveries that were handled long ago.
    "prune_deliveries": {"task": "portal.inbox.tasks.prune_deliveries", "schedule": 3600},
    # The full comparison with the platform, tenant by tenant as each falls due.
    "sweep_reconciles": {"task": "portal.inbox.tasks.sweep_reconciles", "schedule": 60},
    # Feeds that are silent for longer than their own rhythm explains.
    "watch_feeds": {"task": "portal.inbox.tasks.watch_feeds", "schedule": 900},
    # Erasures whose answer was lost, that have yet to be sent, or that were confirmed and not carried out here.
    "sweep_deletion_requests": {"task": "portal.deletion_requests.tasks.sweep_deletion_requests", "schedule": 30},
    # Contracts whose bell was lost, whose answer was lost, or whose minute has come.
    "sweep_uploads": {"task": "portal.contracts.tasks.sweep_uploads", "schedule": 15},
    # Tenants that wait for a token, and grants that were cut here and have yet to be suspended at the platform.
    "serve_token_queue": {"task": "portal.connections.tasks.serve_token_queue", "schedule": 5},
    # Grants that nobody used for days, so that their refresh tokens do not run out.
    "keep_grants_alive": {"task": "portal.connections.tasks.keep_grants_alive", "schedule": 600},
    # What each grant covers: once a day, and soon after a connect whose bell was lost.
    "sweep_probes": {"task": "portal.connections.tasks.sweep_probes", "schedule": 60},
    # Owners who have yet to learn that their grant has ended.
    "tell_of_ended_grants": {"task": "portal.connections.tasks.tell_of_ended_grants", "schedule": 60},
    # Copies whose date has come, and tenants that were deleted.
    "sweep_leavings": {"task": "portal.connections.tasks.sweep_leavings", "schedule": 60},
}
