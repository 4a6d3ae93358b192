"""Handing over for review says what is still missing, and does it all the same if somebody wants to."""

import pytest

from portal.questionnaires import reviews
from portal.questionnaires.models import Draft, Questionnaire, Response
from portal.questionnaires.selectors import blockers
from portal.tenants.models import Role
from tests.questionnaires.conftest import TWO_PARTS, address

pytestmark = pytest.mark.once


@pytest.fixture
def ready(desk):
    """A questionnaire in which nothing is missing."""
    for row in Response.objects.filter(questionnaire=desk.questionnaire):
        values = {"p1": "Yes", "p2": "Done."}
        desk.change_there(row, answerPartsSchema=TWO_PARTS, answerPartsValues=values, isPendingAnswerGeneration=False)
    approver = {"type": "User", "id": "u1", "displayName": "Ann Approver"}
    desk.change_there(desk.questionnaire, approverAssignment=approver)
    desk.fetch()
    return desk.questionnaire


def test_when_nothing_is_missing_nothing_is_listed(client, alice, ready):
    client.force_login(alice)
    assert blockers(ready) == []
    assert b"Every question has an answer" in client.get(address(ready)).content


def test_what_is_missing_is_listed_with_the_questions_it_is_about(client, alice, desk, ready):
    client.force_login(alice)
    first, second, third = Response.objects.filter(questionnaire=ready).order_by("position")[:3]
    desk.change_there(first, answerPartsValues={})
    desk.change_there(second, isPendingAnswerGeneration=True)
    desk.change_there(ready, approverAssignment=None)
    desk.fetch()
    Draft.objects.create(response=third, user=alice, typed={"p2": "Half"})
    assert blockers(desk.questionnaire) == [
        ("1 question without an answer", "?show=unanswered"),
        ("1 question that the platform is still answering", "?show=pending"),
        ("1 question with an unsaved draft", ""),
        ("No approver assigned", ""),
    ]
    page = client.get(address(desk.questionnaire)).content.decode()
    assert f'href="{address(ready)}?show=unanswered"' in page
    assert "Hand over anyway" in page


def test_two_who_type_an_answer_to_one_question_leave_one_question_with_a_draft(alice, member, ready):
    row = Response.objects.filter(questionnaire=ready).first()
    for user in (alice, member(Role.ANALYST)):
        Draft.objects.create(response=row, user=user, typed={"p2": "Half"})
    assert blockers(ready) == [("1 question with an unsaved draft", "")]


@pytest.mark.parametrize(
    ("state", "words"),
    [
        ({"responses_synced_at": None}, "The questions have not been read yet"),
        ({"unread_count": 2}, "2 questions could not be read"),
        ({"question_count": 0, "answered_count": 0}, "No questions yet"),
    ],
)
def test_r3_nothing_is_called_answered_or_reviewed_before_it_was_read(client, alice, desk, ready, state, words):
    client.force_login(alice)
    Questionnaire.objects.filter(pk=ready.pk).update(**state)
    ready.refresh_from_db()
    assert (words, "") in blockers(ready)
    page = client.get(address(ready)).content.decode()
    assert words in page
    assert "Every question has an answer" not in page
    Questionnaire.objects.filter(pk=ready.pk).update(status="READY_FOR_REVIEW")
    ready.refresh_from_db()
    assert (words, "") in reviews.still_open(ready, dict.fromkeys(("", "returned", "waiting"), 0), url="/")
    page = client.get(address(ready)).content.decode()
    assert words in page
    assert "Approve anyway" in page


def test_it_is_handed_over(client, member, desk, ready):
    client.force_login(member(Role.ANALYST))
    client.post(f"{address(ready)}status/", {"status": "READY_FOR_REVIEW"})
    assert desk.there(ready)["status"] == "READY_FOR_REVIEW"
    assert b"Hand over" not in client.get(address(ready)).content
