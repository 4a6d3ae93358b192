"""The second kind of grant: the tenant's own application, behind the same door."""

from datetime import timedelta

import pytest
from django.utils import timezone

from portal.connections.models import Connection, GrantType, Region, State, Suspension
from portal.connections.services import (
    NotConnected,
    Urgency,
    access_token,
    client_for,
    connect_own_application,
    delete_tenant,
    disconnect,
    reject,
    rotate_secret,
)
from portal.connections.tasks import serve_token_queue
from portal.platform_api.errors import InvalidClient, InvalidScope
from portal.tenants.scope import tenant_scope
from tests.support.budget import forget_calls

pytestmark = pytest.mark.once

PAGE = "/t/acme/settings/connection/"
SCOPES = "svc-api.all:read svc-api.all:write"


@pytest.fixture
def application(sandbox, platform_tenant):
    """The management application of the sandbox: its id and secret."""
    return next(each for each in sandbox.control("GET", "/applications") if each["type"] == "management")


@pytest.fixture
def own(application, scoped, alice):
    return connect_own_application(
        user=alice,
        region=Region.EU,
        client_id=application["client_id"],
        client_secret=application["client_secret"],
        scopes=SCOPES,
    )


def expire() -> None:
    Connection.objects.update(access_expires_at=timezone.now() - timedelta(seconds=1))


def test_it_connects_without_consent_and_makes_calls(own):
    assert own.state == State.ACTIVE
    assert own.grant_type == GrantType.CLIENT_CREDENTIALS
    assert client_for(Urgency.PERSON).questionnaires.all.page().items


def test_there_is_no_refresh_token_and_a_new_one_is_asked_for(own, application):
    assert own.open("refresh_token") == ""
    before = access_token(own, Urgency.PERSON)
    expire()
    assert access_token(own, Urgency.PERSON) != before
    assert Connection.objects.get().open("client_secret") == application["client_secret"]


@pytest.mark.parametrize(
    ("changes", "error"), [({"client_secret": "wrong"}, InvalidClient), ({"scopes": "auditor-api.audit:read"}, InvalidScope)]
)
def test_nothing_is_kept_of_an_application_the_platform_does_not_take(application, scoped, alice, changes, error):
    values = {"client_id": application["client_id"], "client_secret": application["client_secret"], "scopes": SCOPES} | changes
    with pytest.raises(error):
        connect_own_application(user=alice, region=Region.EU, **values)
    assert not Connection.objects.exists()


def test_a_secret_that_was_rotated_on_the_platform_needs_the_new_one(own, application, sandbox, alice):
    secret = sandbox.control("POST", f"/applications/{application['client_id']}/rotate-secret")["client_secret"]
    expire()
    with pytest.raises(NotConnected, match="id and secret"):
        access_token(own, Urgency.PERSON)
    ended = Connection.objects.get()
    assert ended.state == State.NEEDS_RECONNECTION
    assert ended.client_id == application["client_id"]
    forget_calls()
    with pytest.raises(InvalidClient):
        rotate_secret(Connection.objects.get(), "not this one", actor=alice)
    assert rotate_secret(Connection.objects.get(), secret, actor=alice).state == State.ACTIVE
    assert client_for(Urgency.PERSON).questionnaires.all.page().items


def test_disconnecting_forgets_the_secret_and_ends_the_token(own, application, sandbox, alice):
    token = own.open("access_token")
    disconnect(own, actor=alice)
    row = Connection.objects.get()
    assert (bytes(row.client_secret), bytes(row.access_token)) == (b"", b"")
    forget_calls()
    serve_token_queue()
    suspension = Suspension.objects.get()
    assert suspension.confirmed_at
    assert (bytes(suspension.token), bytes(suspension.client_secret)) == (b"", b"")
    url = "http://127.0.0.1:8001/v1/customer-trust/questionnaires"
    assert sandbox.session.get(url, headers={"Authorization": f"Bearer {token}"}).status_code == 401


def test_the_page_connects_and_never_shows_the_secret(client, alice, acme, application):
    client.force_login(alice)
    form = {
        "own-region": "eu",
        "own-client_id": application["client_id"],
        "own-client_secret": application["client_secret"],
        "own-scopes": SCOPES,
    }
    refused = client.post(PAGE + "own-application/", form | {"own-client_secret": "wrong-secret"})
    assert refused.status_code == 422
    assert b"does not accept this id and secret" in refused.content
    assert b"wrong-secret" not in refused.content
    assert client.post(PAGE + "own-application/", form).status_code == 302
    page = client.get(PAGE).content
    assert b"own application" in page
    assert application["client_secret"].encode() not in page
    with tenant_scope(acme.pk):
        assert Connection.objects.get().state == State.ACTIVE


def test_after_a_rejected_application_the_button_leads_to_what_can_work(own, scoped, client, alice, settings):
    Connection.objects.update(state=State.UNCONFIRMED)
    reject(own, grant=own.grant_mark, actor=alice)
    client.force_login(alice)
    assert b"Reconnect to the platform" in client.get(PAGE).content
    settings.PLATFORM_CLIENT_ID = ""
    page = client.get(PAGE).content
    assert b"Reconnect to the platform" not in page
    assert b'href="#own-application"' in page
    assert b'id="own-application" open' in page


def test_changing_over_to_an_own_application_ends_the_consent(connected, application, scoped, alice, sandbox):
    refresh_token = connected.open("refresh_token")
    row = connect_own_application(
        user=alice,
        region=Region.EU,
        client_id=application["client_id"],
        client_secret=application["client_secret"],
        scopes=SCOPES,
    )
    assert row.state == State.ACTIVE
    forget_calls()
    sandbox.advance(61)
    serve_token_queue()
    assert Suspension.objects.exclude(confirmed_at=None).count() == 2
    body = {
        "client_id": "portal-tests-client",
        "client_secret": "portal-tests-secret",
        "refresh_token": refresh_token,
        "grant_type": "refresh_token",
    }
    assert sandbox.session.post("http://127.0.0.1:8001/oauth/token", json=body).json()["error"] == "invalid_grant"
    assert client_for(Urgency.PERSON).questionnaires.all.page().items


def test_r7_a_grant_that_comes_after_its_tenant_was_deleted_is_ended(application, acme, scoped, alice, sandbox):
    delete_tenant(acme, actor=alice)
    row = connect_own_application(
        user=alice,
        region=Region.EU,
        client_id=application["client_id"],
        client_secret=application["client_secret"],
        scopes=SCOPES,
    )
    assert (row.state, bytes(row.access_token)) == (State.DISCONNECTED, b"")
    (suspension,) = Suspension.objects.filter(confirmed_at=None)
    assert suspension.open("client_secret") == application["client_secret"]
    forget_calls()
    serve_token_queue()
    assert not Suspension.objects.filter(confirmed_at=None).exists()
