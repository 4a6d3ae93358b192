"""R7: a grant that was replaced, or that nobody meant, is ended at the platform, and the page says so."""

import pytest
from django.utils import timezone

from portal.audit.models import Entry
from portal.connections.models import Capability, Connection, GrantType, Region, State, Suspension
from portal.connections.services import (
    AuthorizationResponse,
    ConnectRefused,
    NotConnected,
    Urgency,
    client_for,
    complete_connect,
    confirm,
    connect_own_application,
    reject,
    start_connect,
)
from portal.connections.services.leases import take_lease
from portal.connections.services.token_refresh import store
from portal.connections.tasks import serve_token_queue, tell_of_ended_grants
from portal.platform_api.oauth import TokenAnswer
from portal.tenants.models import Role
from portal.tenants.scope import tenant_scope
from tests.conftest import SESSION_KEY, connect
from tests.support.budget import forget_calls
from tests.support.grants import shown_grant
from tests.support.mails import delivered

PAGE = "/t/acme/settings/connection/"


@pytest.fixture
def wrong(sandbox) -> dict:
    """Another organisation of the same person on the platform."""
    made: dict = sandbox.create_tenant(name="Initech", seed=99)
    return made


def living(sandbox, account: dict) -> int:
    """Count the grants of an organisation that can still get a token, as the platform has it."""
    return len(sandbox.app.extensions["sandbox"].grants.living(account["tenant_id"]))


def serve(sandbox) -> None:
    """Let the queue of the token endpoint run until nothing is left."""
    for _ in range(6):
        forget_calls()
        sandbox.advance(61)
        Suspension.objects.update(due_at=timezone.now())
        serve_token_queue()


def works() -> bool:
    forget_calls()
    return bool(client_for(Urgency.PERSON).questionnaires.all.page().items)


def test_r7_the_wrong_account_and_then_the_right_one(scoped, sandbox, alice, wrong, platform_tenant, client):
    connect(sandbox, wrong, alice)
    first = Connection.objects.get().open("refresh_token")
    row = connect(sandbox, platform_tenant, alice)
    assert row.state == State.UNCONFIRMED
    assert {each.open("token") for each in Suspension.objects.all()} >= {first}
    assert Entry.objects.filter(action="connection.replace").exists()
    confirm(row, grant=row.grant_mark, actor=alice)
    client.force_login(alice)
    assert b"The grant that was replaced is being ended" in client.get(PAGE).content
    serve(sandbox)
    assert (living(sandbox, wrong), living(sandbox, platform_tenant)) == (0, 1)
    assert not Suspension.objects.filter(confirmed_at=None).exists()
    assert b"The grant that was replaced has ended" in client.get(PAGE).content
    assert works()


def test_r7_a_grant_of_the_same_account_is_replaced_too(connected, scoped, sandbox, alice, platform_tenant):
    assert connect(sandbox, platform_tenant, alice).state == State.ACTIVE
    serve(sandbox)
    assert living(sandbox, platform_tenant) == 1
    assert works()


def test_r7_a_grant_is_ended_where_it_was_given(connected, scoped, sandbox, alice, platform_tenant):
    """The account is connected anew in another region: the old tokens are known at the old host only."""
    connect(sandbox, platform_tenant, alice, region=Region.US)
    assert set(Suspension.objects.values_list("region", flat=True)) == {Region.EU}
    assert Connection.objects.get().region == Region.US


def test_r7_an_answer_that_arrives_after_the_grant_was_replaced_is_ended_too(
    connected, scoped, sandbox, alice, platform_tenant
):
    lease = take_lease(Connection.objects.get())
    assert connect(sandbox, platform_tenant, alice).state == State.ACTIVE
    before = Connection.objects.get().open("refresh_token")
    assert not store(lease, TokenAnswer("late-access", "late-refresh", 3600), asked_at=timezone.now())
    assert {each.open("token") for each in Suspension.objects.all()} >= {"late-access", "late-refresh"}
    assert Connection.objects.get().open("refresh_token") == before


def test_r7_a_writer_that_is_too_late_ends_no_token_of_the_same_grant(connected, scoped):
    first = take_lease(Connection.objects.get())
    Connection.objects.update(lease_owner="")
    second = take_lease(Connection.objects.get())
    assert store(second, TokenAnswer("newer-access", "newer-refresh", 3600), asked_at=timezone.now())
    assert not store(first, TokenAnswer("late-access", "late-refresh", 3600), asked_at=timezone.now())
    assert not Suspension.objects.exists()


def test_r7_what_the_last_grant_covered_says_nothing_of_the_next(connected, scoped, sandbox, alice, wrong):
    Capability.objects.create(area="contracts", answer="no")
    connect(sandbox, wrong, alice)
    assert not Capability.objects.exists()


def test_r7_a_grant_that_the_platform_has_ended_is_not_ended_again(connected, scoped, sandbox, alice, platform_tenant):
    Connection.objects.update(state=State.NEEDS_RECONNECTION)
    connect(sandbox, platform_tenant, alice)
    assert not Suspension.objects.exists()


def test_r7_a_new_token_of_the_same_own_application_replaces_no_grant(scoped, sandbox, platform_tenant, alice):
    application = next(each for each in sandbox.control("GET", "/applications") if each["type"] == "management")
    values = {name: application[name] for name in ("client_id", "client_secret")} | {"scopes": "svc-api.all:read"}
    for _ in range(2):
        forget_calls()
        row = connect_own_application(user=alice, region=Region.EU, **values)
    assert row.grant_type == GrantType.CLIENT_CREDENTIALS
    assert not Suspension.objects.exists()
    assert works()


class TestRejecting:
    """The owner says that the account is not the one that was meant."""

    @pytest.fixture
    def doubtful(self, connected, scoped, sandbox, alice, wrong):
        return connect(sandbox, wrong, alice)

    def test_r7_its_grant_is_ended_and_nothing_of_it_is_left(self, doubtful, sandbox, wrong, platform_tenant, client, alice):
        token = doubtful.open("refresh_token")
        client.force_login(alice)
        page = client.get(PAGE).content
        assert b"Is this the right account?" in page
        assert f"{PAGE}reject/".encode() in page
        assert client.post(f"{PAGE}reject/", shown_grant(client, PAGE)).status_code == 302
        row = Connection.objects.get()
        assert (row.state, row.access_token, row.refresh_token, row.account) == (State.NEEDS_RECONNECTION, b"", b"", "")
        assert token in {each.open("token") for each in Suspension.objects.all()}
        with pytest.raises(NotConnected):
            client_for(Urgency.PERSON)
        page = client.get(PAGE).content
        assert b"The most recently connected account was rejected" in page
        assert b"The grant is being ended" in page
        serve(sandbox)
        assert (living(sandbox, wrong), living(sandbox, platform_tenant)) == (0, 0)
        assert b"The platform has confirmed the end of the grant" in client.get(PAGE).content

    def test_r7_the_right_one_can_be_connected_then(self, doubtful, sandbox, alice, platform_tenant):
        reject(doubtful, grant=doubtful.grant_mark, actor=alice)
        serve(sandbox)
        assert connect(sandbox, platform_tenant, alice).state == State.ACTIVE
        serve(sandbox)
        assert living(sandbox, platform_tenant) == 1
        assert works()

    def test_r7_deliveries_are_still_stored_meanwhile(self, doubtful, alice, deliver):
        reject(doubtful, grant=doubtful.grant_mark, actor=alice)
        assert deliver({"questionnaire": {"id": "q1"}}).status_code == 204

    def test_r7_whoever_rejected_it_gets_no_mail_about_it(self, doubtful, alice):
        reject(doubtful, grant=doubtful.grant_mark, actor=alice)
        tell_of_ended_grants()
        assert delivered() == []

    def test_r7_only_what_is_asked_about_can_be_rejected(self, connected, scoped, client, alice):
        client.force_login(alice)
        client.post(f"{PAGE}reject/")
        assert Connection.objects.get().state == State.ACTIVE
        assert not Suspension.objects.exists()

    @pytest.mark.parametrize("second", ["confirm", "reject"])
    def test_r7_whoever_answers_second_is_told_that_somebody_has(self, doubtful, sandbox, client, alice, second):
        reject(doubtful, grant=doubtful.grant_mark, actor=alice)
        client.force_login(alice)
        asked = len(sandbox.requests("/v1/"))
        page = client.post(f"{PAGE}{second}/", follow=True).content
        assert b"Someone has already answered: Needs reconnection." in page
        assert b"Confirmed. The first copy" not in page
        assert b"Rejected. That account" not in page
        assert len(sandbox.requests("/v1/")) == asked
        assert Entry.objects.filter(action__in=["connection.confirm", "connection.reject"]).count() == 1

    @pytest.mark.parametrize("answer", ["confirm", "reject"])
    def test_r7_an_answer_means_the_account_that_was_shown(self, doubtful, sandbox, client, alice, wrong, answer):
        """Another owner connects a third account while the page with the second one is open."""
        client.force_login(alice)
        shown = shown_grant(client, PAGE)
        third = sandbox.create_tenant(name="Umbrella", seed=98)
        forget_calls()
        connect(sandbox, third, alice)
        page = client.post(f"{PAGE}{answer}/", shown, follow=True).content
        assert b"Another account was connected in the meantime. Check this one." in page
        assert Connection.objects.get().state == State.UNCONFIRMED
        assert not Entry.objects.filter(action__in=["connection.confirm", "connection.reject"]).exists()

    def test_only_an_owner_rejects(self, doubtful, client, member):
        client.force_login(member(Role.ADMIN))
        assert client.post(f"{PAGE}reject/").status_code == 403
        assert b"reject/" not in client.get(PAGE).content
        assert Connection.objects.get().state == State.UNCONFIRMED


def test_r7_a_token_that_came_without_the_means_to_renew_it_is_ended(acme, sandbox, alice, platform_tenant, monkeypatch):
    """The platform never does that (specification 2.4); if it does, an hour's access must not be left behind."""
    answer = "portal.platform_api.oauth.read_tokens"
    from portal.platform_api import oauth

    real = oauth.read_tokens
    monkeypatch.setattr(answer, lambda decoded: real({**decoded, "refresh_token": None}))
    with tenant_scope(acme.pk):
        start = start_connect(user=alice, region=Region.EU, session_key=SESSION_KEY)
        query = sandbox.consent(start.url, platform_tenant["tenant_id"])
        with pytest.raises(ConnectRefused) as caught:
            complete_connect(AuthorizationResponse(alice, session_key=SESSION_KEY, state=query["state"]), code=query["code"])
        assert caught.value.reason == "incomplete"
        assert Suspension.objects.count() == 1
        serve(sandbox)
        assert Suspension.objects.get().confirmed_at
    assert living(sandbox, platform_tenant) == 0
