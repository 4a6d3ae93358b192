"""What a web process remembers of an address never changes an answer; it only saves statements."""

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.db import connection
from django.test.utils import CaptureQueriesContext

from portal.connections.models import Connection, Region, State
from portal.inbox.models import Delivery, DeliveryState
from portal.inbox.services import ensure_endpoints, enter_secret, fast_path
from portal.platform_api.webhooks import Verified
from portal.tenants.scope import all_tenants, tenant_scope
from tests.conftest import SECRET
from tests.inbox.conftest import path_of, post, send, sign

CREATED = {"questionnaire": {"id": "q1"}}
NEW_SECRET = "whsec_" + "Qk5X" * 11
NOW = datetime.now(UTC)


@pytest.fixture
def warm(catch_all):
    """The catch-all address, known from a delivery before."""
    assert send(catch_all, CREATED, hook_id="msg_first").status_code == 204
    assert catch_all.public_id in fast_path._known
    return catch_all


def arrival(endpoint, hook_id, **changes):
    known = fast_path._known[endpoint.public_id]
    return fast_path.IncomingDelivery(
        known, Verified(hook_id, timestamp=0, secret_index=0), b"{}", **{"event_type": "", **changes}
    )


def test_a_new_delivery_to_a_known_address_is_one_statement(warm):
    with CaptureQueriesContext(connection) as queries:
        assert send(warm, CREATED).status_code == 204
    own = [query["sql"] for query in queries if "inbox_" in query["sql"]]
    assert len(own) == 1
    assert "INSERT INTO inbox_delivery" in own[0]


def altered(headers, **changes):
    return {**headers, **{f"hook-{name}": value for name, value in changes.items()}}


HOSTILE = {
    "another signature": lambda body: (body, altered(sign(body), signature="v1," + "A" * 43 + "=")),
    "no signature": lambda body: (body, altered(sign(body), signature="")),
    "another body": lambda body: (body + " ", sign(body)),
    "another secret": lambda body: (body, sign(body, secret=NEW_SECRET)),
    "too old": lambda body: (body, sign(body, at=datetime.now(UTC) - timedelta(minutes=6))),
    "from the future": lambda body: (body, sign(body, at=datetime.now(UTC) + timedelta(minutes=7))),
    "an id of spaces": lambda body: (body, sign(body, hook_id="a b")),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_h7_what_is_refused_at_first_is_refused_later(catch_all, rows, name):
    address = path_of(catch_all)
    refused = [post(address, *HOSTILE[name](json.dumps(CREATED))).status_code]
    assert send(catch_all, CREATED).status_code == 204
    refused.append(post(address, *HOSTILE[name](json.dumps(CREATED))).status_code)
    assert refused == [400, 400]
    assert len(rows()) == 1


def test_an_address_of_one_type_still_answers_to_no_other(endpoints):
    own, other = "v1.questionnaire.created", "v1.questionnaire.deleted"
    endpoint = endpoints[own]
    for _ in range(2):
        assert send(endpoint, CREATED, address=f"/hooks/{endpoint.public_id}/{other}/").status_code == 404
        assert send(endpoint, CREATED).status_code == 204


def test_h9_a_secret_that_was_dropped_is_refused_at_once(warm, acme, alice):
    with tenant_scope(acme.pk):
        enter_secret(warm, NEW_SECRET, actor=alice, keep_previous=timedelta(0))
    assert send(warm, CREATED, secret=SECRET).status_code == 400
    assert send(warm, CREATED, secret=NEW_SECRET).status_code == 204
    assert send(warm, CREATED, secret=SECRET).status_code == 400


def test_h9_a_remembered_secret_ends_with_its_time(warm, acme, alice, rows):
    with tenant_scope(acme.pk):
        enter_secret(warm, NEW_SECRET, actor=alice, keep_previous=timedelta(hours=1))
    assert [send(warm, CREATED, secret=secret).status_code for secret in (SECRET, NEW_SECRET, SECRET)] == [204] * 3
    assert [row.secret_index for row in rows()] == [0, 1, 0, 1]
    with time_machine.travel(datetime.now(UTC) + timedelta(hours=2)):
        assert send(warm, CREATED, secret=SECRET, at=datetime.now(UTC)).status_code == 400
        assert send(warm, CREATED, secret=NEW_SECRET, at=datetime.now(UTC)).status_code == 204


def test_a_grant_that_was_ended_is_seen_at_once(warm, acme, rows):
    with tenant_scope(acme.pk):
        Connection.objects.create(region=Region.EU, state=State.DISCONNECTED, connected_at=NOW)
    assert send(warm, CREATED).status_code == 410
    assert len(rows()) == 1


def test_an_address_that_was_removed_is_unknown_at_once(warm, acme):
    with tenant_scope(acme.pk):
        Delivery.objects.all().delete()
        warm.delete()
    assert send(warm, CREATED).status_code == 404


def test_h2_one_row_per_hook_id_also_at_a_known_address(warm, rows):
    assert {send(warm, CREATED, hook_id="msg_again").status_code for _ in range(5)} == {204}
    assert [row.hook_id for row in rows()] == ["msg_first", "msg_again"]


def test_h4_a_dead_delivery_is_set_going_again_also_at_a_known_address(warm, acme, rows):
    with tenant_scope(acme.pk):
        Delivery.objects.update(state=DeliveryState.DEAD)
    assert send(warm, CREATED, hook_id="msg_first").status_code == 204
    assert [row.state for row in rows()] == [DeliveryState.PENDING]


def test_h3_those_who_arrive_together_are_stored_each_for_its_own_tenant(warm, globex, mallory):
    with tenant_scope(globex.pk):
        theirs = enter_secret(ensure_endpoints()[0], SECRET, actor=mallory)
    assert send(theirs, CREATED, hook_id="msg_first").status_code == 204
    together = [arrival(warm, "msg_2"), arrival(theirs, "msg_2"), arrival(theirs, "msg_3")]
    assert fast_path._store_all(together) == [True, True, True]
    with all_tenants("the test compares both"):
        found = {(row.tenant_id, row.hook_id) for row in Delivery.objects.all()}
    assert found == {
        *((warm.tenant_id, hook_id) for hook_id in ("msg_first", "msg_2")),
        *((theirs.tenant_id, hook_id) for hook_id in ("msg_first", "msg_2", "msg_3")),
    }


@pytest.mark.parametrize("again", ["msg_first", "msg_2"])
def test_h2_one_that_is_known_already_sends_all_of_them_the_long_way_and_is_one_row(warm, rows, again):
    assert fast_path._store_all([arrival(warm, "msg_2"), arrival(warm, again)]) == [False, False]
    assert [row.hook_id for row in rows()] == ["msg_first", "msg_2"]


def test_any_bytes_are_kept_as_they_came(warm, rows):
    body = bytes(range(256)) * 3
    assert fast_path._store_all([replace(arrival(warm, "msg_2"), body=body)]) == [True]
    assert bytes(rows()[-1].body) == body


@pytest.mark.django_db(transaction=True)
def test_one_that_the_database_refuses_sends_all_of_them_the_long_way(warm, rows):
    too_long = arrival(warm, "msg_2", event_type="x" * 100_000)
    if connection.vendor == "sqlite":
        # It takes texts of any length, and refuses integers of more than eight bytes before it runs anything.
        too_long = fast_path.IncomingDelivery(too_long.known, Verified("msg_2", timestamp=0, secret_index=-1), b"{}", "")
    assert fast_path._store_all([too_long, arrival(warm, "msg_3")]) == [False, False]
    assert [row.hook_id for row in rows()] == ["msg_first"]


def test_memory_is_bounded(warm, monkeypatch):
    monkeypatch.setitem(fast_path._known, "another", fast_path._known[warm.public_id])
    monkeypatch.setattr(fast_path, "MAX_REMEMBERED", len(fast_path._known))
    fast_path.remember(warm, NOW)
    assert len(fast_path._known) == 1


def test_s6_a_remembered_secret_shows_nowhere(warm):
    assert SECRET not in repr(fast_path._known[warm.public_id])
