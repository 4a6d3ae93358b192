"""Which step of a questionnaire is its main one: what comes next, never what would skip the work."""

import re

import pytest

from portal.questionnaires.models import Response
from portal.questionnaires.steps import Step, main_step
from portal.tenants.models import Role
from tests.questionnaires.conftest import TWO_PARTS, address

pytestmark = pytest.mark.once

MAIN = re.compile(r'<(?:summary|a) class="btn primary"[^>]*>\s*(?:<svg.*?</svg>)?\s*([^<]+?)\s*<', re.DOTALL)


def main_buttons(client, questionnaire):
    """The main buttons at the head of the questionnaire's page."""
    html = client.get(address(questionnaire)).content.decode()
    head = html[html.index('<div class="actions">', html.index('id="summary"')) :]
    return MAIN.findall(head[: head.index('id="desk"')])


@pytest.fixture
def unfinished(desk):
    """In progress, with questions that nobody has answered."""
    rows = list(Response.objects.filter(questionnaire=desk.questionnaire).order_by("position"))
    for number, row in enumerate(rows):
        values = {"p1": "Yes", "p2": "Done."} if number else {}
        desk.change_there(row, answerPartsSchema=TWO_PARTS, answerPartsValues=values, isPendingAnswerGeneration=False)
    desk.fetch()
    return desk.questionnaire


def set_status(desk, questionnaire, status):
    desk.change_there(questionnaire, status=status)
    desk.fetch()


def test_r2_while_answers_are_missing_handing_over_is_the_main_step_and_approving_is_not(client, alice, unfinished):
    client.force_login(alice)
    assert main_buttons(client, unfinished) == ["Hand over"]
    html = client.get(address(unfinished)).content.decode()
    (approve,) = re.findall(r'<button class="([^"]*)">Approve anyway', html)
    assert approve == "btn"
    assert 'name="status" value="READY_FOR_REVIEW">Hand over anyway' in html


def test_r2_in_review_the_main_step_is_to_review_what_nobody_has_reviewed(client, alice, desk, unfinished):
    client.force_login(alice)
    set_status(desk, unfinished, "IN_REVIEW")
    (button,) = main_buttons(client, unfinished)
    assert re.fullmatch(r"Review \d+ answers?", button)


def test_r2_once_approved_the_main_step_is_to_complete(client, alice, desk, unfinished):
    client.force_login(alice)
    set_status(desk, unfinished, "APPROVED")
    assert main_buttons(client, unfinished) == ["Complete"]


def test_r2_who_may_only_answer_has_no_main_step_in_a_review(client, member, desk, unfinished):
    client.force_login(member(Role.ANALYST))
    set_status(desk, unfinished, "IN_REVIEW")
    assert main_buttons(client, unfinished) == []


@pytest.mark.parametrize(
    ("allowed", "is_open", "unreviewed", "expected"),
    [
        ({Step.HAND_OVER, Step.APPROVE, Step.COMPLETE}, True, 3, Step.HAND_OVER),
        ({Step.APPROVE, Step.COMPLETE}, True, 3, Step.REVIEW),
        # All are reviewed, and some were returned: that is the turn of those who answer.
        ({Step.APPROVE, Step.COMPLETE}, True, 0, None),
        ({Step.APPROVE, Step.COMPLETE}, False, 0, Step.APPROVE),
        ({Step.COMPLETE}, False, 0, Step.COMPLETE),
        (set(), True, 3, None),
    ],
)
def test_the_main_step_is_what_comes_next(allowed, is_open, unreviewed, expected):
    assert main_step({step: step in allowed for step in Step}, is_open=is_open, unreviewed=unreviewed) is expected
