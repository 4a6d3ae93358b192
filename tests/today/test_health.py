import pytest
from celery import current_app
from django.db import OperationalError, connection

pytestmark = pytest.mark.django_db


def test_the_process_is_alive_whatever_the_database_does(client, monkeypatch):
    monkeypatch.setattr(connection, "cursor", broken)
    answer = client.get("/healthz")
    assert (answer.status_code, answer.content) == (200, b"ok")


def test_it_is_ready_when_database_migrations_and_broker_are_there(client):
    answer = client.get("/readyz")
    assert answer.status_code == 200
    assert answer.json() == {"database": True, "migrations": True, "broker": True}


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


def broken(*args, **options):
    raise OperationalError("the database is away")
