from datetime import timedelta

import pytest
from django.utils import timezone

from portal.connections.models import Connection, State, Suspension
from portal.connections.services import NotConnected, Urgency, access_token, client_for, disconnect
from portal.connections.services.leases import take_lease
from portal.connections.services.token_refresh import store
from portal.connections.tasks import serve_token_queue
from portal.platform_api.oauth import TokenAnswer
from tests.support.budget import forget_calls


def api_status(sandbox, token):
    url = "http://127.0.0.1:8001/v1/customer-trust/questionnaires"
    return sandbox.session.get(url, headers={"Authorization": f"Bearer {token}"}).status_code


def test_t10_disconnect_cuts_access_at_once_and_suspends_at_the_platform(connected, scoped, sandbox, alice):
    token = access_token(connected, Urgency.PERSON)
    assert api_status(sandbox, token) == 200
    disconnect(connected, actor=alice)
    with pytest.raises(NotConnected):
        access_token(connected, Urgency.PERSON)
    with pytest.raises(NotConnected):
        client_for(Urgency.PERSON)
    serve_token_queue()
    assert api_status(sandbox, token) == 401
    assert sandbox.requests("/oauth/token/suspend")


def test_t10_no_token_remains_in_the_database(connected, scoped, sandbox, alice):
    disconnect(connected, actor=alice)
    serve_token_queue()
    row = Connection.objects.get()
    assert (row.access_token, row.refresh_token, row.previous_refresh_token) == (b"", b"", b"")
    assert all(bytes(suspension.token) == b"" and suspension.confirmed_at for suspension in Suspension.objects.all())
    assert Suspension.objects.count() == 2


def test_t10_the_refresh_token_is_dead_too(connected, scoped, sandbox, alice):
    refresh_token = connected.open("refresh_token")
    disconnect(connected, actor=alice)
    serve_token_queue()
    answer = sandbox.session.post(
        "http://127.0.0.1:8001/oauth/token",
        json={
            "client_id": "portal-tests-client",
            "client_secret": "portal-tests-secret",
            "refresh_token": refresh_token,
            "grant_type": "refresh_token",
        },
    )
    assert answer.json()["error"] == "invalid_grant"


@pytest.mark.parametrize("fault", ["status", "refuse_connection", "html", "drop_answer"])
def test_t10_a_platform_that_is_down_is_told_when_it_is_back(connected, scoped, sandbox, alice, fault):
    value = {"value": 503} if fault == "status" else {}
    sandbox.fail(fault, path="/v1/oauth/token/suspend", times=2, **value)
    disconnect(connected, actor=alice)
    assert Connection.objects.get().state == State.DISCONNECTED
    serve_token_queue()
    assert Suspension.objects.filter(confirmed_at=None).count() == 2
    Suspension.objects.update(due_at=timezone.now() - timedelta(seconds=1))
    forget_calls()
    serve_token_queue()
    assert not Suspension.objects.filter(confirmed_at=None).exists()


def test_t10_an_answer_that_arrives_after_the_cut_is_suspended_too(connected, scoped, sandbox, alice):
    refreshing = Connection.objects.get()
    lease = take_lease(refreshing)
    disconnect(connected, actor=alice)
    assert not store(lease, TokenAnswer("late-access", "late-refresh", 3600), asked_at=timezone.now())
    assert bytes(Connection.objects.get().access_token) == b""
    assert {suspension.open("token") for suspension in Suspension.objects.all()} >= {"late-access", "late-refresh"}


def test_disconnecting_twice_changes_nothing(connected, scoped, alice):
    disconnect(connected, actor=alice)
    disconnect(connected, actor=alice)
    assert Suspension.objects.count() == 2
