from datetime import timedelta
from urllib.parse import parse_qs, urlsplit

import pytest
from django.test import Client
from django.urls import reverse

from portal.connections.models import AuthorizationRequest, Connection, State
from portal.connections.services import Urgency, disconnect
from portal.connections.services.budget import take_call
from portal.tenants.models import Role
from portal.tenants.scope import tenant_scope
from tests.support.grants import shown_grant
from tests.support.members import set_role

PAGE = "/t/acme/settings/connection/"
CONNECTED = "/t/acme/first-hour/connected/"


@pytest.fixture
def signed_in(client, alice, acme):
    client.force_login(alice)
    return client


def begin(signed_in) -> str:
    response = signed_in.post(PAGE + "connect/", {"region": "eu"})
    assert response.status_code == 302, response.content
    return response["Location"]


def state_of(url: str) -> str:
    return parse_qs(urlsplit(url).query)["state"][0]


def callback(signed_in, **query):
    return signed_in.get("/connect/callback/", query)


def reason_of(response) -> str:
    assert response.status_code == 302
    return response["Location"].split("/refused/")[1].split("/")[0]


def connection_state(acme) -> str:
    with tenant_scope(acme.pk):
        return Connection.objects.get().state


def test_the_walk_through_the_consent_screen_connects(signed_in, acme, sandbox, platform_tenant):
    url = begin(signed_in)
    query = parse_qs(urlsplit(url).query)
    assert query["response_type"] == ["code"]
    response = callback(signed_in, **sandbox.consent(url, platform_tenant["tenant_id"]))
    assert response["Location"] == CONNECTED
    assert response["Referrer-Policy"] == "no-referrer"
    assert connection_state(acme) == State.ACTIVE
    assert b"Connected" in signed_in.get(PAGE).content


def test_a_refused_consent_ends_on_a_clear_page(signed_in, acme, sandbox, platform_tenant):
    response = callback(signed_in, **sandbox.consent(begin(signed_in), platform_tenant["tenant_id"], "deny"))
    assert reason_of(response) == "refused"
    page = signed_in.get(response["Location"])
    assert b"Access was not granted" in page.content
    assert PAGE.encode() in page.content
    assert connection_state(acme) == State.DISCONNECTED


def test_a1_a_state_works_once(signed_in, sandbox, platform_tenant):
    query = sandbox.consent(begin(signed_in), platform_tenant["tenant_id"])
    callback(signed_in, **query)
    calls = len(sandbox.token_calls())
    assert reason_of(callback(signed_in, **query)) == "state"
    assert len(sandbox.token_calls()) == calls


@pytest.mark.parametrize("state", ["", "unknown", "\x00", "x" * 5000])
def test_a1_an_unknown_state_is_refused_before_the_code_is_read(signed_in, sandbox, state):
    begin(signed_in)
    assert reason_of(callback(signed_in, state=state, code="c")) == "state"
    assert sandbox.token_calls() == []


def test_a1_another_person_cannot_finish_it(signed_in, sandbox, platform_tenant, mallory, globex):
    query = sandbox.consent(begin(signed_in), platform_tenant["tenant_id"])
    stranger = Client()
    stranger.force_login(mallory)
    assert reason_of(callback(stranger, **query)) == "state"
    assert sandbox.token_calls() == []


def test_a1_another_browser_of_the_same_person_cannot_finish_it(signed_in, alice, sandbox, platform_tenant):
    query = sandbox.consent(begin(signed_in), platform_tenant["tenant_id"])
    other = Client()
    other.force_login(alice)
    assert reason_of(callback(other, **query)) == "browser"
    assert sandbox.token_calls() == []


def test_a1_signed_out_means_sign_in_first(sandbox, signed_in, platform_tenant):
    query = sandbox.consent(begin(signed_in), platform_tenant["tenant_id"])
    response = callback(Client(), **query)
    assert response["Location"].startswith(reverse("account_login"))
    assert sandbox.token_calls() == []


def test_a1_a_state_ends_after_ten_minutes(signed_in, acme, sandbox, platform_tenant):
    query = sandbox.consent(begin(signed_in), platform_tenant["tenant_id"])
    with tenant_scope(acme.pk):
        flow = AuthorizationRequest.objects.get()
        flow.created_at -= timedelta(minutes=10, seconds=1)
        flow.save()
    assert reason_of(callback(signed_in, **query)) == "expired"
    assert sandbox.token_calls() == []


def test_a1_the_role_is_read_again_at_the_end(signed_in, acme, sandbox, platform_tenant):
    query = sandbox.consent(begin(signed_in), platform_tenant["tenant_id"])
    set_role(Role.ADMIN)
    assert reason_of(callback(signed_in, **query)) == "role"
    assert sandbox.token_calls() == []


def test_t10_a_disconnect_ends_the_walks_that_are_on_their_way(signed_in, acme, alice, connected, sandbox, platform_tenant):
    query = sandbox.consent(begin(signed_in), platform_tenant["tenant_id"])
    calls = len(sandbox.token_calls())
    with tenant_scope(acme.pk):
        disconnect(connected, actor=alice)
    assert reason_of(callback(signed_in, **query)) == "state"
    assert connection_state(acme) == State.DISCONNECTED
    assert len(sandbox.token_calls()) == calls


def test_a1_the_state_is_not_stored_in_plain(signed_in, acme, sandbox):
    state = state_of(begin(signed_in))
    with tenant_scope(acme.pk):
        assert AuthorizationRequest.objects.get().state_hash != state


def test_a_code_older_than_thirty_seconds_ends_on_a_clear_page(signed_in, acme, sandbox, platform_tenant):
    query = sandbox.consent(begin(signed_in), platform_tenant["tenant_id"])
    sandbox.advance(31)
    response = callback(signed_in, **query)
    assert reason_of(response) == "code"
    assert b"30 seconds" in signed_in.get(response["Location"]).content
    assert connection_state(acme) == State.DISCONNECTED


def test_a_platform_that_is_down_ends_on_a_clear_page(signed_in, sandbox, platform_tenant):
    query = sandbox.consent(begin(signed_in), platform_tenant["tenant_id"])
    sandbox.fail("status", path="/oauth/token", value=504, times=1)
    assert reason_of(callback(signed_in, **query)) == "unavailable"


def test_t9_a_connect_is_held_back_while_no_code_could_be_exchanged(signed_in, sandbox):
    for _ in range(5):
        take_call("http://127.0.0.1:8001", Urgency.CODE)
    response = signed_in.post(PAGE + "connect/", {"region": "eu"})
    assert response.status_code == 503
    assert b"Connecting will be possible in" in response.content


def test_reconnecting_keeps_the_source_id(signed_in, acme, sandbox, connected):
    url = begin(signed_in)
    assert parse_qs(urlsplit(url).query)["source_id"] == [str(connected.source_id)]


@pytest.mark.parametrize("region", ["", "mars", "us' OR 1=1"])
def test_an_unknown_region_is_an_error_on_the_form(signed_in, sandbox, region):
    assert signed_in.post(PAGE + "connect/", {"region": region}).status_code == 422


def test_only_an_owner_may_connect_or_disconnect(client, member, sandbox):
    client.force_login(member(Role.ADMIN))
    assert client.post(PAGE + "connect/", {"region": "eu"}).status_code == 403
    assert client.post(PAGE + "disconnect/", {"name": "Acme"}).status_code == 403


def test_disconnect_wants_the_name_typed(signed_in, acme, connected):
    assert signed_in.post(PAGE + "disconnect/", {"name": "acme"}).status_code == 422
    assert connection_state(acme) == State.ACTIVE
    assert signed_in.post(PAGE + "disconnect/", {"name": "Acme"} | shown_grant(signed_in, PAGE)).status_code == 302
    assert connection_state(acme) == State.DISCONNECTED


def test_the_refused_page_never_echoes_what_the_platform_sent(signed_in, sandbox):
    url = begin(signed_in)
    response = callback(signed_in, state=state_of(url), error="<script>alert(1)</script>", error_description="<b>")
    page = signed_in.get(response["Location"])
    assert b"alert(1)" not in page.content
