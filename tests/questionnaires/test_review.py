"""What reviewers say of single answers, for how long it counts, and who may say it."""

import pytest
from django.core.exceptions import PermissionDenied
from django.db import IntegrityError, transaction
from django.utils import timezone

from portal.audit.models import Entry
from portal.questionnaires import services
from portal.questionnaires.filters import ResponseFilters
from portal.questionnaires.models import Questionnaire, Response, Review, Standing, Verdict
from portal.questionnaires.returned_answers import is_to_be_changed, newest_verdict
from portal.questionnaires.reviews import progress
from portal.tenants.models import Role
from tests.questionnaires.conftest import address
from tests.questionnaires.reviews import again, answer, approve, give_answers, return_it, seen
from tests.support.members import find_member

pytestmark = pytest.mark.once


@pytest.fixture
def rows(desk):
    return give_answers(desk, 5)


@pytest.fixture
def row(rows):
    return rows[0]


def test_an_approval_counts_while_the_answer_is_the_one_that_was_approved(desk, row, reviewer):
    approve(row, reviewer)
    assert again(row).standing == Standing.APPROVED
    for words in ("Something else.", "we do, with AES-256"):
        answer(desk, row, words)
        desk.fetch()
        assert again(row).standing == Standing.CHANGED
    answer(desk, row, "We do, with AES-256.")
    desk.fetch()
    assert again(row).standing == Standing.APPROVED


def test_an_approval_counts_for_the_question_that_was_asked(desk, row, reviewer):
    approve(row, reviewer)
    desk.change_there(row, question=f"{row.question.upper()} ")
    desk.fetch()
    assert again(row).standing == Standing.APPROVED
    desk.change_there(row, question=f"Is it not true? {row.question}")
    desk.fetch()
    assert again(row).standing == Standing.CHANGED


def test_an_approval_of_the_platform_counts_as_well(desk, row):
    answer(desk, row, "We do.", approvedBy={"id": "u1", "organizationId": "o1", "email": "ann@acme.example"})
    desk.fetch()
    assert again(row).standing == Standing.APPROVED


def test_a_return_stands_against_an_approval_of_the_platform_until_the_answer_changes(desk, row, reviewer):
    ann = {"id": "u1", "organizationId": "o1", "email": "ann@acme.example"}
    answer(desk, row, "We do.", approvedBy=ann)
    desk.fetch()
    return_it(row, reviewer)
    assert again(row).standing == Standing.RETURNED
    answer(desk, row, "We do, and say how.", approvedBy=ann)
    desk.fetch()
    assert again(row).standing == Standing.APPROVED


def test_the_newest_word_counts_and_all_are_kept(row, reviewer, alice_here):
    approve(row, reviewer)
    return_it(row, alice_here, "Say which key length.")
    assert again(row).standing == Standing.RETURNED
    assert [(each.verdict, each.by_name, each.is_newest) for each in Review.objects.all()] == [
        ("returned", "Alice Ames", True),
        ("approved", "Approver of Acme", False),
    ]
    assert [entry.action for entry in Entry.objects.filter(target_kind="response")[:2]] == [
        "response.returned",
        "response.approved",
    ]


def test_s11_a_reason_is_in_the_audit_trail_without_addresses(row, alice_here):
    return_it(row, alice_here, "Ask jane@northwind.example about it.")
    assert Review.objects.get().reason == "Ask jane@northwind.example about it."
    [entry] = Entry.objects.filter(action="response.returned")
    assert entry.details["reason"] == "Ask [erased] about it."


def test_undo_takes_back_ones_own_newest_word_and_the_one_before_counts_again(row, reviewer, alice_here):
    approve(row, reviewer)
    return_it(row, alice_here)
    with pytest.raises(services.NotAllowed):
        services.undo(row, member=reviewer)
    assert services.undo(row, member=alice_here) == 1
    assert again(row).standing == Standing.APPROVED
    assert services.undo(row, member=reviewer) == 1
    assert again(row).standing == Standing.OPEN
    assert Review.objects.count() == 2
    with pytest.raises(services.NotAllowed):
        services.undo(row, member=reviewer)


def test_of_two_reviewers_at_once_the_second_is_told(row, reviewer, alice_here):
    had_before_them = seen(row)
    approve(row, reviewer)
    with pytest.raises(services.ReviewConflict):
        services.decide(row, member=alice_here, verdict=Verdict.RETURNED, seen=had_before_them, reason="Wrong.")
    assert Review.objects.get().verdict == "approved"


def test_an_answer_that_changed_under_the_reviewers_eyes_is_not_approved(desk, row, reviewer):
    had_before_them = seen(row)
    answer(desk, row, "Quite another answer.")
    desk.fetch()
    with pytest.raises(services.ReviewConflict):
        services.decide(row, member=reviewer, verdict=Verdict.APPROVED, seen=had_before_them)
    assert not Review.objects.exists()


@pytest.mark.parametrize("role", [Role.VIEWER, Role.ANALYST])
def test_who_may_not_decide_decides_nothing(client, desk, row, member, reviewer, role):
    user = member(role)
    client.force_login(user)
    reader = find_member(user=user)
    for decide in (approve, return_it):
        with pytest.raises(PermissionDenied):
            decide(row, reader)
    with pytest.raises(PermissionDenied):
        services.approve_unchanged(row.questionnaire, member=reader)
    card = f"{address(row.questionnaire)}review/{row.platform_id}/"
    assert client.post(card, {"verdict": "approved", "seen": seen(row)}).status_code == 403
    assert client.post(f"{card}undo/").status_code == 403
    assert not Review.objects.exists()
    page = client.get(card).content.decode()
    assert row.question in page
    assert 'data-key="a"' not in page


@pytest.mark.parametrize(
    "changes", [{"answerPartsValues": {"p1": None, "p2": ""}}, {"isPendingAnswerGeneration": True}], ids=["none", "pending"]
)
def test_what_has_no_finished_answer_is_not_reviewed(desk, row, reviewer, changes):
    answer(desk, row, "Soon.", **changes)
    desk.fetch()
    assert again(row).standing == Standing.WAITING
    with pytest.raises(services.NotAllowed):
        approve(row, reviewer)


@pytest.mark.parametrize("columns", [{"status": "COMPLETE"}, {"gone_at": timezone.now()}, {"responses_synced_at": None}])
def test_what_is_over_or_not_read_is_not_reviewed(row, reviewer, columns):
    Questionnaire.objects.filter(pk=row.questionnaire_id).update(**columns)
    with pytest.raises(services.NotAllowed):
        approve(row, reviewer)


def test_nothing_is_returned_without_a_reason(client, row, alice, alice_here):
    client.force_login(alice)
    card = f"{address(row.questionnaire)}review/{row.platform_id}/"
    for reason in ("", "   ", "x" * 2001):
        answer = client.post(card, {"verdict": "returned", "seen": seen(row), "reason": reason})
        assert answer.status_code == 422
        assert reason.strip() in answer.content.decode()
    assert not Review.objects.exists()
    with pytest.raises(IntegrityError), transaction.atomic():
        Review.objects.create(response=row, verdict="returned", by_name="Somebody", answer_digest="x")


def test_a_returned_answer_is_marked_until_it_is_changed_and_handed_over(client, desk, row, alice, alice_here, reviewer):
    client.force_login(alice)
    return_it(row, reviewer, "Name the <b>key length</b>.")
    pane = client.get(address(row)).content.decode()
    assert "Returned by Approver of Acme" in pane
    assert "Name the &lt;b&gt;key length&lt;/b&gt;." in pane
    listed = client.get(f"{address(row.questionnaire)}?show=returned")
    assert [each.pk for each in listed.context["page"].rows] == [row.pk]
    events = client.get(f"{address(row.questionnaire)}activity/").content.decode()
    assert "Returned the answer to" in events
    services.update_answer(again(row), member=alice_here, seen=row.answer.fingerprint, parts={"p2": "256 bits."})
    assert not client.get(f"{address(row.questionnaire)}?show=returned").context["page"].rows
    assert is_to_be_changed(again(row), newest_verdict(row))
    services.change_status(desk.questionnaire, member=alice_here, status="READY_FOR_REVIEW")
    assert not is_to_be_changed(again(row), newest_verdict(row))
    approve(row, reviewer)
    assert again(row).standing == Standing.APPROVED


def test_the_lists_of_questions_know_the_verdicts(rows, reviewer):
    approve(rows[0], reviewer)
    return_it(rows[1], reviewer)
    found = Response.objects.filter(questionnaire=rows[0].questionnaire).reviewed()

    def shown(which):
        return list(ResponseFilters(show=which).narrow(found, me="").order_by("position"))

    assert shown("approved") == [rows[0]]
    assert shown("returned") == [rows[1]]
    assert shown("answered") == rows[1:]
    assert (again(rows[0]).state, again(rows[1]).state) == (("Approved", "good"), ("Returned", "warn"))
    assert progress(rows[0].questionnaire)["reviewed"] == 2
