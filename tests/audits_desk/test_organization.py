"""What an audit shows of the audited organization: each list is read when it is opened, and only then."""

import html
from urllib.parse import urlencode

import pytest
from django.db import transaction
from django.urls import reverse

from portal.engagements.models import Engagement, EngagementPart, OpenedList, PartKind
from portal.engagements.organization import LISTS
from portal.engagements.services.store_details import part_columns
from portal.lib.page_cache import cache
from portal.tenants.personal_data import erase
from tests.support.outage import reading_only

pytestmark = pytest.mark.once


def page_of(audit: Engagement, kind: str = "", **query: str) -> str:
    told = urlencode({"list": kind} | query if kind else query)
    return f"{reverse('engagements:organization', args=['acme', audit.platform_id])}?{told}"


def opened(client, desk, audit: Engagement, kind: str) -> str:
    """Open a list as a person does: it is fetched, and the page that polls shows it."""
    assert "Fetching the list" in client.get(page_of(audit, kind)).content.decode()
    desk.drain()
    return str(client.get(page_of(audit, kind)).content.decode())


@pytest.mark.parametrize("kind", [kind for kind, each in LISTS.items() if not each.is_legacy])
def test_each_list_is_shown_as_the_platform_has_it(client, owner, desk, audit, kind):
    shown = opened(client, desk, audit, kind)
    rows = EngagementPart.objects.of(audit, kind)
    assert rows.exists(), "the sandbox has something to show in each of them"
    page = client.get(page_of(audit, kind))
    assert [line.title for line in page.context["lines"]] == [LISTS[kind].line(row.payload).title for row in rows[:50]]
    assert "Unnamed" not in shown
    assert all(line.title in shown for line in page.context["lines"])


@pytest.mark.parametrize("kind", [kind for kind, each in LISTS.items() if each.is_legacy])
def test_older_lists_are_shown_as_what_they_are(client, owner, desk, audit, kind):
    shown = opened(client, desk, audit, kind)
    assert "older audits" in shown
    state = OpenedList.objects.get(engagement=audit, kind=kind)
    assert state.read_at
    assert state.is_shown == EngagementPart.objects.of(audit, kind).exists()


@pytest.mark.django_db(transaction=True)
def test_o4_a_list_can_be_opened_while_the_database_takes_nothing(client, owner, desk, audit):
    cache.clear()
    with reading_only():
        assert client.get(page_of(audit, "people")).status_code == 200


def test_nothing_is_asked_for_that_nobody_opened(client, owner, desk, audit):
    client.get(page_of(audit, "people"))
    desk.drain()
    asked = {call["path"].rpartition(audit.platform_id)[2] for call in desk.calls("GET", f"/audits/{audit.platform_id}/")}
    assert "/personnel/people" in asked
    assert not asked & {"/managed-vendors", "/personnel/computers", "/integrations", "/vulnerabilities"}
    # Opened again while it is fresh, it is not asked for.
    calls = len(desk.calls("GET", "/personnel/people"))
    cache.clear()
    client.get(page_of(audit, "people"))
    desk.drain()
    assert len(desk.calls("GET", "/personnel/people")) == calls
    # Nor with another list.
    opened(client, desk, audit, PartKind.VENDORS)
    assert len(desk.calls("GET", "/personnel/people")) == calls


def test_a_list_that_the_audit_does_not_show_is_said_so_and_takes_nothing_away(client, owner, desk, audit):
    desk.sandbox.fail("status", method="GET", path="/v1/audits/*/vulnerabilities", value=404)
    shown = opened(client, desk, audit, PartKind.VULNERABILITIES)
    assert "The platform doesn't show this list for this audit. Only older audits have it." in shown
    audit.refresh_from_db()
    assert audit.is_present, "a list that is not there is no word about the audit"
    desk.sandbox.control("DELETE", "/faults")
    desk.sandbox.fail("status", method="GET", path="/v1/audits/*/personnel/people", value=403)
    assert "doesn't show this list for this audit." in opened(client, desk, audit, PartKind.PEOPLE)


@pytest.mark.parametrize("status", [403, 404])
def test_q14_a_list_that_was_shown_before_stays_when_it_is_refused_and_that_is_said(client, owner, desk, audit, status):
    opened(client, desk, audit, PartKind.COMPUTERS)
    known = set(EngagementPart.objects.of(audit, PartKind.COMPUTERS).values_list("pk", flat=True))
    assert known
    desk.sandbox.fail("status", method="GET", path="/v1/audits/*/personnel/computers", value=status)
    OpenedList.objects.filter(kind=PartKind.COMPUTERS).update(read_at=None)
    cache.clear()
    client.get(page_of(audit, PartKind.COMPUTERS))
    desk.drain()
    assert set(EngagementPart.objects.of(audit, PartKind.COMPUTERS).values_list("pk", flat=True)) == known
    page = client.get(page_of(audit, PartKind.COMPUTERS))
    shown = page.content.decode()
    assert "show this list for this audit. This is what it showed last." in html.unescape(shown)
    assert (len(page.context["lines"]) == len(known), "Some of this could not be read" in shown) == (True, status == 403)


def test_q14_what_was_known_of_the_notifications_stays_when_they_are_refused(client, owner, desk, audit):
    opened(client, desk, audit, PartKind.INFORMATION)
    desk.sandbox.fail("status", method="GET", path="/v1/audits/*/organization/notifications", value=403)
    OpenedList.objects.update(read_at=None)
    cache.clear()
    client.get(page_of(audit, PartKind.INFORMATION))
    desk.drain()
    kept = EngagementPart.objects.of(audit, PartKind.INFORMATION).values_list("platform_id", flat=True)
    assert set(kept) == {"information", "notifications"}
    assert "Some of this could not be read" in client.get(page_of(audit, PartKind.INFORMATION)).content.decode()


def test_what_the_organization_says_of_itself_is_shown_where_its_notifications_are_not(client, owner, desk, audit):
    desk.sandbox.fail("status", method="GET", path="/v1/audits/*/organization/notifications", value=403)
    opened(client, desk, audit, PartKind.INFORMATION)
    assert [row.platform_id for row in EngagementPart.objects.of(audit, PartKind.INFORMATION)] == ["information"]
    assert OpenedList.objects.get(engagement=audit, kind=PartKind.INFORMATION).is_shown


def test_an_asset_of_which_nobody_says_whether_it_was_scanned_is_not_said_to_be_unscanned():
    line = LISTS[PartKind.ASSETS].line
    facts = [line({"id": "1", "name": "api", "hasBeenScanned": each}).facts for each in (None, False, True)]
    assert facts == [[], ["Not scanned"], []]


def test_what_could_not_be_read_is_read_later(client, owner, desk, audit):
    desk.sandbox.fail("status", method="GET", path="/v1/audits/*/personnel/people", value=503)
    assert "Fetching the list" in opened(client, desk, audit, PartKind.PEOPLE)
    assert OpenedList.objects.get(engagement=audit).read_at is None


def test_a_search_finds_words_anywhere_in_an_object(client, owner, desk, audit):
    opened(client, desk, audit, PartKind.PEOPLE)
    row = EngagementPart.objects.of(audit, PartKind.PEOPLE)[0]
    EngagementPart.objects.filter(pk=row.pk).update(**part_columns(row.payload | {"jobTitle": "Prüferin"}))
    for words in ("Prüferin", "PRÜFERIN", row.payload["email"].partition("@")[0]):
        found = client.get(page_of(audit, "people", q=words)).context["lines"]
        assert row.payload["name"] in [line.title for line in found]
    nobody = client.get(page_of(audit, "people", q="no-such-word")).content.decode()
    assert "Nothing matches the search." in nobody


def test_what_is_read_anew_is_found_by_what_it_says_now(client, owner, desk, audit):
    opened(client, desk, audit, PartKind.PEOPLE)
    row = EngagementPart.objects.of(audit, PartKind.PEOPLE)[0]
    EngagementPart.objects.filter(pk=row.pk).update(**part_columns(row.payload | {"name": "Somebody Earlier"}))
    OpenedList.objects.update(read_at=None)
    cache.clear()
    client.get(page_of(audit, "people"))
    desk.drain()
    found = {name: client.get(page_of(audit, "people", q=name)).context["lines"] for name in (row.payload["name"], "Earlier")}
    assert [[line.title for line in lines] for lines in found.values()] == [[row.payload["name"]], []]


def test_a_person_in_it_can_be_erased(client, owner, desk, audit):
    opened(client, desk, audit, PartKind.PEOPLE)
    row = EngagementPart.objects.of(audit, PartKind.PEOPLE)[0]
    email, name = row.payload["email"], row.payload["name"]
    with transaction.atomic():
        erase(email)
    assert email not in client.get(page_of(audit, "people")).content.decode()
    assert name not in client.get(page_of(audit, "people")).content.decode()
    assert not EngagementPart.objects.filter(search__contains=email.casefold()).exists()


def test_a_list_that_nobody_knows_is_the_first(client, owner, desk, audit):
    assert client.get(page_of(audit, "unheard")).context["filters"].kind == PartKind.INFORMATION
