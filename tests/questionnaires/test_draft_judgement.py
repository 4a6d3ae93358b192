"""Of real questions few drafts are wrong, and none to a question that asks for the contrary."""

import pytest

from tests.library.judging import LIBRARY, QUESTIONS, lines_of
from tests.questionnaires.draft_judging import draft_each, judge_drafts

pytestmark = pytest.mark.django_db
HARD_ONE_IN, PLAIN_ONE_IN = 3, 8
"""So many are tried of the questions that ask for the contrary or that nothing answers, and of the others; `tests.bench drafts`
tries all."""


def test_few_drafts_are_wrong_and_no_reversed_question_gets_a_yes(scoped):
    entries, questions = lines_of(LIBRARY), lines_of(QUESTIONS)
    hard = [each for each in questions if each["kind"] in ("reversed", "none")]
    plain = [each for each in questions if each not in hard][::PLAIN_ONE_IN]
    hard = hard[::HARD_ONE_IN]
    drafted = draft_each(entries, hard + plain)
    of_hard, of_plain = judge_drafts(entries, drafted[: len(hard)], 75), judge_drafts(entries, drafted[len(hard) :], 75)
    assert of_hard.wrong == []
    assert of_plain.right >= 4
    assert len(of_plain.wrong) <= 1
    assert judge_drafts(entries, drafted, 90).wrong == []
