"""T12: keys rotate while the site runs, and a missing one is said and overwrites nothing."""

import base64
import io

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.core.management import CommandError, call_command

from portal.audit import keys as audit_keys
from portal.audit.keys import PLACE, ChainKey
from portal.connections.checks import check_at_start, check_keys
from portal.connections.models import Connection, State
from portal.connections.services import KeyMissing, Urgency, access_token, disconnect
from portal.inbox.models import Endpoint
from portal.lib import keys
from portal.lib.sealed import Locked
from portal.tenants.scope import tenant_scope
from portal.tenants.sealing import reseal

OTHER = base64.b64encode(b"another-key-of-exactly-32-bytes!").decode()


@pytest.fixture
def use_keys(settings):
    """Run with other keys, as after a restart."""
    before = list(settings.FIELD_ENCRYPTION_KEYS)

    def use(*names: str) -> None:
        settings.FIELD_ENCRYPTION_KEYS = [{"old": before[0], "new": OTHER}[name] for name in names]
        keys.ring.cache_clear()

    yield use
    keys.ring.cache_clear()


@pytest.fixture
def replaced_chain_key():
    """The key of the audit trail that a test puts in the place of a lost one is gone with it."""
    yield
    audit_keys._key.cache_clear()


def stored() -> list[bytes]:
    row = Connection.objects.get()
    return [bytes(row.access_token), bytes(row.refresh_token), *(bytes(each.secret) for each in Endpoint.objects.all())]


def test_t12_after_resealing_the_old_key_can_go(connected, scoped, deliver, use_keys):
    token = access_token(connected, Urgency.PERSON)
    use_keys("new", "old")
    call_command("reseal", stdout=io.StringIO())
    use_keys("new")
    assert access_token(connected, Urgency.PERSON) == token
    assert deliver({"questionnaire": {"id": "x"}}).status_code == 204


def test_t12_resealing_goes_on_where_it_was_ended(connected, scoped, deliver, use_keys):
    before = stored()
    use_keys("new", "old")
    for _ in reseal():
        if stored()[:2] != before[:2]:
            break
    halfway = stored()
    assert sum(progress.resealed for progress in reseal()) > 0
    assert sum(progress.resealed for progress in reseal()) == 0
    assert stored()[:2] == halfway[:2]


def test_t12_a_token_that_is_replaced_meanwhile_is_not_overwritten(connected, scoped, use_keys, monkeypatch):
    use_keys("new", "old")
    ring = keys.ring()
    fresh = Connection.objects.get().seal("access_token", "fresh")

    def seal(plain, *, place):
        Connection.objects.update(access_token=fresh)
        return type(ring).seal(ring, plain, place=place)

    monkeypatch.setattr(ring, "seal", seal)
    list(reseal())
    assert Connection.objects.get().open("access_token") == "fresh"


def test_t12_a_lost_key_is_said_and_nothing_is_overwritten(connected, acme, client, alice, use_keys):
    with tenant_scope(acme.pk):
        before = stored()
        use_keys("new")
        with pytest.raises(KeyMissing):
            access_token(connected, Urgency.PERSON)
        Connection.objects.update(access_expires_at=None)
        with pytest.raises(KeyMissing):
            access_token(connected, Urgency.PERSON)
        assert Connection.objects.get().state == State.ACTIVE
        assert stored() == before
    client.force_login(alice)
    for page in ("", "questionnaires/", "settings/connection/", "settings/webhooks/"):
        assert client.get(f"/t/acme/{page}").status_code == 200
    assert b"The stored tokens cannot be opened" in client.get("/t/acme/settings/connection/").content
    use_keys("new", "old")
    with tenant_scope(acme.pk):
        assert access_token(connected, Urgency.PERSON)


def test_t12_a_wrong_key_stops_the_start_and_one_that_is_left_out_is_warned_of(connected, scoped, use_keys):
    assert check_keys(databases=["default"]) == []
    use_keys("new")
    with pytest.raises(ImproperlyConfigured, match="FIELD_ENCRYPTION_KEYS") as stopped:
        check_at_start()
    assert OTHER not in str(stopped.value)
    use_keys("new", "old")
    Connection.objects.update(access_token=connected.seal("access_token", "sealed with the new one"))
    use_keys("new")
    (error,) = check_keys(databases=["default"])
    assert error.id == "connections.E001", "nothing can be written down"
    ChainKey.objects.update(sealed=keys.ring().seal("00" * 32, place=PLACE))
    (warning,) = check_keys(databases=["default"])
    assert warning.id == "connections.W001"
    check_at_start()


@pytest.mark.usefixtures("replaced_chain_key")
def test_t12_a_key_that_is_lost_for_good_can_be_given_up(connected, scoped, use_keys):
    use_keys("new")
    with pytest.raises(CommandError, match="left as they are"):
        call_command("reseal", stdout=io.StringIO())
    call_command("reseal", "--forget", stdout=io.StringIO())
    check_at_start()
    row = Connection.objects.get()
    assert (bytes(row.access_token), bytes(row.refresh_token)) == (b"", b"")
    assert row.state == State.NEEDS_RECONNECTION


def test_t12_ciphertexts_open_only_where_they_were_sealed(connected, scoped):
    row = Connection.objects.get()
    row.access_token, row.refresh_token = row.refresh_token, row.access_token
    with pytest.raises(Locked):
        row.open("access_token")
    moved = Connection(source_id=Connection().source_id, generation=row.generation, access_token=connected.access_token)
    with pytest.raises(Locked):
        moved.open("access_token")


@pytest.mark.own_world
def test_a_lost_key_does_not_keep_anybody_from_disconnecting(connected, scoped, alice, use_keys):
    use_keys("new")
    kept = disconnect(connected, actor=alice)
    kept.refresh_from_db()
    assert any("could not be opened" in event["what"] for event in kept.content["events"])
    assert Connection.objects.get().state == State.DISCONNECTED
