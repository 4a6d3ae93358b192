"""Cutting documents into passages."""

from hypothesis import given
from hypothesis import strategies as st

from portal.library.passages import LONG_WORDS, MAX_PASSAGES, MAX_WORDS, passages_of

WORDS = st.text(alphabet="abc A.!?\n,", max_size=2000)


def texts(*pages: str) -> list[str]:
    return [text for _, text in passages_of(dict(enumerate(pages, start=1)))]


def test_a_paragraph_is_a_passage_and_the_lines_in_it_are_joined():
    page = "We encrypt all data\nthat customers send. Keys are rotated.\n\nBackups are kept for thirty days."
    assert texts(page) == ["We encrypt all data that customers send. Keys are rotated.", "Backups are kept for thirty days."]


def test_a_heading_goes_before_what_follows():
    assert texts("2. Backups\n\nThey are kept for thirty days.") == ["2. Backups They are kept for thirty days."]
    assert texts("Page 3") == ["Page 3"]


def test_a_long_paragraph_is_cut_behind_a_sentence_and_a_long_sentence_anywhere():
    sentence = "The operators look at every alert within a quarter of an hour. "
    found = texts(sentence * 20)
    assert len(found) > 1
    assert all(text.endswith("hour.") and len(text.split()) < LONG_WORDS + 12 for text in found)
    assert [len(text.split()) for text in texts("word " * (2 * MAX_WORDS + 10))] == [MAX_WORDS, MAX_WORDS, 10]


def test_pages_are_named_and_in_their_order():
    assert passages_of({2: "Second.", 1: "First."}) == [(1, "First."), (2, "Second.")]
    assert len(passages_of(dict.fromkeys(range(MAX_PASSAGES + 5), "Text."))) == MAX_PASSAGES


@given(st.dictionaries(st.integers(min_value=1, max_value=9), WORDS, max_size=4))
def test_no_word_is_lost_and_none_is_there_twice(pages):
    found = passages_of(pages)
    assert [word for _, text in found for word in text.split()] == [
        word for page in sorted(pages) for word in pages[page].split()
    ]
    assert all(text and len(text.split()) <= MAX_WORDS for _, text in found)
