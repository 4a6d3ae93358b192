import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.conf import settings
from django.db import connection as database
from django.utils import timezone

from portal.connections.models import Connection, State
from portal.connections.services import NotConnected, TokenBusy, Urgency, access_token, connection_of_tenant
from portal.connections.services.budget import BudgetSpent, close, seconds_until_call, take_call
from portal.connections.services.leases import take_lease
from portal.connections.services.token_refresh import store
from portal.platform_api.errors import AuthenticationFailed, RateLimited, Unavailable
from portal.platform_api.oauth import TokenAnswer
from portal.tenants.scope import tenant_scope

CALLERS = 20


def expire(connection: Connection) -> None:
    Connection.objects.filter(pk=connection.pk).update(access_expires_at=timezone.now() - timedelta(seconds=1))


def test_a_live_token_costs_no_call(connected, scoped, sandbox):
    calls = len(sandbox.token_calls())
    assert access_token(connected, Urgency.PERSON) == access_token(connected, Urgency.PERSON)
    assert len(sandbox.token_calls()) == calls


def test_a_token_in_its_last_minute_is_replaced(connected, scoped, sandbox):
    before = access_token(connected, Urgency.PERSON)
    almost = timezone.now() + timedelta(seconds=59)
    Connection.objects.update(access_expires_at=almost, refreshed_at=almost - timedelta(hours=1))
    assert access_token(connected, Urgency.PERSON) != before


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
                return access_token(connected, Urgency.PERSON)
        finally:
            database.close()

    with ThreadPoolExecutor(CALLERS) as pool:
        tokens = set(pool.map(ask, range(CALLERS)))
    assert len(tokens) == 1
    assert len(sandbox.token_calls()) == calls + 1


def test_t2_a_writer_whose_lease_was_taken_over_is_too_late(connected, scoped, sandbox):
    expire(connected)
    late = Connection.objects.get()
    lease = take_lease(late)
    Connection.objects.update(lease_until=timezone.now() - timedelta(seconds=1))
    token = access_token(connected, Urgency.PERSON)
    assert not store(lease, TokenAnswer("late", "late", 3600), asked_at=timezone.now())
    assert access_token(connected, Urgency.PERSON) == token


def test_t2_a_holder_whose_lease_is_another_ones_by_now_writes_nothing(connected, scoped):
    late = take_lease(Connection.objects.get())
    Connection.objects.update(lease_until=timezone.now() - timedelta(seconds=1))
    lease = take_lease(Connection.objects.get())
    assert not store(late, TokenAnswer("late", "late", 3600), asked_at=timezone.now())
    assert store(lease, TokenAnswer("in time", "in time", 3600), asked_at=timezone.now())
    assert Connection.objects.get().open("access_token") == "in time"


def test_t2_only_one_takes_the_lease(connected, scoped):
    connection = Connection.objects.get()
    assert take_lease(connection)
    assert take_lease(connection) is None


def test_t11_a_lease_from_before_the_clock_was_set_back_holds_nobody_up(connected, scoped, sandbox):
    expire(connected)
    assert take_lease(Connection.objects.get())
    Connection.objects.update(lease_until=timezone.now() + timedelta(hours=1))
    assert access_token(connected, Urgency.PERSON)


def test_a_refused_token_is_replaced_once(connected, scoped, sandbox):
    stale = access_token(connected, Urgency.PERSON)
    fresh = access_token(connected, Urgency.PERSON, stale=stale)
    calls = len(sandbox.token_calls())
    assert fresh != stale
    assert access_token(connected, Urgency.PERSON, stale=stale) == fresh
    assert len(sandbox.token_calls()) == calls


def test_a_refused_token_of_a_machine_is_replaced_in_its_turn_and_used_by_nobody_meanwhile(connected, scoped, sandbox):
    stale = access_token(connected, Urgency.NEWS)
    assert access_token(connected, Urgency.NEWS, stale=stale) != stale
    Connection.objects.update(refused_at=None)
    refused = Connection.objects.get().open("access_token")
    close(settings.PLATFORM_API_URL, seconds=300)
    with pytest.raises(TokenBusy):
        access_token(connected, Urgency.NEWS, stale=refused)
    with pytest.raises(TokenBusy):
        access_token(connected, Urgency.NEWS)


def test_t7_a_platform_that_refuses_every_token_does_not_drain_the_budget(connected, scoped, sandbox):
    fresh = access_token(connected, Urgency.PERSON, stale=access_token(connected, Urgency.PERSON))
    calls = len(sandbox.token_calls())
    with pytest.raises(AuthenticationFailed):
        access_token(connected, Urgency.PERSON, stale=fresh)
    assert len(sandbox.token_calls()) == calls
    assert Connection.objects.get().state == State.ACTIVE


def test_an_outage_keeps_the_grant(connected, scoped, sandbox):
    expire(connected)
    sandbox.fail("status", path="/oauth/token", value=503, times=1)
    with pytest.raises(Unavailable):
        access_token(connected, Urgency.PERSON)
    assert Connection.objects.get().state == State.ACTIVE
    assert access_token(connected, Urgency.PERSON)


def test_t4_a_lost_answer_is_asked_for_again_with_the_same_refresh_token(connected, scoped, sandbox):
    expire(connected)
    sandbox.fail("drop_answer", path="/oauth/token", times=1)
    with pytest.raises(Unavailable):
        access_token(connected, Urgency.PERSON)
    assert access_token(connected, Urgency.PERSON)


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
        access_token(connected, Urgency.PERSON)
    connection = connection_of_tenant()
    assert connection.state == State.NEEDS_RECONNECTION
    assert connection.open("refresh_token")


def test_the_budget_holds_five_calls_a_minute(db):
    for _ in range(5):
        take_call("https://platform.example", Urgency.PERSON)
    with pytest.raises(BudgetSpent) as spent:
        take_call("https://platform.example", Urgency.PERSON)
    assert 55 < spent.value.retry_after <= 61
    assert seconds_until_call("https://platform.example", Urgency.PERSON) > 55


def test_a_429_closes_the_token_endpoint_for_all(connected, scoped, sandbox):
    expire(connected)
    sandbox.fail("status", path="/oauth/token", value=429, times=1)
    with pytest.raises(RateLimited):
        access_token(connected, Urgency.PERSON)
    assert seconds_until_call(settings.PLATFORM_API_URL, Urgency.CODE) > 0
    calls = len(sandbox.token_calls())
    with pytest.raises(BudgetSpent):
        take_call(settings.PLATFORM_API_URL, Urgency.CODE)
    assert len(sandbox.token_calls()) == calls
