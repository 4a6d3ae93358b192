"""R1: whatever is enqueued, scheduled or routed is a task that a worker knows; a name that is none does not pass unseen."""

import json
import os
import subprocess
import sys

import pytest
from celery.exceptions import NotRegistered

from portal.celery import app
from portal.lib import enqueue
from portal.worker_monitoring import supervisor
from tests.house.enqueued import enqueued, functions_of_tasks, registered, routed, scheduled

pytestmark = pytest.mark.once

HANDED_IN = {"portal/platform_writes/bulk.py", "portal/platform_writes/bulk_worker.py"}
"""They ring for the name in a desk's `Bulk(task=…)`, which is read where the desk says it."""


def test_r1_every_task_that_is_enqueued_is_known_to_a_worker_that_has_just_started():
    found = [each for each in enqueued() if each.name is not None]
    assert len({each.name for each in found}) > 30, "the source was not read"
    assert [each for each in found if each.name not in registered()] == []


def test_r1_every_place_that_enqueues_shows_which_task():
    assert {each.place.partition(":")[0] for each in enqueued() if each.name is None} <= HANDED_IN


def test_r1_every_task_on_the_clock_and_in_a_route_is_known_to_a_worker_that_has_just_started():
    assert len(scheduled(app)) > 30
    assert (scheduled(app) | routed(app)) - registered() == set()


def test_r1_every_function_among_the_tasks_of_a_room_is_one():
    assert functions_of_tasks() - registered() == set()


@pytest.mark.parametrize(
    "enqueue", [enqueue.enqueue_on_commit, enqueue.enqueue_coalesced, lambda name: enqueue.enqueue_in(1, name)]
)
def test_r1_a_name_that_is_no_task_fails_where_it_is_enqueued(enqueue, db):
    for name in ("portal.access_requests.tasks.bell", "portal.access_requests.tasks.no_such", "portal.nowhere.tasks.x", "x"):
        with pytest.raises(NotRegistered, match=name):
            enqueue(name)


def test_r1_the_heartbeat_is_checked_as_well(monkeypatch):
    monkeypatch.setattr(supervisor, "HEARTBEAT", "portal.worker_monitoring.tasks.no_such")
    with pytest.raises(NotRegistered):
        supervisor.ping("a-worker")


CONNECTION = """
import json
from portal.celery import app
made = app.connection_for_write()
options = [made.transport_options.get(name) for name in ("visibility_timeout", "socket_timeout", "max_retries")]
print(json.dumps([*options, made.ssl["ssl_cert_reqs"].name if made.ssl else ""]))
"""


@pytest.mark.parametrize(
    ("url", "connection"),
    [
        ("redis://broker.example/0", [180, 1, 1, ""]),
        ("rediss://broker.example/0", [180, 1, 1, "CERT_REQUIRED"]),
        ("rediss://broker.example/0?ssl_cert_reqs=none", [180, 1, 1, "CERT_NONE"]),
        ("amqp://broker.example//", [None, None, None, ""]),
        # Its client asks for a certificate by itself.
        ("amqps://broker.example//", [None, None, None, ""]),
    ],
)
def test_q7_a_broker_has_the_same_options_with_tls_and_shows_a_certificate(url, connection):
    done = subprocess.run(
        [sys.executable, "-c", CONNECTION], env={**os.environ, "CELERY_BROKER_URL": url}, capture_output=True, check=True
    )
    assert json.loads(done.stdout.splitlines()[-1]) == connection
