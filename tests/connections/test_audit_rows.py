"""Guarantee R8: whatever happens to a grant leaves its audit row, whoever or whatever did it."""

from datetime import timedelta

import pytest
from django.utils import timezone

from portal.connections.models import Connection, Region
from portal.connections.services import confirm, connect_own_application, disconnect, rotate_secret, set_slug_id
from portal.connections.services.clients import learn_slug_id
from portal.connections.services.failures import KEY_LOST, end_grants_without_tokens
from portal.connections.services.removal import delete_tenant, purge_due
from portal.connections.tasks import serve_token_queue, tell_of_ended_grants
from portal.page_refresh.services import area_version
from tests.conftest import connect
from tests.support.audit import recorded
from tests.support.mails import delivered

ALICE = "Alice Ames"


def test_r8_connecting_and_confirming_a_doubtful_account(sandbox, platform_tenant, scoped, alice):
    with recorded("connection.connect", by=ALICE):
        connect(sandbox, platform_tenant, alice)
    connect(sandbox, sandbox.create_tenant(name="Initech", seed=99), alice)
    with recorded("connection.confirm", by=ALICE):
        row = Connection.objects.get()
        confirm(row, grant=row.grant_mark, actor=alice)


def test_r8_the_trust_center_entered_and_learnt(connected, scoped, alice, platform_tenant):
    with recorded("connection.set_trust_center", by=ALICE):
        set_slug_id(platform_tenant["slugId"], actor=alice)
    Connection.objects.update(slug_id="")
    with recorded("connection.learn_trust_center", by="") as rows:
        for _ in range(2):
            learn_slug_id("65a0aaaaaaaaaaaaaaaaaaaa")
    assert rows[0].source == "event"


def test_r8_disconnecting_with_a_date_for_the_copy(connected, scoped, alice):
    with recorded("connection.disconnect", "connection.plan_purge", by=ALICE):
        disconnect(connected, actor=alice, purge_at=timezone.now() + timedelta(days=30))
    with recorded("connection.plan_purge", by=ALICE):
        disconnect(connected, actor=alice)
    with recorded("connection.suspend", "connection.suspend", by=""):
        serve_token_queue()


def test_r8_a_purge_and_the_end_of_a_tenant(connected, scoped, alice, acme):
    with recorded("connection.disconnect", "connection.plan_purge", "tenant.delete", by=ALICE):
        delete_tenant(acme, actor=alice)
    with recorded("connection.purge", by=""):
        purge_due()


def test_r8_grants_whose_tokens_went_with_a_lost_key(connected, scoped):
    Connection.objects.update(refresh_token=b"")
    before = area_version("connection")
    with recorded("connection.end", by="") as rows:
        assert [end_grants_without_tokens() for _ in range(2)] == [1, 0]
    assert (rows[0].target_id, rows[0].summary) == (str(connected.source_id), KEY_LOST)
    assert area_version("connection") != before
    tell_of_ended_grants()
    (mail,) = delivered()
    assert KEY_LOST in mail.body
    assert "The platform has ended" not in mail.body


@pytest.fixture
def application(sandbox, platform_tenant):
    return next(each for each in sandbox.control("GET", "/applications") if each["type"] == "management")


def test_r8_a_new_secret_of_the_tenants_own_application(application, scoped, alice):
    secrets = {"client_id": application["client_id"], "client_secret": application["client_secret"]}
    with recorded("connection.connect", by=ALICE):
        own = connect_own_application(user=alice, region=Region.EU, scopes="svc-api.all:read", **secrets)
    with recorded("connection.rotate_secret", "connection.connect", by=ALICE):
        rotate_secret(own, application["client_secret"], actor=alice)
