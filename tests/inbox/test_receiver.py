import json
from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.db import OperationalError, connection
from django.test import Client

from portal.connections.models import Connection, Region, State
from portal.inbox.models import Delivery, DeliveryState
from portal.inbox.services import ensure_endpoints, enter_secret
from portal.lib.sealed import Locked
from portal.tenants.scope import tenant_scope
from tests.conftest import SECRET
from tests.inbox.conftest import path_of, post, send, sign

CREATED = {"questionnaire": {"id": "q1"}}
STATUSES = (204, 400)


def failing(statement: str):
    """Make the database fail at one kind of statement."""

    def wrapper(execute, sql, params, many, context):
        if statement in sql:
            raise OperationalError("the database is gone")
        return execute(sql, params, many, context)

    return connection.execute_wrapper(wrapper)


def disconnect(acme, *, connected_at: datetime | None) -> None:
    with tenant_scope(acme.pk):
        Connection.objects.create(region=Region.EU, state=State.DISCONNECTED, connected_at=connected_at)


def test_a_delivery_signed_by_the_official_library_is_kept(catch_all, rows):
    response = send(catch_all, CREATED, hook_id="msg_a")
    assert response.status_code == 204
    assert response.content == b""
    (row,) = rows()
    assert (row.hook_id, row.state, json.loads(bytes(row.body))) == ("msg_a", DeliveryState.PENDING, CREATED)


@pytest.mark.django_db(transaction=True)
def test_h1_the_answer_comes_after_the_commit(catch_all, rows):
    inside = []

    def note(execute, sql, params, many, context):
        if "INSERT INTO inbox_delivery" in sql:
            inside.append(connection.in_atomic_block)
        return execute(sql, params, many, context)

    with connection.execute_wrapper(note):
        assert send(catch_all, CREATED).status_code == 204
    assert inside == [False]
    assert len(rows()) == 1


def test_h1_commits_are_durable(db):
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("PRAGMA synchronous")
            assert cursor.fetchone() == (2,)  # FULL
        else:
            cursor.execute("SHOW synchronous_commit")
            assert cursor.fetchone() == ("on",)


def test_h2_one_row_per_hook_id_however_often_it_comes(catch_all, rows):
    assert {send(catch_all, CREATED, hook_id="msg_same").status_code for _ in range(20)} == {204}
    assert len(rows()) == 1


def test_h3_another_tenant_cannot_take_a_hook_id(catch_all, globex, mallory, rows):
    with tenant_scope(globex.pk):
        theirs = enter_secret(ensure_endpoints()[0], SECRET, actor=mallory)
    assert send(theirs, CREATED, hook_id="msg_future").status_code == 204
    assert send(catch_all, CREATED, hook_id="msg_future").status_code == 204
    assert [row.hook_id for row in rows()] == ["msg_future"]


@pytest.mark.parametrize("state", [DeliveryState.PENDING, DeliveryState.DEAD])
def test_h4_a_duplicate_sets_a_failed_delivery_going_again(catch_all, acme, rows, state):
    send(catch_all, CREATED, hook_id="msg_a")
    later = datetime.now(UTC) + timedelta(hours=5)
    with tenant_scope(acme.pk):
        Delivery.objects.update(state=state, attempts=7, due_at=later)
    assert send(catch_all, CREATED, hook_id="msg_a").status_code == 204
    (row,) = rows()
    assert (row.state, row.attempts) == (DeliveryState.PENDING, 7)
    assert row.due_at < later


@pytest.mark.parametrize("state", [DeliveryState.DONE, DeliveryState.IGNORED])
def test_h4_a_duplicate_of_a_processed_delivery_changes_nothing(catch_all, acme, rows, state):
    send(catch_all, CREATED, hook_id="msg_a")
    with tenant_scope(acme.pk):
        Delivery.objects.update(state=state)
    assert send(catch_all, CREATED, hook_id="msg_a").status_code == 204
    assert [row.state for row in rows()] == [state]


@pytest.mark.parametrize("statement", ["inbox_endpoint", "INSERT INTO inbox_delivery"])
def test_h5_a_database_that_fails_means_try_again(catch_all, rows, statement):
    with failing(statement):
        response = send(catch_all, CREATED)
    assert response.status_code == 503
    assert int(response["Retry-After"]) > 0
    assert rows() == []


def test_t12_a_missing_key_means_try_again_and_not_refused(catch_all, monkeypatch):
    def locked(self, now):
        raise Locked("endpoint")

    monkeypatch.setattr("portal.inbox.models.Endpoint.secrets", locked)
    assert send(catch_all, CREATED).status_code == 503


@pytest.mark.parametrize("change", [b"x", b"", None])
def test_h7_a_changed_body_is_refused(catch_all, rows, change):
    body = json.dumps(CREATED)
    sent = body.encode() + b" " if change is None else change
    assert post(path_of(catch_all), sent, sign(body)).status_code == 400
    assert rows() == []


@pytest.mark.parametrize("missing", ["hook-id", "hook-timestamp", "hook-signature"])
def test_h7_a_missing_header_is_refused(catch_all, rows, missing):
    body = json.dumps(CREATED)
    headers = sign(body)
    del headers[missing]
    assert post(path_of(catch_all), body, headers).status_code == 400
    assert rows() == []


def test_h7_another_secret_is_refused(catch_all, rows):
    other = "whsec_" + "QUFB" * 11
    assert send(catch_all, CREATED, secret=other).status_code == 400
    assert rows() == []


def test_an_endpoint_without_a_secret_takes_nothing(acme, rows):
    with tenant_scope(acme.pk):
        endpoint = ensure_endpoints()[0]
    assert send(endpoint, CREATED).status_code == 400
    assert rows() == []


@pytest.mark.parametrize(("seconds", "status"), [(-299, 204), (299, 204), (-301, 400), (301, 400)])
def test_h8_a_timestamp_is_good_for_five_minutes(catch_all, seconds, status):
    now = datetime(2026, 5, 1, 12, 0, 0, tzinfo=UTC)
    body = json.dumps(CREATED)
    headers = sign(body, at=now)
    with time_machine.travel(now + timedelta(seconds=seconds), tick=False):
        assert post(path_of(catch_all), body, headers).status_code == status


def test_h9_two_secrets_are_good_during_a_rotation(catch_all, acme, alice, rows):
    new = "whsec_" + "Qk5X" * 11
    with tenant_scope(acme.pk):
        enter_secret(catch_all, new, actor=alice, keep_previous=timedelta(hours=1))
    assert send(catch_all, CREATED, secret=SECRET).status_code == 204
    assert send(catch_all, CREATED, secret=new).status_code == 204
    assert [row.secret_index for row in rows()] == [1, 0]
    with time_machine.travel(datetime.now(UTC) + timedelta(hours=2)):
        assert send(catch_all, CREATED, secret=SECRET, at=datetime.now(UTC)).status_code == 400
        assert send(catch_all, CREATED, secret=new, at=datetime.now(UTC)).status_code == 204


@pytest.mark.parametrize("tail", ["", "/", "/v1.questionnaire.deleted", "/v1.questionnaire.deleted/"])
def test_h14_it_answers_the_same_with_and_without_the_last_slash(catch_all, rows, tail):
    response = send(catch_all, CREATED, address=f"/hooks/{catch_all.public_id}{tail}")
    assert response.status_code == 204
    assert [row.event_type for row in rows()] == [tail.strip("/")]


def test_h14_no_csrf_no_login_no_session(catch_all, alice, django_assert_num_queries):
    body = json.dumps(CREATED)
    client = Client(enforce_csrf_checks=True)
    client.force_login(alice)
    # One to find the endpoint, one to keep the delivery; none for the session or the person.
    with django_assert_num_queries(2):
        response = client.post(path_of(catch_all), data=body, content_type="application/json", headers=sign(body))
    assert response.status_code == 204
    assert "Set-Cookie" not in response.headers
    assert not response.cookies


@pytest.mark.parametrize("method", ["get", "put", "patch", "delete", "head", "options"])
def test_only_post_is_answered(catch_all, method):
    assert getattr(Client(), method)(path_of(catch_all)).status_code == 405


@pytest.mark.parametrize("public_id", ["x" * 32, "short", "a%00b" + "c" * 30, "é" * 30, "x" * 5000])
def test_an_unknown_address_is_not_found(db, public_id):
    body = json.dumps(CREATED)
    assert post(f"/hooks/{public_id}/", body, sign(body)).status_code == 404


@pytest.mark.parametrize("event_type", ["a%00b", "x" * 101, "a b", "é"])
def test_an_address_with_an_impossible_type_is_not_found(catch_all, event_type):
    assert send(catch_all, CREATED, address=f"/hooks/{catch_all.public_id}/{event_type}/").status_code == 404


def test_an_address_of_one_type_answers_to_no_other(endpoints, rows):
    endpoint = endpoints["v1.questionnaire.created"]
    assert send(endpoint, CREATED).status_code == 204
    assert send(endpoint, CREATED, address=f"/hooks/{endpoint.public_id}/").status_code == 204
    assert send(endpoint, CREATED, address=f"/hooks/{endpoint.public_id}/v1.questionnaire.deleted/").status_code == 404
    assert {row.event_type for row in rows()} == {"v1.questionnaire.created"}


def test_t10_after_a_deliberate_disconnect_it_is_gone(catch_all, acme, rows):
    disconnect(acme, connected_at=datetime.now(UTC))
    assert send(catch_all, CREATED).status_code == 410
    assert rows() == []


def test_t10_before_the_first_connect_deliveries_are_kept(catch_all, acme, rows):
    disconnect(acme, connected_at=None)
    assert send(catch_all, CREATED).status_code == 204
    assert len(rows()) == 1


def test_t10_a_lost_grant_keeps_storing(catch_all, acme, rows):
    with tenant_scope(acme.pk):
        Connection.objects.create(region=Region.EU, state=State.NEEDS_RECONNECTION, connected_at=datetime.now(UTC))
    assert send(catch_all, CREATED).status_code == 204
    assert len(rows()) == 1


def test_s6_a_refusal_logs_nothing_of_the_request(catch_all, caplog):
    body = json.dumps({"questionnaire": {"id": "canary-body"}})
    headers = sign(body) | {"hook-signature": "v1,canary-signature"}
    post(path_of(catch_all), body, headers)
    assert "refused" in caplog.text
    assert "canary" not in caplog.text
    assert catch_all.public_id not in caplog.text
