"""The filters of a list under a name."""

import pytest

from portal.audit.models import Entry
from portal.saved_views import lists
from portal.saved_views.models import SavedView
from portal.tenants import personal_data
from portal.tenants.models import Role
from tests.questionnaires.test_list import PAGE, make

VIEWS = "/t/acme/views/"
SAVE = f"{VIEWS}of/questionnaires/"


@pytest.fixture
def rows(scoped, client, alice):
    client.force_login(alice)
    return [make(f"Customer {number:02}", due=number - 5, owner="Mara" if number < 4 else "") for number in range(12)]


def test_filters_are_saved_under_a_name_and_found_again(client, rows):
    client.post(f"{SAVE}?owner=user-Mara&view=board&nonsense=1", {"name": "Mara's"})
    view = SavedView.objects.get()
    assert (view.query, view.is_shared) == ("owner=user-Mara&view=board", False)
    page = client.get(PAGE).content.decode()
    assert "Mara&#x27;s" in page
    assert "?owner=user-Mara&amp;view=board" in page
    assert b"Mara" in client.get(VIEWS).content
    client.post(f"{VIEWS}{view.pk}/", {"name": "Hers"})
    view.refresh_from_db()
    assert view.name == "Hers"
    client.post(f"{VIEWS}{view.pk}/delete/")
    assert not SavedView.objects.exists()


def test_two_views_of_one_name_are_refused_in_words(client, rows):
    for shared in ("", "on"):
        client.post(SAVE, {"name": "Mine", "is_shared": shared})
        assert b"a view with this name already" in client.post(SAVE, {"name": "Mine", "is_shared": shared}, follow=True).content
    assert SavedView.objects.count() == 2
    assert b"was not saved" in client.post(SAVE, {"name": ""}, follow=True).content


def test_views_for_everybody_are_the_admins_and_ones_own_are_ones_own(client, rows, member):
    client.post(SAVE, {"name": "For all", "is_shared": "on"})
    client.post(SAVE, {"name": "Only Alice"}, follow=True)
    shared, own = SavedView.objects.get(owner=None), SavedView.objects.exclude(owner=None).get()
    assert Entry.objects.filter(action="saved_view.change").count() == 1
    client.force_login(member(Role.ANALYST))
    page = client.get(PAGE).content
    assert b"For all" in page
    assert b"Only Alice" not in page
    assert client.post(SAVE, {"name": "Mine for all", "is_shared": "on"}).status_code == 403
    assert client.post(f"{VIEWS}{shared.pk}/", {"name": "x"}).status_code == 403
    assert client.post(f"{VIEWS}{shared.pk}/delete/").status_code == 403
    assert client.post(f"{VIEWS}{own.pk}/delete/").status_code == 404
    assert SavedView.objects.count() == 2


NARROWED = {
    "questionnaires": "due=overdue",
    "inconsistent-answers": "severity=10",
    "library": "tab=expired&owner=me",
    "knowledge-base": "tab=failed&q=policy",
    "access-requests": "tab=all&q=ada",
    "viewers": "tab=ended",
    "access-review": "tab=never",
    "contracts": "owner=me",
    "customers": "nda=signed",
    "commitments": "shows=promised",
    "register": "state=ended",
    "suggestions": "show=accepted",
    "incidents": "tab=closed",
    "deletion-requests": "tab=erased",
    "tags": "use=nowhere",
    "people": "leave=now&tasks=overdue",
    "groups": "q=security",
    "compliance-documents": "tab=lacking&category=Policy",
    "vendors": "tab=managed&review=overdue",
    "content-checks": "show=dismissed&cause=expires",
    "engagements": "tab=completed&sort=customer",
    "documents": "access=public&renewal=needed",
    "faqs": "q=hosting",
    "controls": "category=none",
    "subprocessors": "q=cloud",
    "frameworks": "q=iso",
    "updates": "access=viewers",
    "subscribers": "confirmed=no",
    "company-controls": "tab=library&origin=platform",
    "company-frameworks": "q=iso",
    "tests": "status=OK&sort=name",
    "issues": "tab=overdue&severity=HIGH",
    "risk-scenarios": "score=15&sort=residual",
    "activity": "period=90",
    "conversations": "q=pentest",
    "event-log": "made_by=ours",
    "audit": "desk=members&since=2026-01-31",
}
"""Every list with a parameter of its own; a list that is missing here fails."""


@pytest.mark.parametrize("listed", lists.list_pages(), ids=lambda listed: listed.key)
def test_every_list_keeps_its_filters(client, scoped, alice, listed):
    client.force_login(alice)
    query = NARROWED[listed.key]
    assert listed.normalized(query) == query
    url = listed.url("acme", query)
    assert f"/t/acme/views/of/{listed.key}/?" in client.get(url).content.decode()
    assert client.post(f"{VIEWS}of/{listed.key}/?{query}", {"name": f"Kept of {listed.key}"})["Location"] == url
    shown = client.get(url).content.decode()
    assert f"Kept of {listed.key}" in shown
    assert f'href="{url}" aria-current="true"'.replace("&", "&amp;") in shown
    assert f"Kept of {listed.key}" in client.get(VIEWS).content.decode()
    others = [other for other in lists.list_pages() if other.key != listed.key]
    assert f"Kept of {listed.key}" not in client.get(others[0].url("acme")).content.decode()


def test_what_no_list_is_called_is_not_there(client, scoped, alice):
    client.force_login(alice)
    assert client.post(f"{VIEWS}of/nothing/", {"name": "x"}).status_code == 404
    assert not SavedView.objects.exists()


def test_a_search_too_long_to_be_kept_is_refused_in_words(client, scoped, alice):
    client.force_login(alice)
    long = client.post(f"{VIEWS}of/contracts/?q={'%F0%9F%A6%80' * 200}", {"name": "Crabs"}, follow=True)
    assert b"too long to be saved" in long.content
    assert not SavedView.objects.exists()


def test_s11_a_view_about_an_erased_person_goes_with_them(scoped, alice):
    for query in ("tab=all&q=jane%40acme.example", "q=jane.doe"):
        SavedView.objects.create(list_key="viewers", owner=alice, name=query[:20], query=query)
    SavedView.objects.create(list_key="viewers", name="Jane@Acme.example")
    assert "jane@acme.example" in set(personal_data.addresses())
    assert personal_data.erase("jane@acme.example") == {"Saved views": 2}
    assert [view.query for view in SavedView.objects.all()] == ["q=jane.doe"]


def test_r8_what_happens_to_a_view_of_everybody_has_its_audit_row(client, scoped, alice):
    client.force_login(alice)
    client.post(f"{VIEWS}of/viewers/?tab=ended", {"name": "Over", "is_shared": "on"})
    view = SavedView.objects.get()
    client.post(f"{VIEWS}{view.pk}/", {"name": "Ended"})
    client.post(f"{VIEWS}{view.pk}/delete/")
    assert [entry.summary for entry in Entry.objects.filter(action="saved_view.change").order_by("id")] == [
        "Saved the view Over of Viewers for everyone.",
        "Renamed the view Ended of Viewers for everyone.",
        "Deleted the view Ended of Viewers for everyone.",
    ]
