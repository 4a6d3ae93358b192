"""Of real questions few drafts are wrong, and none to a question that asks for the contrary."""

import pytest

from tests.library.judgement import HELD_BACK, LIBRARY, QUESTIONS, lines_of
from tests.questionnaires.draft_judgement import draft_each, judge_drafts

pytestmark = pytest.mark.django_db
HARD_ONE_IN, PLAIN_ONE_IN, HELD_BACK_ONE_IN = 3, 8, 4
"""So many are tried of the questions that ask for the contrary or that nothing answers, of the others, and of those that the
weights were not fitted to; `tests.bench drafts` tries all."""


def test_few_drafts_are_wrong_and_no_reversed_question_gets_a_yes(scoped):
    entries, questions = lines_of(LIBRARY), lines_of(QUESTIONS)
    hard = [each for each in questions if each["kind"] in ("reversed", "none")]
    plain = [each for each in questions if each not in hard][::PLAIN_ONE_IN]
    hard, held_back = hard[::HARD_ONE_IN], lines_of(HELD_BACK)[::HELD_BACK_ONE_IN]
    drafted = draft_each(entries, hard + plain + held_back)
    of_hard = judge_drafts(entries, drafted[: len(hard)], 75)
    of_plain = judge_drafts(entries, drafted[len(hard) : -len(held_back)], 75)
    of_held_back = judge_drafts(entries, drafted[-len(held_back) :], 75)
    assert of_hard.wrong == []
    for judgement, asked in ((of_plain, plain), (of_held_back, held_back)):
        assert judgement.right > len(asked) / 8
        assert len(judgement.wrong) <= max(1, judgement.right / 8)
        assert judgement.chosen_wrong == 0
    assert judge_drafts(entries, drafted, 95).right == 0, "only the very same question is that sure"
