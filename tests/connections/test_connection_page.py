"""R3: what the connection page says of the token, the access and what it covers is true in every state of the connection."""

import re
from contextlib import suppress
from datetime import timedelta

import pytest
from django.utils import timezone
from django.utils.html import strip_tags

from portal.connections.models import Answer, Capability, Connection, State
from portal.connections.services import NotConnected, Urgency, client_for, disconnect, learn_slug_id, reject, set_slug_id
from portal.connections.services.probes import probe
from portal.platform_api.errors import AuthenticationFailed, RefreshTooSoon
from tests.support.budget import forget_calls

pytestmark = pytest.mark.once

PAGE = "/t/acme/settings/connection/"


@pytest.fixture
def shown_page(client, alice, acme):
    """The connection page as words."""
    client.force_login(alice)

    def read() -> str:
        return " ".join(strip_tags(client.get(PAGE).content.decode().replace("</d", " </d")).split())

    return read


def token_on(page: str) -> str:
    found = re.search(r"Access token (.*?) Last token fetched", page)
    return found[1] if found else ""


def revoke(sandbox, platform_tenant) -> None:
    grants = sandbox.app.extensions["sandbox"].grants
    for grant in grants.living(platform_tenant["tenant_id"]):
        grants.revoke(grant["id"])


def test_r3_never_connected(shown_page):
    shown = shown_page()
    assert "Not connected yet" in shown
    assert "Access token" not in shown
    assert "What the grant covers" not in shown


def test_r3_connected(connected, shown_page):
    shown = shown_page()
    assert token_on(shown).startswith("valid until")
    assert "Last event none yet" in shown


def test_r3_connected_with_a_token_that_has_run_out(connected, scoped, shown_page):
    Connection.objects.update(access_expires_at=timezone.now() - timedelta(seconds=1))
    assert token_on(shown_page()) == "expired; a new one is fetched when needed"


def test_r3_revoked_at_the_platform(connected, scoped, sandbox, platform_tenant, shown_page):
    revoke(sandbox, platform_tenant)
    forget_calls()
    with pytest.raises(NotConnected, match="The platform has ended the grant"):
        client_for(Urgency.PERSON).users.all.page()
    shown = shown_page()
    assert "The connection has ended" in shown
    assert "The platform has ended the grant." in shown
    assert token_on(shown).startswith("refused by the platform")
    assert "What the grant covers" not in shown
    assert "Scopes:" not in shown
    assert Connection.objects.get().access_expires_at is None


def test_r3_each_token_is_refused(connected, scoped, sandbox, shown_page):
    sandbox.fail("status", path="/v1/users", value=401)
    forget_calls()
    with suppress(AuthenticationFailed):
        client_for(Urgency.PERSON).users.all.page()
    with pytest.raises(RefreshTooSoon):
        client_for(Urgency.PERSON).users.all.page()
    shown = shown_page()
    assert "The platform refuses the token it has just issued" in shown
    assert "The portal fetches a new one at most every 10 minutes" in shown


def test_r3_waiting_for_confirmation(connected, scoped, shown_page):
    Connection.objects.update(state=State.UNCONFIRMED)
    shown = shown_page()
    assert "Connected: confirm the account" in shown
    assert "What the grant covers" not in shown


def test_r3_rejected(connected, scoped, alice, shown_page):
    Connection.objects.update(state=State.UNCONFIRMED)
    row = Connection.objects.get()
    reject(row, grant=row.grant_mark, actor=alice)
    shown = shown_page()
    assert token_on(shown) == "none"
    assert "Account none" in shown
    assert "The platform has ended the grant" not in shown


def test_r3_locked(connected, scoped, shown_page, monkeypatch):
    Connection.objects.update(access_token=b"\x01" * 60, refresh_token=b"\x01" * 60)
    shown = shown_page()
    assert "The stored tokens cannot be opened" in shown
    assert token_on(shown) == "cannot be opened"
    assert "Check now" not in shown


def test_r3_disconnected(connected, scoped, alice, shown_page):
    disconnect(connected, actor=alice)
    shown = shown_page()
    assert "The grant is being ended" in shown
    assert token_on(shown) == "none"
    assert "What the grant covers" not in shown


@pytest.mark.parametrize("state", [State.UNCONFIRMED, State.NEEDS_RECONNECTION, State.DISCONNECTED])
def test_r3_no_desk_says_what_a_grant_does_not_cover_while_there_is_none(connected, scoped, client, alice, state):
    Capability.objects.create(area="contracts", answer=Answer.NO, asked_at=timezone.now())
    client.force_login(alice)
    assert b"The connection does not cover" in client.get("/t/acme/contracts/").content
    Connection.objects.update(state=state)
    assert b"The connection does not cover" not in client.get("/t/acme/contracts/").content


@pytest.mark.parametrize("way", ["entered", "learnt"])
def test_r3_the_trust_center_is_asked_for_as_soon_as_its_id_is_known(
    connected, scoped, alice, platform_tenant, shown_page, way
):
    Connection.objects.update(slug_id="")
    forget_calls()
    probe(Urgency.PERSON)
    assert shown_page().count("The Trust Center id is not known yet.") == 5
    if way == "entered":
        set_slug_id(platform_tenant["slugId"], actor=alice)
    else:
        learn_slug_id(platform_tenant["slugId"])
    assert "not known yet" not in shown_page()
    probe(Urgency.PERSON)
    assert set(Capability.objects.filter(area__in=["viewers", "activity"]).values_list("answer", flat=True)) == {Answer.YES}


@pytest.mark.parametrize(("state", "is_fetched"), [(State.ACTIVE, True), (State.DISCONNECTED, False)])
def test_r3_the_trust_center_is_said_to_be_fetched_only_while_connected(
    connected, scoped, client, alice, platform_tenant, state, is_fetched
):
    Connection.objects.update(state=state)
    client.force_login(alice)
    page = client.post(f"{PAGE}trust-center/", {"slug_id": platform_tenant["slugId"]}, follow=True).content
    assert (b"requests and viewers are being fetched" in page) == is_fetched


def test_r5_an_area_that_answers_with_a_page_stops_no_other(connected, scoped, sandbox, shown_page):
    sandbox.fail("html", path="/v1/customer-trust/questionnaires")
    forget_calls()
    assert probe(Urgency.PERSON)
    answers = dict(Capability.objects.values_list("area", "answer"))
    assert (answers["questionnaires"], answers["vendors"]) == (Answer.UNKNOWN, Answer.YES)
    assert "We will be right back" not in shown_page()
