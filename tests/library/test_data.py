"""The form of the data that judges how well an earlier answer is found: a slip here would be counted against the ranking."""

import json
from collections import Counter
from pathlib import Path

import pytest

DATA = Path(__file__).parent / "data"
KINDS = {"sig", "caiq", "vsa", "own", "terse", "long", "reversed", "none"}
SETS = ["questions.jsonl", "held_back.jsonl"]
LONGEST_LINE = 600


def lines_of(name: str) -> list[str]:
    return (DATA / name).read_text(encoding="utf-8").splitlines()


def rows_of(name: str) -> list[dict]:
    return [json.loads(line) for line in lines_of(name)]


@pytest.fixture(scope="module")
def entries():
    """The answer library of an invented company."""
    return rows_of("library.jsonl")


@pytest.fixture(scope="module", params=SETS)
def questions(request):
    """What other customers ask, each with the entries that answer it."""
    return rows_of(request.param)


def plain(question: str) -> str:
    return " ".join(question.casefold().split())


def repeated(values) -> list:
    return [value for value, times in Counter(values).items() if times > 1]


@pytest.mark.parametrize("name", ["library.jsonl", *SETS])
def test_no_line_is_longer_than_a_reader_takes_in(name):
    assert [line for line in lines_of(name) if len(line) > LONGEST_LINE] == []


def test_there_are_enough_entries_and_each_is_whole(entries):
    assert len(entries) >= 300
    assert [entry for entry in entries if set(entry) != {"id", "question", "answer"} or not all(entry.values())] == []


def test_no_entry_stands_twice(entries):
    assert repeated(entry["id"] for entry in entries) == []
    assert repeated(plain(entry["question"]) for entry in entries) == []


def test_there_are_enough_questions_with_an_answer_and_without():
    questions = rows_of("questions.jsonl")
    answered = [question for question in questions if question["expected"]]
    assert len(answered) >= 450
    assert len(questions) - len(answered) >= 30


def test_every_question_is_whole_and_of_a_known_kind(questions):
    assert [each for each in questions if set(each) != {"question", "expected", "kind"} or not each["question"]] == []
    assert {each["kind"] for each in questions} <= KINDS


def test_only_the_kind_none_has_no_answer(questions):
    assert [each for each in questions if (each["kind"] == "none") != (each["expected"] == [])] == []


def test_every_expected_entry_exists_and_is_named_once(entries, questions):
    known = {entry["id"] for entry in entries}
    assert [each for each in questions if not set(each["expected"]) <= known or repeated(each["expected"])] == []


def test_no_question_is_asked_twice_or_copied_from_the_library(entries, questions):
    asked = [plain(each["question"]) for each in questions]
    assert repeated(asked) == []
    assert set(asked) & {plain(entry["question"]) for entry in entries} == set()


def test_nothing_that_is_held_back_stands_in_the_set_that_the_lexicon_was_written_with():
    known, held_back = ({plain(each["question"]) for each in rows_of(name)} for name in SETS)
    assert len(held_back) >= 240
    assert held_back & known == set()
