"""The entry that answers a question is found, however it is asked; and of no other tenant."""

import pytest

from tests.library.judging import LIBRARY, QUESTIONS, fill_library, judge, lines_of, plain_text

pytestmark = pytest.mark.django_db


def test_the_entry_that_answers_is_among_the_first_three_far_more_often_than_by_plain_full_text(scoped):
    entries, questions = lines_of(LIBRARY), lines_of(QUESTIONS)
    found, plain = judge(fill_library(entries), questions), judge(plain_text(entries), questions)
    print(found.recall, plain.recall, found.milliseconds)
    assert found.recall[3] >= 0.76
    assert len(found.missed) <= 0.6 * len(plain.missed)
