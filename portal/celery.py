"""The Celery application: where tasks run and which ones run on a clock. A message is only a hint; the work waits in rows."""

import os
import ssl
import sys

from celery import Celery
from kombu.entity import Queue
from kombu.transport import TRANSPORT_ALIASES

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "portal.settings")

from django.conf import settings

from portal.worker_monitoring.queues import QUEUE_VARIABLE, own_queue

# Before any connection is made: ours bears a process that is killed while it writes.
TRANSPORT_ALIASES["filesystem"] = "portal.lib.folder_broker:Transport"

app = Celery("portal")
# For every thread: by itself it is that of the thread which imports this, and of the others only if nobody has asked before.
app.set_default()

MAX_TASK_SECONDS = 120
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
        "visibility_timeout": MAX_TASK_SECONDS + 60,
        "unacked_restore_interval": 5,
        "unacked_restore_throttle": 1,
        # A call to a broker that says nothing ends after a second, so that neither a publisher nor a worker hangs on it.
        "socket_timeout": 1,
        "socket_connect_timeout": 1,
        # The wait for the next task is no call: whether an answer is overdue is looked at by this interval, and the connection
        # is made anew within twice of it, where a worker would otherwise listen to a dead connection for ever.
        "health_check_interval": 10,
        # A host that vanished without a word is noticed by the kernel, too, and firewalls keep quiet connections.
        "socket_keepalive": True,
        # Without these a publisher waits two seconds before it gives a broker up.
        "max_retries": 1,
        "interval_start": 0,
        "interval_step": 0.1,
    },
}
TRANSPORT_OPTIONS["rediss"] = TRANSPORT_OPTIONS["redis"]  # the same over TLS
SCHEME = settings.CELERY_BROKER_URL.partition(":")[0]
if SCHEME == "filesystem":
    for folder in ("queue", "control"):
        (FOLDER / folder).mkdir(parents=True, exist_ok=True)

app.conf.update(
    broker_url=settings.CELERY_BROKER_URL,
    broker_transport_options=TRANSPORT_OPTIONS.get(SCHEME, {}),
    # By default kombu takes any certificate of a Redis. The address can say so, too: `?ssl_cert_reqs=none`.
    broker_use_ssl={"ssl_cert_reqs": ssl.CERT_REQUIRED} if SCHEME == "rediss" else False,
    # A worker tries for ever to reach its broker again: after a hundred times in vain it would end by default.
    broker_connection_retry=True,
    broker_connection_retry_on_startup=True,
    broker_connection_max_retries=None,
    # RabbitMQ and its clients tell each other that they live; two beats left out mean that the other one is gone.
    broker_heartbeat=20,
    # The publisher never waits long for a broker that is down or silent: the sweep finds the row (guarantee H6).
    broker_connection_timeout=1,
    task_publish_retry=False,
    task_ignore_result=True,
    task_acks_late=True,
    task_reject_on_worker_lost=True,
    # Work goes on while the broker is away, and ends in its rows. The task comes a second time then and finds nothing to do;
    # to kill it in the middle of a call would only make that call's outcome uncertain.
    worker_cancel_long_running_tasks_on_connection_loss=False,
    worker_prefetch_multiplier=1,
    worker_hijack_root_logger=False,
    task_time_limit=MAX_TASK_SECONDS,
    task_always_eager=settings.CELERY_BROKER_URL == "memory://eager",
    timezone="UTC",
)
app.autodiscover_tasks()

# In the database: every worker may carry a clock, and one of them rings each turn. After a kill the file that Celery keeps by
# default can stop the clock from starting.
app.conf.beat_scheduler = "portal.worker_monitoring.clock:SharedClock"

# By default every task opens a connection of its own to the database. Django's own rules (CONN_MAX_AGE, health checks) are
# applied around each task instead, in `portal.worker_monitoring.signals` (guarantee O5).
app.conf["CELERY_DB_REUSE_MAX"] = sys.maxsize

if own := os.environ.get(QUEUE_VARIABLE):
    # Its supervisor pings it there. Listed together with the queue of all workers, which would otherwise be left out.
    app.conf.task_queues = [Queue(app.conf.task_default_queue), own_queue(own)]  # type: ignore[no-untyped-call]

app.conf.beat_schedule = {
    # Deliveries and stale marks whose message was lost, and those whose retry is due.
    "sweep_deliveries": {"task": "portal.inbox.tasks.sweep_deliveries", "schedule": 15},
    "sweep_stale_marks": {"task": "portal.inbox.tasks.sweep_stale_marks", "schedule": 15},
    # The records of what was sent to the language model, after their time.
    "prune_model_calls": {"task": "portal.language_model.tasks.prune_model_calls", "schedule": 3600},
    # The bodies of deliveries that were handled long ago.
    "prune_deliveries": {"task": "portal.inbox.tasks.prune_deliveries", "schedule": 3600},
    # The full comparison with the platform, tenant by tenant as each falls due. Often, because a first copy pauses each minute.
    "sweep_reconciles": {"task": "portal.inbox.tasks.sweep_reconciles", "schedule": 15},
    # Feeds that are silent for longer than their own rhythm explains.
    "watch_feeds": {"task": "portal.inbox.tasks.watch_feeds", "schedule": 900},
    # Erasures whose answer was lost, that have yet to be sent, or that were confirmed and not carried out here.
    "sweep_deletion_requests": {"task": "portal.deletion_requests.tasks.sweep_deletion_requests", "schedule": 30},
    # People who were erased days ago: have they come back?
    "sweep_second_looks": {"task": "portal.deletion_requests.tasks.sweep_second_looks", "schedule": 300},
    # Contracts whose message was lost, whose answer was lost, or whose minute has come.
    "sweep_uploads": {"task": "portal.contracts.tasks.sweep_uploads", "schedule": 15},
    # Documents of contracts to be read and contracts to be deleted, where the message was lost or a worker died.
    "sweep_contract_work": {"task": "portal.contracts.tasks.sweep_contract_work", "schedule": 15},
    # Contracts that have renewed themselves, and those that end soon or can be given notice only a little longer.
    "remind_of_contracts": {"task": "portal.contracts.tasks.remind_of_contracts", "schedule": 600},
    # Decisions about access requests whose half minute has passed and whose message was lost, or whose worker died.
    "sweep_decisions": {"task": "portal.access_requests.tasks.sweep_decisions", "schedule": 5},
    # Requests to which the rules have to be applied anew, and rules that wait for fresh facts.
    "sweep_rules": {"task": "portal.access_requests.tasks.sweep_rules", "schedule": 15},
    # Questions and answers whose terms were made with the lexicon of an earlier release.
    "sweep_postings": {"task": "portal.library.tasks.sweep_postings", "schedule": 300},
    # Entries that changed and questions that were asked, to be compared with each other.
    "sweep_comparisons": {"task": "portal.library.tasks.sweep_comparisons", "schedule": 15},
    # Exports of questionnaires whose event has not come.
    "sweep_exports": {"task": "portal.questionnaires.tasks.sweep_exports", "schedule": 10},
    # Bulk runs whose message was lost, whose worker died, or whose pause is over.
    "sweep_bulk_runs": {"task": "portal.questionnaires.tasks.sweep_bulk_runs", "schedule": 15},
    # Drafts of answers whose message was lost, or whose worker died.
    "sweep_drafting_runs": {"task": "portal.questionnaires.tasks.sweep_drafting_runs", "schedule": 15},
    # Changes of viewers whose message was lost, whose worker died, or whose pause is over.
    "sweep_viewer_runs": {"task": "portal.access_requests.tasks.sweep_viewer_runs", "schedule": 15},
    # Changes of groups of people whose message was lost, whose worker died, or whose pause is over.
    "sweep_group_runs": {"task": "portal.people.tasks.sweep_group_runs", "schedule": 15},
    # Files of compliance documents of which it is not known whether they have arrived.
    "sweep_document_uploads": {"task": "portal.documents.tasks.sweep_document_uploads", "schedule": 30},
    # What the lists of compliance documents leave out, a few a minute.
    "sweep_document_details": {"task": "portal.documents.tasks.sweep_document_details", "schedule": 60},
    # Updates of Trust Centers whose half minute has passed and whose message was lost, or whose worker died.
    "sweep_publications": {"task": "portal.trust_center.tasks.sweep_publications", "schedule": 15},
    # Trust Centers whose content was not looked at for some minutes: what expires, and what contradicts a sent answer.
    "sweep_content": {"task": "portal.trust_center.tasks.sweep_content", "schedule": 60},
    # What the review of viewers needs from other rooms: when somebody was last active, which contracts there are.
    "sweep_viewer_checks": {"task": "portal.access_requests.tasks.sweep_viewer_checks", "schedule": 60},
    # Work items whose objects have changed, and those of tenants that were not compared with their desks for a day.
    "sweep_work_items": {"task": "portal.work_items.tasks.sweep_work_items", "schedule": 10},
    "compare_work_items": {"task": "portal.work_items.tasks.compare_work_items", "schedule": 600},
    # Those whose time is a day away: it may come late by as much.
    "sweep_near_items": {"task": "portal.work_items.tasks.sweep_near_items", "schedule": 900},
    "sweep_overdue_items": {"task": "portal.work_items.tasks.sweep_overdue_items", "schedule": 60},
    # What members are told by email and teams by their channels, as soon as it is due, and what is due for each in the morning.
    "deliver_notifications": {"task": "portal.notifications.tasks.deliver_notifications", "schedule": 15},
    "post_notifications": {"task": "portal.notifications.tasks.post_notifications", "schedule": 15},
    # Messages in Slack on which people decide, where something has changed since.
    "sweep_slack_messages": {"task": "portal.slack.tasks.sweep_messages", "schedule": 10},
    "tell_of_due_work": {"task": "portal.notifications.tasks.tell_of_due_work", "schedule": 300},
    "forget_notifications": {"task": "portal.notifications.tasks.forget_notifications", "schedule": 3600},
    # Links to experts whose mail has not left.
    "sweep_expert_links": {"task": "portal.questionnaires.tasks.sweep_expert_links", "schedule": 30},
    # Reminders to those who were asked, and links that have run out.
    "sweep_nudges": {"task": "portal.questionnaires.tasks.sweep_nudges", "schedule": 900},
    # Clocks of questionnaires whose targets or office hours changed, where the message was lost or a worker died.
    "sweep_clocks": {"task": "portal.questionnaires.tasks.sweep_clocks", "schedule": 15},
    # Targets of questionnaires that are near, or missed.
    "remind_of_targets": {"task": "portal.questionnaires.tasks.remind_of_targets", "schedule": 60},
    # Customers who are to be told of an incident soon, or should have been.
    "remind_of_deadlines": {"task": "portal.incidents.tasks.remind_of_deadlines", "schedule": 60},
    # Followers of a word that visitors have asked about.
    "tell_followers": {"task": "portal.trust_center_activity.tasks.tell_followers", "schedule": 60},
    # Questionnaires that were handed in and whose answer was lost, and files that nobody waits for any more.
    "sweep_intakes": {"task": "portal.questionnaires.tasks.sweep_intakes", "schedule": 15},
    # Customers that were created and whose answer was lost.
    "sweep_creations": {"task": "portal.customers.tasks.sweep_creations", "schedule": 15},
    # Switches of tag categories that were pressed and whose answer was lost.
    "sweep_switches": {"task": "portal.tags.tasks.sweep_switches", "schedule": 15},
    # Imports of customers whose message was lost, whose worker died, or whose pause is over.
    "sweep_imports": {"task": "portal.customers.tasks.sweep_imports", "schedule": 15},
    # Tenants whose answers have changed since they were compared with each other.
    "sweep_drift": {"task": "portal.questionnaires.tasks.sweep_drift", "schedule": 60},
    # Texts of contracts that nobody has looked through for promises.
    "sweep_readings": {"task": "portal.commitments.tasks.sweep_readings", "schedule": 60},
    # Customers whose answers or promises have changed since they were last compared.
    "sweep_checks": {"task": "portal.commitments.tasks.sweep_checks", "schedule": 60},
    # Commitments of customers that were renamed.
    "follow_names": {"task": "portal.commitments.tasks.follow_names", "schedule": 900},
    # Tenants that wait for a token, and grants that were cut here and have yet to be suspended at the platform.
    "serve_token_queue": {"task": "portal.connections.tasks.serve_token_queue", "schedule": 5},
    # Grants that nobody used for days, so that their refresh tokens do not run out.
    "keep_grants_alive": {"task": "portal.connections.tasks.keep_grants_alive", "schedule": 600},
    # What each grant covers: once a day, and soon after a connect whose message was lost.
    "sweep_probes": {"task": "portal.connections.tasks.sweep_probes", "schedule": 60},
    # Audit trails that were not checked for a day, or whose check ran out of time.
    "check_chains": {"task": "portal.audit.tasks.check_chains", "schedule": 600},
    # Sessions whose time is over; those that hold a provider's answer last a minute, and anybody can have one made.
    "forget_sessions": {"task": "portal.users.tasks.forget_sessions", "schedule": 60},
    # Mail domains that are proven by DNS: each day, and while somebody waits for the first time.
    "sweep_mail_domains": {"task": "portal.single_sign_on.tasks.sweep_mail_domains", "schedule": 60},
    # Owners who have yet to learn that their grant has ended.
    "tell_of_ended_grants": {"task": "portal.connections.tasks.tell_of_ended_grants", "schedule": 60},
    # Copies whose date has come, and tenants that were deleted.
    "sweep_offboarding": {"task": "portal.connections.tasks.sweep_offboarding", "schedule": 60},
}
