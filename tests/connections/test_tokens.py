import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.db import connection as database
from django.utils import timezone

from portal.connections.models import Connection, State
from portal.connections.services import NotConnected, access_token, connection_of_tenant
from portal.connections.services.budget import BudgetSpent, seconds_until_call, take_call
from portal.connections.services.tokens import _store, _take_lease
from portal.platform_api.errors import RateLimited, Unavailable
from portal.platform_api.oauth import TokenAnswer
from portal.tenants.scope import tenant_scope

CALLERS = 20


def expire(connection: Connection) -> None:
    Connection.objects.filter(pk=connection.pk).update(access_expires_at=timezone.now() - timedelta(seconds=1))


def test_a_live_token_costs_no_call(connected, scoped, sandbox):
    calls = len(sandbox.token_calls())
    assert access_token(connected.pk) == access_token(connected.pk)
    assert len(sandbox.token_calls()) == calls


def test_a_token_in_its_last_minute_is_replaced(connected, scoped, sandbox):
    before = access_token(connected.pk)
    Connection.objects.update(access_expires_at=timezone.now() + timedelta(seconds=59))
    assert access_token(connected.pk) != before


@pytest.mark.django_db(transaction=True)
def test_t1_many_callers_at_expiry_cause_exactly_one_call(connected, acme, sandbox):
    with tenant_scope(acme.pk):
        expire(connected)
    calls = len(sandbox.token_calls())
    together = threading.Barrier(CALLERS)

    def ask(_: int) -> str:
        try:
            together.wait()
            with tenant_scope(acme.pk):
                return access_token(connected.pk)
        finally:
            database.close()

    with ThreadPoolExecutor(CALLERS) as pool:
        tokens = set(pool.map(ask, range(CALLERS)))
    assert len(tokens) == 1
    assert len(sandbox.token_calls()) == calls + 1


def test_t2_a_writer_whose_lease_was_taken_over_is_too_late(connected, scoped, sandbox):
    expire(connected)
    late = Connection.objects.get()
    owner = _take_lease(late)
    Connection.objects.update(lease_until=timezone.now() - timedelta(seconds=1))
    token = access_token(connected.pk)
    _store(late, TokenAnswer("late", "late", 3600), owner=owner, asked_at=timezone.now(), forced=False)
    assert access_token(connected.pk) == token


def test_t2_only_one_takes_the_lease(connected, scoped):
    connection = Connection.objects.get()
    assert _take_lease(connection)
    assert _take_lease(connection) is None


def test_a_refused_token_is_replaced_once(connected, scoped, sandbox):
    stale = access_token(connected.pk)
    fresh = access_token(connected.pk, stale=stale)
    calls = len(sandbox.token_calls())
    assert fresh != stale
    assert access_token(connected.pk, stale=stale) == fresh
    assert len(sandbox.token_calls()) == calls


def test_t7_a_platform_that_refuses_every_token_does_not_drain_the_budget(connected, scoped, sandbox):
    fresh = access_token(connected.pk, stale=access_token(connected.pk))
    calls = len(sandbox.token_calls())
    with pytest.raises(NotConnected):
        access_token(connected.pk, stale=fresh)
    assert len(sandbox.token_calls()) == calls
    assert Connection.objects.get().state == State.ACTIVE


def test_an_outage_keeps_the_grant(connected, scoped, sandbox):
    expire(connected)
    sandbox.fail("status", path="/oauth/token", value=503, times=1)
    with pytest.raises(Unavailable):
        access_token(connected.pk)
    assert Connection.objects.get().state == State.ACTIVE
    assert access_token(connected.pk)


def test_t4_a_lost_answer_is_asked_for_again_with_the_same_refresh_token(connected, scoped, sandbox):
    expire(connected)
    sandbox.fail("drop_answer", path="/oauth/token", times=1)
    with pytest.raises(Unavailable):
        access_token(connected.pk)
    assert access_token(connected.pk)


def test_a_grant_that_the_platform_ended_needs_a_person(connected, scoped, sandbox):
    sandbox.session.post(
        "http://127.0.0.1:8001/v1/oauth/token/suspend",
        json={
            "token": connected.open("access_token"),
            "client_id": "portal-tests-client",
            "client_secret": "portal-tests-secret",
        },
    )
    expire(connected)
    with pytest.raises(NotConnected):
        access_token(connected.pk)
    connection = connection_of_tenant()
    assert connection.state == State.NEEDS_RECONNECTION
    assert connection.open("refresh_token")


def test_the_budget_holds_five_calls_a_minute(db):
    for _ in range(5):
        take_call("https://platform.example")
    with pytest.raises(BudgetSpent) as spent:
        take_call("https://platform.example")
    assert 55 < spent.value.retry_after <= 61
    assert seconds_until_call("https://platform.example") > 55


def test_a_429_closes_the_token_endpoint_for_all(connected, scoped, sandbox):
    expire(connected)
    sandbox.fail("status", path="/oauth/token", value=429, times=1)
    with pytest.raises(RateLimited):
        access_token(connected.pk)
    calls = len(sandbox.token_calls())
    with pytest.raises(BudgetSpent):
        access_token(connected.pk)
    assert len(sandbox.token_calls()) == calls
