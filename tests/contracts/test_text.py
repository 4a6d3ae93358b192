"""Contracts are found by the words of their documents, and the page shows where they stand."""

import pytest
from django.utils import timezone

from portal.contracts import full_text
from portal.contracts.models import Contract, ContractPage
from portal.lib.path_ids import write_id
from tests.contracts.conftest import PAGE

pytestmark = pytest.mark.usefixtures("desk")


def add(name: str, *pages: str) -> Contract:
    row = Contract.objects.create(platform_id=f"{name:x<24}", name=name, created_at=timezone.now(), read_at=timezone.now())
    ContractPage.objects.bulk_create(
        ContractPage(contract=row, number=number, text=text, search=text.casefold())
        for number, text in enumerate(pages, start=1)
    )
    return row


def found(client, words: str) -> list[str]:
    rows = client.get(PAGE, {"q": words, "place": "text"}).context["rows"]
    return sorted(row.contract.name for row in rows)


@pytest.mark.parametrize("few", [True, False], ids=["rare", "common"])
def test_the_words_have_to_stand_on_one_page(few, analyst, monkeypatch):
    if not few:
        monkeypatch.setattr(full_text, "few", lambda *_: None)
    add("alpha", "Breach notice.", "Within 24 hours of Kenntnis.")
    add("beta", "Breach notice within 72 hours.")
    add("gamma", "Nothing of the kind.")
    assert found(analyst, "hours") == ["alpha", "beta"]
    assert found(analyst, "BREACH hours") == ["beta"]
    assert found(analyst, "kenntnis") == ["alpha"]
    assert found(analyst, "nobody") == []


def test_a_hit_is_shown_with_its_page_and_leads_there(analyst):
    row = add("alpha", "First.", f"{'word ' * 100}The <b>breach</b> is notified. {'word ' * 100}")
    answer = analyst.get(PAGE, {"q": "breach", "place": "text"})
    [shown] = answer.context["rows"]
    assert shown.excerpt.page == 2
    page = answer.content.decode()
    assert "&lt;b&gt;<mark>breach</mark>&lt;/b&gt;" in page
    assert f"{PAGE}{write_id(row.platform_id)}/text/?q=breach&amp;page=2#page-2" in page


def test_a_search_without_a_hit_says_what_is_searched(analyst):
    assert b"PDFs that were uploaded here" in analyst.get(PAGE, {"q": "nobody", "place": "text"}).content


def test_the_text_is_shown_page_by_page_with_anchors_and_marks(analyst):
    row = add("alpha", "<script>alert(1)</script>", "", "Notice of 24 Hours.")
    page = analyst.get(f"{PAGE}{row.platform_id}/text/", {"q": "hours"}).content.decode()
    assert 'id="page-3"' in page
    assert "<mark>Hours</mark>" in page
    assert "No text on this page." in page
    assert "<script>alert" not in page
    assert b"No page contains all of these words." in analyst.get(f"{PAGE}{row.platform_id}/text/", {"q": "nobody"}).content


def test_a_long_document_is_shown_in_stretches(analyst):
    row = add("alpha", *(f"This is number {number}." for number in range(1, 121)))
    address = f"{PAGE}{row.platform_id}/text/"
    text = analyst.get(address).context["text"]
    assert (text.pages[0].number, text.pages[-1].number, text.before, text.after) == (1, 50, None, 51)
    text = analyst.get(address, {"page": "119"}).context["text"]
    assert (text.pages[0].number, text.pages[-1].number, text.before, text.after) == (101, 120, 100, None)
    # A search goes to the first page that has the words.
    text = analyst.get(address, {"q": "number 77"}).context["text"]
    assert (text.hits[0], text.pages[0].number) == (77, 51)
    for senseless in ("-1", "x", "0", "9" * 30, "²"):
        assert analyst.get(address, {"page": senseless}).status_code == 200


def test_a_contract_without_text_says_what_to_do(analyst, bob, client):
    row = Contract.objects.create(platform_id="bare", created_at=timezone.now())
    assert b"Upload the PDF" in analyst.get(f"{PAGE}{row.platform_id}/text/").content
    client.force_login(bob)
    assert b"Upload the PDF" not in client.get(f"{PAGE}{row.platform_id}/text/").content


def test_a_long_word_is_marked_before_a_shorter_one_within_it():
    pieces = full_text.marked("notices and notice", ["notice", "notices"])
    assert [piece.text for piece in pieces if piece.is_hit] == ["notices", "notice"]


def test_an_excerpt_is_one_line_around_the_first_hit():
    pieces = full_text.excerpt("a\n" * 200 + "needle" + " b" * 200, ["needle"])
    text = "".join(piece.text for piece in pieces)
    assert (text[0], text[-1], "\n" in text, len(text) < 250) == ("…", "…", False, True)
