from datetime import timedelta

import pytest
from celery import current_app
from django.db import OperationalError, connection
from django.utils import timezone

from portal.connections.models import Connection
from portal.inbox.models import Delivery
from portal.tenants.scope import tenant_scope
from portal.today import health
from portal.worker_monitoring.models import Worker
from portal.worker_monitoring.services import claim_turn, record_heartbeat

pytestmark = pytest.mark.django_db


def test_the_process_is_alive_whatever_the_database_does(client, monkeypatch):
    monkeypatch.setattr(connection, "cursor", broken)
    answer = client.get("/healthz")
    assert (answer.status_code, answer.content) == (200, b"ok")


def test_it_is_ready_when_database_migrations_and_broker_are_there(client):
    answer = client.get("/readyz")
    assert answer.status_code == 200
    told = answer.json()
    assert told.pop("work").keys() >= {"oldest_due_seconds", "oldest_attempt_seconds", "token_calls"}
    assert told == {"database": True, "migrations": True, "broker": True}


def test_o3_it_tells_how_far_behind_the_work_is(client, connected, acme, deliver):
    record_heartbeat("portal-1@test")
    claim_turn("sweep", every=timedelta(seconds=15))
    ago = timezone.now() - timedelta(minutes=10)
    deliver({"questionnaire": {"id": "q1"}})
    with tenant_scope(acme.pk):
        Delivery.objects.update(due_at=ago)
        Connection.objects.update(attempted_at=ago)
    Worker.objects.update(heard_at=ago)
    answer = client.get("/readyz")
    assert answer.status_code == 200
    work = answer.json()["work"]
    for name in ("oldest_due_seconds", "oldest_attempt_seconds", "last_heartbeat_seconds"):
        assert 600 <= work[name] < 660, name
    assert 0 <= work["last_bell_seconds"] < 60
    assert work["token_calls"] == 1


def test_o3_what_never_was_is_not_called_fine(client):
    assert client.get("/readyz").json()["work"]["last_heartbeat_seconds"] is None


def test_o3_without_a_broker_it_stays_ready_and_says_so(client, monkeypatch):
    monkeypatch.setattr(current_app.conf, "broker_write_url", "redis://127.0.0.1:1/0")
    answer = client.get("/readyz")
    assert answer.status_code == 200
    assert answer.json()["broker"] is False


def test_o3_without_a_database_it_is_not_ready(client, monkeypatch):
    monkeypatch.setattr(connection, "cursor", broken)
    answer = client.get("/readyz")
    assert answer.status_code == 503
    assert answer.json()["database"] is False


@pytest.mark.parametrize(("name", "is_ready"), [("SQLITE_BUSY", True), ("SQLITE_FULL", False)])
def test_o4_a_database_that_others_write_to_is_no_full_one(monkeypatch, name, is_ready):
    class Refused(Exception):
        sqlite_errorname = name

    def refuse(*args, **options):
        raise OperationalError from Refused()

    monkeypatch.setattr(connection, "cursor", refuse)
    assert health._takes_writes() is is_ready


def broken(*args, **options):
    raise OperationalError("the database is away")


@pytest.mark.parametrize("path", ["/healthz", "/readyz", "/metrics"])
def test_o3_whoever_asks_a_web_process_by_its_address_is_answered(client, settings, path):
    settings.PUBLIC_URL, settings.ALLOWED_HOSTS = "https://portal.example.com", ["portal.example.com"]
    assert client.get(path, headers={"host": "10.0.0.7:8000"}).status_code == 200
    assert client.get("/accounts/login/", headers={"host": "10.0.0.7:8000"}).status_code == 400
