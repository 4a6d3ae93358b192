"""Filters under a name, and the filtered list as a file."""

import csv
import io

import pytest

from portal.audit.models import Entry
from portal.questionnaires.models import SavedView
from portal.tenants.models import Role
from tests.questionnaires.test_list import PAGE, make

VIEWS = f"{PAGE}views/"


@pytest.fixture
def rows(scoped, client, alice):
    client.force_login(alice)
    return [make(f"Customer {number:02}", due=number - 5, owner="Mara" if number < 4 else "") for number in range(12)]


def test_filters_are_saved_under_a_name_and_found_again(client, rows):
    client.post(f"{VIEWS}?owner=user-Mara&view=board&nonsense=1", {"name": "Mara's"})
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
        client.post(VIEWS, {"name": "Mine", "is_shared": shared})
        assert (
            b"a view with this name already" in client.post(VIEWS, {"name": "Mine", "is_shared": shared}, follow=True).content
        )
    assert SavedView.objects.count() == 2
    assert b"was not saved" in client.post(VIEWS, {"name": ""}, follow=True).content


def test_views_for_everybody_are_the_admins_and_ones_own_are_ones_own(client, rows, member):
    client.post(VIEWS, {"name": "For all", "is_shared": "on"})
    client.post(VIEWS, {"name": "Only Alice"}, follow=True)
    shared, own = SavedView.objects.get(owner=None), SavedView.objects.exclude(owner=None).get()
    assert Entry.objects.filter(action="questionnaire.view").count() == 1
    client.force_login(member(Role.ANALYST))
    page = client.get(PAGE).content
    assert b"For all" in page
    assert b"Only Alice" not in page
    assert client.post(VIEWS, {"name": "Mine for all", "is_shared": "on"}).status_code == 403
    assert client.post(f"{VIEWS}{shared.pk}/", {"name": "x"}).status_code == 403
    assert client.post(f"{VIEWS}{shared.pk}/delete/").status_code == 403
    assert client.post(f"{VIEWS}{own.pk}/delete/").status_code == 404
    assert SavedView.objects.count() == 2


def test_s3_the_file_holds_exactly_the_filtered_set_and_no_formula(client, rows):
    make('=HYPERLINK("http://x")', due=-30, owner="@SUM(A1)")
    make("Finished", status="COMPLETE")
    answer = client.post(f"{PAGE}export/?due=overdue")
    text = b"".join(answer.streaming_content).decode("utf-8-sig")
    table = list(csv.DictReader(io.StringIO(text)))
    assert [row["Name"] for row in table][:2] == ['\'=HYPERLINK("http://x")', "Customer 00"]
    assert len(table) == 7
    assert table[0]["Owner"] == "'@SUM(A1)"
    assert "attachment" in answer["Content-Disposition"]
    assert Entry.objects.get(action="questionnaire.export").details == {"filters": "?due=overdue"}


def test_s3_a_long_file_comes_in_batches(client, rows, monkeypatch, django_assert_max_num_queries):
    monkeypatch.setattr("portal.questionnaires.views.exporting.BATCH", 5)
    text = b"".join(client.post(f"{PAGE}export/").streaming_content).decode("utf-8-sig")
    assert [row["Name"] for row in csv.DictReader(io.StringIO(text))] == [f"Customer {number:02}" for number in range(12)]
