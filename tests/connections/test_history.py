"""R8: each change of a grant has its row in the history, naming who did it; without the call that records it a test fails."""

import io
from datetime import timedelta

import pytest
from django.utils import timezone

from portal.audit.models import Entry
from portal.connections.models import Connection, State, Suspension
from portal.connections.services import (
    NotConnected,
    Urgency,
    access_token,
    confirm,
    connect_own_application,
    delete_tenant,
    disconnect,
    export_tenant,
    reject,
    rotate_secret,
    set_slug_id,
)
from portal.connections.services.removal import purge_due
from portal.connections.tasks import serve_token_queue
from tests.conftest import connect
from tests.support.budget import forget_calls

pytestmark = pytest.mark.once

WHO = "Alice Ames"


def entries(action: str) -> list[Entry]:
    return list(Entry.objects.filter(action=action))


def only(action: str) -> Entry:
    (entry,) = entries(action)
    return entry


def is_about(entry: Entry, row: Connection) -> bool:
    return (entry.target_kind, entry.target_id) == ("connection", str(row.source_id))


@pytest.fixture
def own(scoped, sandbox, platform_tenant, alice):
    """A connection with the tenant's own application, and that application as the sandbox has it."""
    application = next(each for each in sandbox.control("GET", "/applications") if each["type"] == "management")
    values = {name: application[name] for name in ("client_id", "client_secret")} | {"scopes": "svc-api.all:read"}
    return connect_own_application(user=alice, region="eu", **values), application


def test_r8_a_connect(connected, scoped):
    entry = only("connection.connect")
    assert is_about(entry, connected)
    assert entry.who == WHO


def test_r8_a_connect_with_an_own_application(own):
    assert is_about(only("connection.connect"), own[0])


def test_r8_a_new_secret(own, sandbox, alice):
    row, application = own
    secret = sandbox.control("POST", f"/applications/{application['client_id']}/rotate-secret")["client_secret"]
    forget_calls()
    rotate_secret(row, secret, actor=alice)
    entry = only("connection.rotate_secret")
    assert is_about(entry, row)
    assert entry.who == WHO
    assert secret not in str(vars(entry))


def test_r8_a_replaced_grant(connected, scoped, sandbox, platform_tenant, alice):
    connect(sandbox, platform_tenant, alice)
    entry = only("connection.replace")
    assert is_about(entry, connected)
    assert entry.who == WHO
    assert connected.account in entry.summary


def test_r8_a_confirmed_account(connected, scoped, alice):
    Connection.objects.update(state=State.UNCONFIRMED)
    confirm(connected, grant=connected.grant_mark, actor=alice)
    entry = only("connection.confirm")
    assert is_about(entry, connected)
    assert entry.who == WHO


def test_r8_a_rejected_account(connected, scoped, alice):
    Connection.objects.update(state=State.UNCONFIRMED)
    reject(connected, grant=connected.grant_mark, actor=alice)
    entry = only("connection.reject")
    assert is_about(entry, connected)
    assert entry.who == WHO


def test_r8_a_disconnect(connected, scoped, alice):
    disconnect(connected, actor=alice)
    entry = only("connection.disconnect")
    assert is_about(entry, connected)
    assert entry.who == WHO
    disconnect(connected, actor=alice)
    assert len(entries("connection.disconnect")) == 1, "nothing was disconnected the second time"


@pytest.mark.parametrize(("days", "words"), [(3, "will be removed"), (None, "stays")])
def test_r8_a_planned_removal_of_the_copy(connected, scoped, alice, days, words):
    if days is None:
        disconnect(connected, actor=alice, purge_at=timezone.now() + timedelta(days=3))
    disconnect(connected, actor=alice, purge_at=days and timezone.now() + timedelta(days=days))
    entry = entries("connection.plan_purge")[0]
    assert is_about(entry, connected)
    assert entry.who == WHO
    assert words in entry.summary


def test_r8_a_removed_copy(connected, scoped, alice):
    disconnect(connected, actor=alice, purge_at=timezone.now() - timedelta(seconds=1))
    assert purge_due() == 1
    assert is_about(only("connection.purge"), connected)


def test_r8_a_confirmed_suspension(connected, scoped, alice):
    disconnect(connected, actor=alice)
    forget_calls()
    for _ in range(3):
        Suspension.objects.update(due_at=timezone.now())
        serve_token_queue()
        forget_calls()
    confirmed = entries("connection.suspend")
    assert len(confirmed) == Suspension.objects.exclude(confirmed_at=None).count() == 2
    assert all(is_about(entry, connected) for entry in confirmed)


def test_r8_an_end_by_the_platform(connected, scoped, sandbox, platform_tenant):
    grants = sandbox.app.extensions["sandbox"].grants
    for grant in grants.living(platform_tenant["tenant_id"]):
        grants.revoke(grant["id"])
    Connection.objects.update(access_expires_at=None, previous_refresh_token=b"")
    forget_calls()
    with pytest.raises(NotConnected):
        access_token(connected, Urgency.PERSON)
    assert is_about(only("connection.end"), connected)


def test_r8_a_trust_center(connected, scoped, alice, platform_tenant):
    set_slug_id(platform_tenant["slugId"], actor=alice)
    entry = only("connection.set_trust_center")
    assert is_about(entry, connected)
    assert entry.who == WHO
    assert platform_tenant["slugId"] in entry.summary


def test_r8_an_export_of_everything(connected, scoped, alice):
    export_tenant(io.BytesIO(), actor=alice)
    assert only("tenant.export").who == WHO


def test_r8_a_deleted_tenant(connected, scoped, alice):
    delete_tenant(scoped, actor=alice)
    entry = only("tenant.delete")
    assert (entry.target_kind, entry.target_id, entry.who) == ("tenant", str(scoped.pk), WHO)
    assert is_about(only("connection.disconnect"), connected)


def test_r8_every_action_of_this_room_is_looked_at_here():
    import re
    from pathlib import Path

    said = {
        action
        for path in Path("portal/connections").rglob("*.py")
        for action in re.findall(r'record\(\s*"([a-z_.]+)"', path.read_text())
    }
    assert said
    tested = "".join(path.read_text() for path in Path(__file__).parent.glob("test_*.py"))
    assert [action for action in sorted(said) if f'"{action}"' not in tested] == []
