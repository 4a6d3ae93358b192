"""The filtered list as a file."""

import csv
import io

import pytest

from portal.audit.models import Entry
from tests.questionnaires.test_list import PAGE, make


@pytest.fixture
def rows(scoped, client, alice):
    client.force_login(alice)
    return [make(f"Customer {number:02}", due=number - 5, owner="Mara" if number < 4 else "") for number in range(12)]


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
    assert Entry.objects.get(action="questionnaire.export").details == {"is_filtered": True}


def test_s11_what_was_searched_for_is_not_in_the_audit_trail(client, rows):
    client.post(f"{PAGE}export/?q=jane%40northwind.example")
    client.post(f"{PAGE}export/")
    details = Entry.objects.filter(action="questionnaire.export").order_by("pk").values_list("details", flat=True)
    assert list(details) == [{"is_filtered": True}, {"is_filtered": False}]


def test_s3_a_long_file_comes_in_batches(client, rows, monkeypatch, django_assert_max_num_queries):
    monkeypatch.setattr("portal.ui.list_export.PAGE_SIZE", 5)
    text = b"".join(client.post(f"{PAGE}export/").streaming_content).decode("utf-8-sig")
    assert [row["Name"] for row in csv.DictReader(io.StringIO(text))] == [f"Customer {number:02}" for number in range(12)]
