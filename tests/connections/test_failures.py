"""What ends a grant, what does not, and who is told."""

import logging
from datetime import timedelta

import pytest
from django.conf import settings
from django.utils import timezone

from portal.audit.models import Entry
from portal.connections.models import Connection, Region, State, TokenEndpoint, TokenRequest
from portal.connections.services import NotConnected, TokenBusy, Urgency, access_token, client_for, notices, queue
from portal.connections.services.budget import close
from portal.connections.tasks import keep_grants_alive, serve_token_queue, tell_of_ended_grants
from portal.platform_api.errors import InvalidClient, PlatformError, RedirectRefused, TemporaryError, UnexpectedAnswer
from portal.tenants.scope import all_tenants, tenant_scope
from tests.support.budget import forget_calls
from tests.support.mails import delivered
from tests.support.turns import fails_in

PAGE = "/t/acme/settings/connection/"
ALARMS = "portal.connections.services.alarms"


def expire() -> None:
    Connection.objects.update(access_expires_at=timezone.now() - timedelta(seconds=1))


def end_at_the_platform(sandbox, connection) -> None:
    body = {
        "token": connection.open("access_token"),
        "client_id": settings.PLATFORM_CLIENT_ID,
        "client_secret": settings.PLATFORM_CLIENT_SECRET,
    }
    assert sandbox.session.post("http://127.0.0.1:8001/v1/oauth/token/suspend", json=body).ok


@pytest.mark.parametrize(
    ("fault", "error"),
    [
        ({"kind": "status", "value": 500}, TemporaryError),
        ({"kind": "status", "value": 504}, TemporaryError),
        ({"kind": "refuse_connection"}, TemporaryError),
        ({"kind": "drop_answer"}, TemporaryError),
        ({"kind": "html"}, UnexpectedAnswer),
    ],
    ids=lambda value: str(value.get("value", value["kind"])) if isinstance(value, dict) else "",
)
def test_t06_a_failure_keeps_the_grant_and_the_next_caller_gets_through(connected, scoped, sandbox, fault, error):
    expire()
    fault = dict(fault)
    sandbox.fail(fault.pop("kind"), path="/oauth/token", times=1, **fault)
    refresh_token = connected.open("refresh_token")
    with pytest.raises(error):
        access_token(connected, Urgency.PERSON)
    row = Connection.objects.get()
    assert (row.state, row.open("refresh_token"), row.failures, row.lease_owner) == (State.ACTIVE, refresh_token, 1, "")
    assert row.last_error
    assert access_token(connected, Urgency.PERSON)
    assert client_for(Urgency.PERSON).questionnaires.all.page().items
    row.refresh_from_db()
    assert (row.failures, row.last_error, row.attempted_at) == (0, "", None)


def test_t06_a_lost_answer_makes_the_stored_token_suspect(connected, scoped, sandbox):
    almost = timezone.now() + timedelta(seconds=59)
    Connection.objects.update(access_expires_at=almost, refreshed_at=almost - timedelta(hours=1))
    sandbox.fail("drop_answer", path="/oauth/token", times=1)
    with pytest.raises(TemporaryError):
        access_token(connected, Urgency.PERSON)
    row = Connection.objects.get()
    assert row.access_expires_at is None
    assert row.attempted_at


def lose_the_last_commit(connected, **values) -> None:
    """As after a restore: what is stored as current was never given out here, the one before it is good."""
    following = Connection(source_id=connected.source_id, generation=connected.generation + 1)
    Connection.objects.update(
        generation=following.generation,
        refresh_token=following.seal("refresh_token", "srt_never-issued"),
        previous_refresh_token=connected.refresh_token,
        access_expires_at=None,
        **values,
    )


def test_t06_only_the_refusal_of_both_refresh_tokens_ends_a_grant(connected, scoped, sandbox):
    good = connected.open("refresh_token")
    lose_the_last_commit(connected)
    assert Connection.objects.get().open("previous_refresh_token") == good
    assert access_token(connected, Urgency.PERSON)
    assert Connection.objects.get().state == State.ACTIVE


def test_t06_without_a_call_for_the_second_try_the_next_caller_begins_there(connected, scoped, sandbox):
    lose_the_last_commit(connected)
    endpoint = TokenEndpoint.objects.get()
    TokenEndpoint.objects.update(calls=endpoint.calls * 4)  # one call is left
    calls = len(sandbox.token_calls())
    with pytest.raises(TemporaryError):
        access_token(connected, Urgency.PERSON)
    assert Connection.objects.get().current_refused_at
    forget_calls()
    assert access_token(connected, Urgency.PERSON)
    assert len(sandbox.token_calls()) == calls + 2


def test_t06_a_previous_token_is_not_tried_after_its_three_hours(connected, scoped, sandbox):
    lose_the_last_commit(connected, refreshed_at=timezone.now() - timedelta(hours=3, seconds=1))
    calls = len(sandbox.token_calls())
    with pytest.raises(NotConnected, match="ended the grant"):
        access_token(connected, Urgency.PERSON)
    assert len(sandbox.token_calls()) == calls + 1


def test_the_end_of_a_grant_is_told_once_in_words_with_one_button(connected, acme, sandbox, client, alice):
    with tenant_scope(acme.pk):
        end_at_the_platform(sandbox, connected)
        expire()
        with pytest.raises(NotConnected, match="ended the grant"):
            access_token(connected, Urgency.PERSON)
        assert Entry.objects.filter(action="connection.end").exists()
    tell_of_ended_grants()
    tell_of_ended_grants()
    (mail,) = delivered()
    assert mail.to == [alice.email]
    assert f"http://127.0.0.1:8000{PAGE}" in mail.body
    assert mail.body.count("The platform has ended") == 1
    client.force_login(alice)
    assert b"Reconnect to the platform" in client.get(PAGE).content
    assert b"Reconnect" in client.get("/t/acme/").content


def make_grants(*tenants, **columns) -> None:
    for tenant in tenants:
        with tenant_scope(tenant.pk):
            Connection.objects.create(region=Region.EU, **columns)


def test_owners_who_cannot_be_told_keep_no_others_from_hearing(acme, globex, mallory, monkeypatch):
    make_grants(acme, globex, state=State.NEEDS_RECONNECTION, ended_at=timezone.now())
    monkeypatch.setattr(notices, "notify_once", fails_in(acme, notices.notify_once))
    tell_of_ended_grants()
    (mail,) = delivered()
    assert mail.to == [mallory.email]


def test_an_end_while_a_machine_waits_is_noticed_too(connected, scoped, sandbox):
    end_at_the_platform(sandbox, connected)
    expire()
    with pytest.raises(NotConnected):
        access_token(connected, Urgency.NEWS)
    assert not TokenRequest.objects.exists()
    assert Connection.objects.get().state == State.NEEDS_RECONNECTION


def test_a_portal_that_is_refused_is_one_alarm_and_no_tenants_matter(
    connected, acme, globex, alice, mallory, sandbox, settings, caplog, client
):
    settings.PLATFORM_CLIENT_SECRET = "rotated away"
    caplog.set_level(logging.CRITICAL)
    for _ in range(3):
        with tenant_scope(acme.pk):
            expire()
            with pytest.raises(InvalidClient):
                access_token(connected, Urgency.PERSON)
    with tenant_scope(acme.pk):
        row = Connection.objects.get()
    assert (row.state, row.last_error) == (State.ACTIVE, "")
    assert [record.name for record in caplog.records] == [ALARMS]
    client.force_login(alice)
    assert b"does not accept this portal" in client.get(PAGE).content
    settings.PLATFORM_CLIENT_SECRET = "portal-tests-secret"
    assert b"does not accept this portal" not in client.get(PAGE).content
    with tenant_scope(acme.pk):
        forget_calls()
        assert access_token(connected, Urgency.PERSON)
    assert TokenEndpoint.objects.get().trouble == ""


def test_s4_a_redirect_is_a_wrong_address_and_the_token_goes_no_further(connected, scoped, sandbox, caplog):
    caplog.set_level(logging.CRITICAL)
    expire()
    sandbox.fail("redirect", path="/oauth/token", value="http://127.0.0.1:8001/v1/elsewhere")
    with pytest.raises(RedirectRefused):
        access_token(connected, Urgency.PERSON)
    assert sandbox.requests("/v1/elsewhere") == []
    assert [record.name for record in caplog.records] == [ALARMS]
    assert Connection.objects.get().state == State.ACTIVE


def test_a_429_gives_the_turn_back_and_keeps_its_place(connected, scoped, sandbox):
    expire()
    sandbox.fail("status", path="/oauth/token", value=429, times=1)
    with pytest.raises(TokenBusy):
        access_token(connected, Urgency.NEWS)
    request = TokenRequest.objects.get()
    assert request.due_at <= timezone.now()
    row = Connection.objects.get()
    assert (row.attempted_at, row.lease_owner) == (None, "")
    forget_calls()
    serve_token_queue()
    assert not TokenRequest.objects.exists()
    assert Connection.objects.get().has_live_token(timezone.now())


def test_a_closed_endpoint_is_asked_by_nobody(connected, scoped, sandbox):
    expire()
    close(settings.PLATFORM_API_URL, seconds=300)
    calls = len(sandbox.token_calls())
    for urgency in (Urgency.PERSON, Urgency.NEWS, Urgency.PERIODIC):
        with pytest.raises(TokenBusy):
            access_token(connected, urgency)
    serve_token_queue()
    assert len(sandbox.token_calls()) == calls
    assert TokenRequest.objects.get().urgency == Urgency.PERSON


def test_a_machine_waits_longer_after_each_failure(connected, scoped, sandbox):
    expire()
    sandbox.fail("status", path="/oauth/token", value=503)
    waits = []
    for _ in range(3):
        with pytest.raises(PlatformError):
            access_token(connected, Urgency.NEWS)
        request = TokenRequest.objects.get()
        waits.append((request.due_at - timezone.now()).total_seconds())
        TokenRequest.objects.update(due_at=timezone.now())
        forget_calls()
    assert waits == sorted(waits)
    assert waits[2] > 3 * waits[0]


def test_idle_grants_are_kept_alive(connected, scoped, sandbox):
    keep_grants_alive()
    assert not TokenRequest.objects.exists()
    Connection.objects.update(refreshed_at=timezone.now() - timedelta(days=4), access_expires_at=None)
    keep_grants_alive()
    assert TokenRequest.objects.get().urgency == Urgency.PERIODIC
    calls = len(sandbox.token_calls())
    serve_token_queue()
    assert len(sandbox.token_calls()) == calls + 1
    assert Connection.objects.get().refreshed_at > timezone.now() - timedelta(minutes=1)


def test_a_grant_that_cannot_be_kept_alive_keeps_no_other_from_it(acme, globex, monkeypatch):
    make_grants(acme, globex, state=State.ACTIVE, refresh_token=b"x", refreshed_at=timezone.now() - timedelta(days=4))
    monkeypatch.setattr(queue, "request_token", fails_in(acme, queue.request_token))
    keep_grants_alive()
    with all_tenants("who waits for a token"):
        assert TokenRequest.objects.get().tenant_id == globex.pk
