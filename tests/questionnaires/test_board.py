"""The board: a column per stage over the filters of the list."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.questionnaires.test_list import PAGE, make


@pytest.fixture
def rows(scoped, client, alice):
    client.force_login(alice)
    return [make(f"Customer {number:02}", due=number - 5, owner="Mara" if number < 4 else "") for number in range(12)]


def test_the_board_has_a_column_per_stage_with_counts_and_cards(client, rows):
    make("In review", status="IN_REVIEW", due=1)
    make("Unknown", status="NEVER_SEEN")
    columns = client.get(f"{PAGE}?view=board").context["columns"]
    shown = {column.stage.label: (column.count, [str(card) for card in column.cards]) for column in columns}
    assert shown["In progress"][0] == 12
    assert shown["In progress"][1][:2] == ["Customer 00", "Customer 01"]
    assert shown["In review"] == (1, ["In review"])
    assert shown["Other"] == (1, ["Unknown"])
    assert shown["New"] == (0, [])
    assert "Done" not in shown


def test_the_board_obeys_the_filters_and_each_column_ends(client, rows):
    for number in range(60):
        make(
            f"Many {number}",
            due=number,
            status="READY_FOR_REVIEW" if number % 2 else "IN_REVIEW",
            question_count=4,
            answered_count=1,
        )
    columns = {column.stage.key: column for column in client.get(f"{PAGE}?view=board").context["columns"]}
    review = columns["in-review"]
    assert (review.count, len(review.cards), review.more) == (60, 15, 45)
    assert [str(card) for card in review.cards[:3]] == ["Many 0", "Many 1", "Many 2"]
    assert review.url == "?stage=in-review"
    page = client.get(f"{PAGE}?view=board&q=many").content.decode()
    assert "45 more in the list" in page
    assert "25%" in page
    assert "Customer 0" not in page


def test_too_many_matches_are_shown_and_not_counted(client, rows, monkeypatch):
    monkeypatch.setattr("portal.questionnaires.counts.MAX_COUNTED", 5)
    monkeypatch.setattr("portal.questionnaires.board.MAX_CARDS", 3)
    make("Customer done", status="COMPLETE")
    answer = client.get(f"{PAGE}?q=customer")
    assert {tab["label"]: tab["count"] for tab in answer.context["tabs"]} == dict.fromkeys(
        ["Open", "In progress", "Done", "All"]
    )
    assert len(answer.context["page"].rows) == 12
    assert "that match</label>" in answer.content.decode()
    page = client.get(f"{PAGE}?q=customer&view=board").content.decode()
    assert "Many more in the list" in page
    # What few fit is counted as ever, and so is everything.
    assert {tab["count"] for tab in client.get(f"{PAGE}?owner=user-Mara").context["tabs"]} == {4}
    assert client.get(PAGE).context["matching"] == 12


@pytest.mark.usefixtures("within_a_minute")
@pytest.mark.parametrize("query", ["", "?view=board"])
def test_more_rows_need_no_more_queries(client, rows, query):
    def queries():
        with CaptureQueriesContext(connection) as captured:
            client.get(PAGE + query)
        return len(captured)

    client.get(PAGE + query)
    before = queries()
    for number in range(40):
        make(f"another {number}", owner=f"Person {number}")
    assert queries() == before
