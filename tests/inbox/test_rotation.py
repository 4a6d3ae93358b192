"""Guarantee H9, step by step: the new secret is entered, seen at work, the old one ends; what still uses it is named."""

from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.db import OperationalError, connection
from django.urls import reverse

from portal.audit.models import Entry
from portal.inbox import tasks
from portal.inbox.models import Endpoint
from portal.inbox.services import ensure_endpoints, enter_secret, floods, rotation
from portal.members.services import remove_member
from portal.notifications.models import Notification
from portal.tenants.models import Role
from portal.tenants.scope import tenant_scope
from portal.users.dates import Dates
from tests.conftest import SECRET
from tests.inbox.conftest import send
from tests.support.audit import recorded
from tests.support.mails import delivered
from tests.support.members import find_member
from tests.support.turns import fails_in

NEW, NEWER = "whsec_" + "Qk5X" * 11, "whsec_" + "Tk5X" * 11
PAGE = "/t/acme/settings/webhooks/"
EVENT = {"questionnaire": {"id": "q1"}}


@pytest.fixture(autouse=True)
def nothing_counted():
    """What other tests had refused is forgotten."""
    rotation._counted.clear()
    rotation._written.clear()


@pytest.fixture
def rotated(catch_all, acme, alice) -> Endpoint:
    """Acme's address with a new secret; the old one is good for an hour."""
    with tenant_scope(acme.pk):
        return enter_secret(catch_all, NEW, actor=alice, keep_previous=timedelta(hours=1))


@pytest.fixture
def page(client, alice):
    client.force_login(alice)
    return lambda **headers: client.get(PAGE, headers=headers).content.decode()


def end(client, endpoint):
    return client.post(reverse("inbox:end_old_secret", args=["acme", endpoint.pk]), follow=True)


def fresh(endpoint) -> Endpoint:
    with tenant_scope(endpoint.tenant_id):
        return Endpoint.objects.get(pk=endpoint.pk)


def later(**time: float) -> time_machine.travel:
    return time_machine.travel(datetime.now(UTC) + timedelta(**time))


def test_h9_the_page_waits_for_the_new_secret_and_ticks_it_off_as_it_arrives(rotated, page, client):
    assert "Waiting for the first delivery signed with the new secret" in page()
    seen = client.get(PAGE).context["page_version"]
    assert send(rotated, EVENT, secret=SECRET).status_code == 204
    tasks.process_deliveries(rotated.tenant_id)
    assert "Waiting for the first delivery signed with the new secret" in page()
    assert send(rotated, EVENT, secret=NEW).status_code == 204
    tasks.process_deliveries(rotated.tenant_id)
    fragment = page(**{"HX-Request": "true", "Seen": seen})
    assert "<html" not in fragment
    assert "A delivery signed with the new secret has arrived" in fragment


def test_h9_the_page_says_in_the_readers_form_when_the_old_secret_ends(rotated, page, alice):
    alice.dates = Dates.MONTH_12
    alice.save()
    until = fresh(rotated).previous_until
    assert f"Automatically on {until:%B} {until.day}, {until:%Y, %-I:%M %p}. Until then, both are accepted." in page()


def test_h9_what_came_before_the_change_does_not_tick_it_off(catch_all, acme, alice, page):
    send(catch_all, EVENT, secret=SECRET)
    with tenant_scope(acme.pk):
        enter_secret(catch_all, NEW, actor=alice)
    tasks.process_deliveries(acme.pk)
    assert fresh(catch_all).confirmed_at is None
    assert "Waiting for the first delivery signed with the new secret" in page()


def test_h9_a_second_change_waits_again(rotated, acme, alice):
    send(rotated, EVENT, secret=NEW)
    tasks.process_deliveries(acme.pk)
    assert fresh(rotated).confirmed_at is not None
    with tenant_scope(acme.pk):
        enter_secret(rotated, NEWER, actor=alice)
    assert fresh(rotated).confirmed_at is None


def test_h9_the_old_secret_is_ended_on_the_page_and_that_is_written_down(rotated, client, alice, acme):
    client.force_login(alice)
    assert "revoked" in end(client, rotated).content.decode()
    assert send(rotated, EVENT, secret=SECRET).status_code == 400
    assert send(rotated, EVENT, secret=NEW).status_code == 204
    assert "was already invalid" in end(client, rotated).content.decode()
    with tenant_scope(acme.pk):
        assert Entry.objects.get(action="endpoint.end_old_secret").actor == alice


@pytest.mark.parametrize("role", [Role.VIEWER, Role.ANALYST, Role.APPROVER])
def test_h9_only_admins_end_a_secret(rotated, client, member, role):
    client.force_login(member(role))
    assert end(client, rotated).status_code == 403
    assert "Revoke the old secret now" not in client.get(PAGE).content.decode()
    assert send(rotated, EVENT, secret=SECRET).status_code == 204


def test_h9_after_its_end_the_old_secret_raises_an_alarm_that_names_the_endpoint(rotated, page, acme, alice):
    with later(hours=2):
        assert send(rotated, EVENT, secret=SECRET).status_code == 400
        text = page()
        assert "“All events” refuses deliveries signed with the old secret" in text
        assert "1 refused so far" in text
        tasks.watch_feeds()
        tasks.watch_feeds()
        (mail,) = delivered()
        assert (mail.to, "“All events”" in mail.subject) == ([alice.email], True)
        assert SECRET not in mail.body
        with tenant_scope(acme.pk):
            enter_secret(rotated, SECRET, actor=alice)
        assert "refuses deliveries" not in page()
    assert "refuses deliveries" not in page()


def test_h9_admins_who_cannot_be_told_keep_no_others_from_hearing(acme, globex, mallory, monkeypatch):
    for tenant in (acme, globex):
        with tenant_scope(tenant.pk):
            ensure_endpoints()
            Endpoint.objects.filter(event_type="").update(late_at=datetime.now(UTC))
    monkeypatch.setattr(rotation, "notify_once", fails_in(acme, rotation.notify_once))
    tasks.watch_feeds()
    (mail,) = delivered()
    assert mail.to == [mallory.email]


def test_h9_the_alarm_is_over_a_day_after_the_last_one(rotated, page):
    with later(hours=2):
        send(rotated, EVENT, secret=SECRET)
    with later(hours=25):
        assert "refuses deliveries" in page()
    with later(hours=27):
        assert "refuses deliveries" not in page()


def test_h9_a_flood_of_late_deliveries_is_one_write_a_minute(rotated, monkeypatch, django_assert_max_num_queries):
    now = [0.0]
    monkeypatch.setattr(rotation, "monotonic", lambda: now[0])
    with later(hours=2):
        send(rotated, EVENT, secret=SECRET)
        with django_assert_max_num_queries(20):  # the look at the endpoint, nothing more
            for _ in range(20):
                send(rotated, EVENT, secret=SECRET)
        assert fresh(rotated).late_count == 1
        now[0] = 61.0
        send(rotated, EVENT, secret=SECRET)
    assert fresh(rotated).late_count == 22


def test_h9_a_forged_delivery_raises_no_alarm(rotated, page):
    with later(hours=2):
        assert send(rotated, EVENT, secret=NEWER).status_code == 400
        assert send(rotated, EVENT, secret=SECRET, at=datetime.now(UTC) - timedelta(hours=3)).status_code == 400
        assert "refuses deliveries" not in page()


def test_h9_a_refusal_that_cannot_be_written_down_is_still_a_refusal(rotated):
    def fail(execute, sql, params, many, context):
        if sql.startswith("UPDATE"):
            raise OperationalError("the database is gone")
        return execute(sql, params, many, context)

    with later(hours=2), connection.execute_wrapper(fail):
        assert send(rotated, EVENT, secret=SECRET).status_code == 400


def test_h9_a_secret_dropped_at_once_raises_the_alarm_too(catch_all, acme, alice, page):
    with tenant_scope(acme.pk):
        enter_secret(catch_all, NEW, actor=alice, keep_previous=timedelta(0))
    assert send(catch_all, EVENT, secret=SECRET).status_code == 400
    assert "refuses deliveries signed with the old secret" in page()


def test_h9_s6_an_ended_secret_is_wiped_after_a_month(rotated):
    with later(days=29):
        tasks.prune_deliveries()
        assert fresh(rotated).previous_secret
    with later(days=31):
        tasks.prune_deliveries()
        assert not fresh(rotated).previous_secret
    floods.forget()


def test_r8_a_first_secret_and_the_next_one_leave_their_rows(acme, alice):
    with tenant_scope(acme.pk):
        endpoint = next(endpoint for endpoint in ensure_endpoints() if not endpoint.event_type)
        with recorded("endpoint.enter_secret", "endpoint.replace_secret", by="Alice Ames"):
            for secret in (SECRET, NEW, NEW):
                enter_secret(endpoint, secret, actor=alice)


def test_h9_admins_hear_that_somebody_who_is_none_any_more_may_know_the_secrets(catch_all, acme, alice, member):
    me, admin = find_member(user=alice), find_member(user=member(Role.ADMIN))
    with tenant_scope(acme.pk):
        remove_member(admin, by=me)
        told = Notification.objects.get()
    assert (told.user_id, told.path) == (alice.pk, PAGE)
    assert told.text.startswith("Admin of Acme is no longer an admin or owner and may still know them.")


def test_h9_where_no_secret_is_entered_nobody_hears_of_who_leaves(acme, alice, member):
    me, admin = find_member(user=alice), find_member(user=member(Role.ADMIN))
    with tenant_scope(acme.pk):
        ensure_endpoints()
        remove_member(admin, by=me)
        assert not Notification.objects.exists()
