"""The list of the library: tabs, filters, search, order, and its file."""

from datetime import timedelta

import pytest
from django.core.exceptions import PermissionDenied
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from portal.audit.models import Entry as AuditEntry
from portal.library.models import Entry
from portal.library.search_hits import find_in_library, find_library_tags
from portal.library.services import delete_entry, record_export
from portal.page_refresh.services import touch_areas
from portal.tenants.models import Role
from portal.tenants.scope import tenant_scope
from tests.library.conftest import PAGE, read_file
from tests.support.members import find_member

pytestmark = pytest.mark.both


def shown(answer) -> list[str]:
    return [str(row) for row in answer.context["page"].rows]


def counts(answer) -> dict[str, int]:
    return {tab["key"]: tab["count"] for tab in answer.context["tabs"]}


@pytest.fixture
def entries(add, alice):
    today = timezone.localdate()
    return {
        "good": add("Do you encrypt backups?", tags=["Crypto"], owner=alice, review_on=today),
        "stale": add("Who may enter the office?", tags=["Office"], products=["Cloud"], review_on=today - timedelta(days=1)),
        "over": add(
            "Is there a bug bounty?",
            "We pay researchers.",
            variants=[("Do you reward hackers?", False)],
            language="German",
            expires_on=today - timedelta(days=1),
        ),
    }


def test_the_tabs_part_the_entries_by_their_state_of_today(client, entries):
    page = client.get(PAGE)
    assert counts(page) == {"": 3, "verified": 1, "needs-review": 1, "expired": 1}
    assert len(shown(page)) == 3
    for tab, name in (("verified", "good"), ("needs-review", "stale"), ("expired", "over")):
        assert shown(client.get(f"{PAGE}?tab={tab}")) == [entries[name].question]


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("tag=Crypto", ["good"]),
        ("product=Cloud", ["stale"]),
        ("tag=Crypto&product=Cloud", []),
        ("tag=Unheard", []),
        ("owner=me", ["good"]),
        ("owner=none", ["over", "stale"]),
        ("language=German", ["over"]),
        ("language=none", ["stale", "good"]),
        ("origin=csv", []),
        ("origin=own", ["over", "stale", "good"]),
        ("q=HACKERS", ["over"]),
        ("q=researchers", ["over"]),
        ("q=encrypt+backups", ["good"]),
        ("sort=due", ["stale", "over", "good"]),
        ("sort=used", ["over", "stale", "good"]),
        ("origin=nonsense&tab=nonsense", ["over", "stale", "good"]),
    ],
)
def test_filters_search_and_order_show_what_they_say(client, entries, query, names):
    page = client.get(f"{PAGE}?{query}")
    assert shown(page) == [entries[name].question for name in names]
    assert counts(page)[""] == len(names)


def test_the_most_used_stand_first(client, entries):
    Entry.objects.filter(pk=entries["good"].pk).update(use_count=5)
    touch_areas("library")
    assert shown(client.get(f"{PAGE}?sort=used"))[0] == entries["good"].question


def test_the_selects_offer_what_the_entries_have(client, entries):
    page = client.get(PAGE)
    offered = {each["name"]: [value for value, _ in each["options"]] for each in page.context["filters"].selects()}
    assert offered["tag"] == ["", "Crypto", "Office"]
    assert offered["product"] == ["", "Cloud"]
    assert offered["language"] == ["", "none", "German"]


def test_an_empty_library_says_how_to_begin_to_those_who_may(client, owner, member):
    assert f'href="{PAGE}new/"' in client.get(PAGE).content.decode()
    client.force_login(member(Role.VIEWER))
    page = client.get(PAGE).content.decode()
    assert f"{PAGE}new/" not in page
    assert f"{PAGE}import/" not in page


def test_an_open_list_stays_while_nothing_changes(client, add):
    add("Do you encrypt backups?")
    seen = client.get(PAGE).context["page_version"]
    ask = {"HX-Request": "true", "Seen": seen}
    assert client.get(PAGE, headers=ask).status_code == 204
    add("Do you encrypt laptops?")
    answer = client.get(PAGE, headers=ask)
    assert answer.status_code == 200
    assert len(shown(answer)) == 2
    assert b"<html" not in answer.content


@pytest.mark.usefixtures("within_a_minute")
def test_the_list_is_paged_and_costs_the_same_however_long_it_is(client, add):
    asked = f"{PAGE}?sort=due&owner=none"
    add("First question?", tags=["One"])
    add("Second question?")
    client.get(asked)  # what is counted once and kept
    with CaptureQueriesContext(connection) as few:
        client.get(asked)
    for number in range(55):
        add(f"Question number {number} about backups?", tags=["Many"])
    client.get(asked)
    with CaptureQueriesContext(connection) as many:
        page = client.get(asked)
    assert len(many) == len(few)
    first, cursor = shown(page), page.context["page"].next_cursor
    second = shown(client.get(f"{asked}&cursor={cursor}"))
    assert (len(first), len(second), len({*first, *second})) == (50, 7, 57)


def test_s8_the_file_has_exactly_the_filtered_entries_and_its_taking_is_written_down(client, entries, member, scoped):
    [row] = read_file(client.post(f"{PAGE}export/?tab=expired"))
    assert row["Question"] == "Is there a bug bounty?"
    assert (row["Answer"], row["Also asked as"], row["State"]) == ("We pay researchers.", "Do you reward hackers?", "Expired")
    assert len(read_file(client.post(f"{PAGE}export/"))) == 3
    taken = AuditEntry.objects.filter(action="library.export").order_by("id")
    assert [each.details for each in taken] == [{"is_filtered": True}, {"is_filtered": False}]
    viewer = find_member(tenant=scoped, user=member(Role.VIEWER))
    with pytest.raises(PermissionDenied):
        record_export("", member=viewer)


def test_s1_another_tenant_sees_nothing_of_it(client, entries, mallory, globex):
    client.force_login(mallory)
    assert client.get(PAGE).status_code == 404
    assert client.get(f"{PAGE}{entries['good'].pk}/").status_code == 404
    answer = client.get("/t/globex/library/")
    assert counts(answer) == {"": 0, "verified": 0, "needs-review": 0, "expired": 0}
    assert client.get(f"/t/globex/library/{entries['good'].pk}/").status_code == 404
    with tenant_scope(globex.pk):
        assert list(find_in_library("backups", "globex", 5)) == []


def test_the_search_over_all_desks_finds_entries(entries, owner):
    [found] = find_in_library("backups", "acme", 5)
    assert found.url == f"{PAGE}{entries['good'].pk}/"
    delete_entry(entries["good"], member=owner)
    assert list(find_in_library("backups", "acme", 5)) == []


def test_tags_lead_from_their_row_to_the_entries_that_have_them(client, add):
    many = add("Do you encrypt backups?", tags=["Backup", "Crypto", "Keys", "R&D + more"])
    other = add("Do you rotate keys?", tags=["Keys"], products=["Cloud"])
    page = client.get(f"{PAGE}?sort=used")
    tags = {row.pk: tags for row, tags in page.context["rows"]}
    assert [tag["label"] for tag in tags[many.pk]] == ["Backup", "Crypto", "Keys", "R&D + more"]
    assert [tag["label"] for tag in tags[other.pk]] == ["Keys"], "a product is no tag"
    assert page.content.decode().count('class="tag"') == 2 + 1
    assert "+2" in page.content.decode()
    narrowed = client.get(PAGE + tags[many.pk][2]["url"])
    assert set(shown(narrowed)) == {many.question, other.question}
    assert narrowed.context["filters"].sort == "used", "the other filters stay"
    assert shown(client.get(PAGE + tags[many.pk][3]["url"])) == [many.question]


def test_the_search_over_all_desks_finds_tags_of_the_library(client, add, mallory, globex):
    entry = add("Do you encrypt backups?", tags=["Crypto", "Office"])
    [found] = find_library_tags("CRYP", "acme", 5)
    assert found.title == "Crypto"
    assert shown(client.get(found.url)) == [entry.question]
    assert found.url in client.get("/t/acme/search/?q=crypto").content.decode()
    with tenant_scope(globex.pk):
        assert list(find_library_tags("cryp", "globex", 5)) == []
