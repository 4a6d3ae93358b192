"""A5: which account was connected is shown, and a doubtful one is asked about before anything is fetched or written."""

import pytest
from django.utils import timezone

from portal.connections.models import AccountMark, Connection, State
from portal.connections.services import NotConnected, Urgency, client_for, confirm
from portal.connections.services.accounts import Identity
from portal.connections.services.grants import activate
from portal.tenants.scope import tenant_scope
from tests.conftest import connect
from tests.support.budget import forget_calls
from tests.support.grants import shown_grant

PAGE = "/t/acme/settings/connection/"
OTHER = "/t/globex/settings/connection/"


def connection_of(tenant) -> Connection:
    with tenant_scope(tenant.pk):
        return Connection.objects.get()


def test_a5_the_account_is_shown(connected, client, alice):
    client.force_login(alice)
    assert connected.account
    assert connected.account.encode() in client.get(PAGE).content


def test_a5_an_account_that_another_tenant_has_is_asked_about(connected, sandbox, platform_tenant, globex, mallory, client):
    with tenant_scope(globex.pk):
        connect(sandbox, platform_tenant, mallory)
        assert Connection.objects.get().state == State.UNCONFIRMED
        with pytest.raises(NotConnected):
            client_for(Urgency.PERSON)
    client.force_login(mallory)
    page = client.get(OTHER).content
    assert b"another tenant of this portal" in page
    assert b"Acme" not in page
    assert client.post(f"{OTHER}confirm/", shown_grant(client, OTHER)).status_code == 302
    assert connection_of(globex).state == State.ACTIVE


def test_a5_reconnecting_another_account_than_before_is_asked_about(connected, sandbox, acme, alice):
    other = sandbox.create_tenant(name="Initech", seed=99)
    with tenant_scope(acme.pk):
        before = set(AccountMark.objects.values_list("digest", flat=True))
        connect(sandbox, other, alice)
        row = Connection.objects.get()
        assert row.state == State.UNCONFIRMED
        assert "different platform account" in row.last_error
        assert set(AccountMark.objects.values_list("digest", flat=True)) == before


def test_a5_the_trust_center_of_the_account_before_is_forgotten_with_it(
    connected, scoped, sandbox, platform_tenant, alice, deliver
):
    Connection.objects.update(slug_id=platform_tenant["slugId"], slug_verified_at=timezone.now())
    other = sandbox.create_tenant(name="Initech", seed=99)
    row = connect(sandbox, other, alice)
    assert (row.slug_id, row.slug_verified_at) == (platform_tenant["slugId"], None)
    assert confirm(row, grant=row.grant_mark, actor=alice).slug_id == ""


def test_a5_the_trust_center_of_the_same_account_is_kept_and_verified_anew(connected, scoped, sandbox, platform_tenant, alice):
    Connection.objects.update(slug_id=platform_tenant["slugId"], slug_verified_at=timezone.now())
    row = connect(sandbox, platform_tenant, alice)
    assert (row.slug_id, row.slug_verified_at) == (platform_tenant["slugId"], None)


def test_a5_what_is_known_of_one_grant_is_not_taken_for_the_next(connected, scoped, sandbox, alice):
    """A second connect ends while the first one still asks for the people of its account."""
    first = connect(sandbox, sandbox.create_tenant(name="Initech", seed=99), alice)
    forget_calls()
    second = connect(sandbox, sandbox.create_tenant(name="Umbrella", seed=98), alice)
    assert activate(first, Identity(), actor=alice).state == State.UNCONFIRMED
    assert Connection.objects.get().account == second.account


def test_a5_reconnecting_the_same_account_asks_nothing(connected, sandbox, platform_tenant, acme, alice):
    with tenant_scope(acme.pk):
        connect(sandbox, platform_tenant, alice)
        assert Connection.objects.get().state == State.ACTIVE


def test_a5_an_account_that_cannot_be_told_is_connected_without_a_question(sandbox, platform_tenant, acme, alice):
    sandbox.fail("status", path="/v1/users", value=403)
    with tenant_scope(acme.pk):
        connect(sandbox, platform_tenant, alice)
        row = Connection.objects.get()
    assert (row.state, row.account) == (State.ACTIVE, "")


def test_s3_an_address_with_half_a_character_names_an_account_that_can_be_stored(sandbox, platform_tenant, scoped, alice):
    tenant_id, objects = platform_tenant["tenant_id"], sandbox.app.extensions["sandbox"].objects
    for user in objects.all(tenant_id, "users"):
        objects.save(tenant_id, "users", user | {"email": "kim@half\ud800.example"})
    connect(sandbox, platform_tenant, alice)
    assert Connection.objects.get().account.startswith("half\N{REPLACEMENT CHARACTER}.example")


def test_only_an_owner_confirms(connected, client, bob, acme):
    with tenant_scope(acme.pk):
        Connection.objects.update(state=State.UNCONFIRMED)
    client.force_login(bob)
    assert client.post(PAGE + "confirm/").status_code == 403
    assert connection_of(acme).state == State.UNCONFIRMED


def test_the_marks_tell_nothing_of_the_people(connected, scoped, sandbox, platform_tenant):
    ids = {user["id"] for user in sandbox.objects(platform_tenant["tenant_id"], "users")}
    digests = set(AccountMark.objects.values_list("digest", flat=True))
    assert digests
    assert not digests & ids
    forget_calls()
