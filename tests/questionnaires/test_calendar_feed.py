"""The calendar feed: what it holds, who reads it, and when it ends."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone
from icalendar import Calendar

from portal.audit.models import Entry
from portal.members.services import change_role, remove_member
from portal.questionnaires import ical
from portal.questionnaires.models import CalendarFeed, Questionnaire
from portal.tenants.models import Role
from portal.tenants.scope import tenant_scope
from tests.questionnaires.clocks import always_open, made, within
from tests.questionnaires.test_list import make
from tests.support.members import add_member, find_member

CLOCKS = "/t/acme/questionnaires/clocks/"


@pytest.fixture
def feed(client, member, scoped) -> str:
    """The path of an analyst's feed."""
    client.force_login(member(Role.ANALYST))
    return renewed(client)


def renewed(client) -> str:
    assert client.post(f"{CLOCKS}feed/").status_code == 302
    return client.get(CLOCKS).context["feed_url"].removeprefix("http://127.0.0.1:8000")


def events(path) -> dict[str, object]:
    answer = Client().get(path)
    assert answer.status_code == 200
    calendar = Calendar.from_ical(answer.content)
    return {str(event["summary"]): event for event in calendar.walk("VEVENT")}


def test_it_holds_due_dates_and_targets_of_open_questionnaires(feed, settings):
    always_open()
    within(48)
    row = made("Helios, “Ü”; 1\nBEGIN:VALARM", ("IN_PROGRESS", 5), owner="Mara", platform_id="q1")
    due = timezone.now().replace(microsecond=0) + timedelta(days=2)
    Questionnaire.objects.filter(pk=row.pk).update(due_at=due, due_sort=due)
    make("Done", status="COMPLETE", due=1)
    make("Undated")
    found = events(feed)
    assert set(found) == {f"{kind}: {row.name}" for kind in ("Due", "Target")}
    event = found[f"Due: {row.name}"]
    assert event["dtstart"].dt == due
    assert event["dtstart"].dt.utcoffset() == timedelta(0)
    assert str(event["uid"]) == f"{row.pk}-due@127.0.0.1"
    assert "Owner: Mara" in event["description"]
    assert str(event["url"]) == f"{settings.PUBLIC_URL}/t/acme/questionnaires/{row.platform_id}/"


def test_its_events_keep_their_ids(feed):
    row = make("Helios", due=3)
    before = events(feed)["Due: Helios"]["uid"]
    later = row.due_at + timedelta(days=9)
    Questionnaire.objects.update(due_at=later, due_sort=later)
    assert events(feed)["Due: Helios"]["uid"] == before


def test_it_is_read_without_a_session_and_kept_by_nobody(feed):
    answer = Client().get(feed)
    assert answer["Content-Type"] == "text/calendar; charset=utf-8"
    assert answer["Cache-Control"] == "private, no-store"
    assert answer["Referrer-Policy"] == "no-referrer"
    assert not answer.cookies
    assert Client().head(feed).status_code == 200
    assert Client().post(feed).status_code == 405


def test_the_nearest_are_in_it_when_there_are_many(feed, monkeypatch):
    monkeypatch.setattr(ical, "MAX_EVENTS", 4)
    for day in (-30, -2, -1, 1, 2, 30):
        make(f"day {day}", due=day)
    assert list(events(feed)) == ["Due: day -2", "Due: day -1", "Due: day 1", "Due: day 2"]


def test_a_new_address_ends_the_old_one_and_revoking_ends_both(client, feed):
    other = renewed(client)
    assert other != feed
    assert Client().get(feed).status_code == 404
    assert Client().get(other).status_code == 200
    client.post(f"{CLOCKS}feed/", {"revoke": "1"})
    assert Client().get(other).status_code == 404
    assert "Create calendar link" in client.get(CLOCKS).content.decode()
    verbs = ["make", "renew", "revoke"]
    assert [entry.action for entry in Entry.objects.order_by("pk")] == [f"calendar_feed.{verb}" for verb in verbs]


def test_s7_it_ends_with_the_membership_for_good(feed, acme, alice):
    owner = find_member(user=alice)
    held = find_member(tenant=acme, role=Role.ANALYST)
    remove_member(held, by=owner)
    assert not CalendarFeed.objects.exists()
    assert Client().get(feed).status_code == 404
    add_member(tenant=acme, user=held.user, role=Role.ANALYST)
    assert Client().get(feed).status_code == 404


def test_s7_it_leads_nowhere_for_whoever_may_have_none_any_more(feed, acme, alice):
    held, owner = find_member(tenant=acme, role=Role.ANALYST), find_member(user=alice)
    change_role(held, role=Role.VIEWER, by=owner)
    assert Client().get(feed).status_code == 404


def test_s7_it_ends_with_the_person_or_the_tenant(feed, acme):
    user = find_member(tenant=acme, role=Role.ANALYST).user
    user.is_active = False
    user.save()
    assert Client().get(feed).status_code == 404
    user.is_active = True
    user.save()
    assert Client().get(feed).status_code == 200
    acme.closed_at = timezone.now()
    acme.save()
    assert Client().get(feed).status_code == 404


@pytest.mark.parametrize("wrong", ["{id}", "{path}x", "x:y", "65a0", "%00"])
def test_s1_an_address_that_was_not_made_here_leads_nowhere(feed, wrong):
    token = feed.removeprefix("/calendar/").removesuffix(".ics")
    path = wrong.format(id=CalendarFeed.objects.get().public_id, path=token)
    assert Client().get(f"/calendar/{path}.ics").status_code == 404


def test_s1_it_holds_nothing_of_another_tenant(feed, globex):
    with tenant_scope(globex.pk):
        make("Secret deal", due=1)
    assert events(feed) == {}


@pytest.mark.once
def test_s1_a_viewer_has_none(client, bob, scoped):
    client.force_login(bob)
    assert client.post(f"{CLOCKS}feed/").status_code == 403
    assert "In your calendar" not in client.get(CLOCKS).content.decode()


def test_s6_the_token_stands_in_no_row_and_in_no_log(feed, client, caplog):
    token = feed.removeprefix("/calendar/").removesuffix(".ics")
    client.post(f"{CLOCKS}feed/", {"revoke": "1"})
    Client().get(feed)
    assert "Not Found: /calendar/…" in caplog.text
    assert token not in caplog.text
    assert token not in str([*CalendarFeed.objects.values(), *Entry.objects.values()])
