"""Approving in one go what was approved before in the very same words: what is among it, what is left, and how fast."""

from urllib.parse import quote

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from portal.audit.models import Entry
from portal.lib.text_keys import key_of
from portal.page_refresh.services import area_version
from portal.questionnaires import services
from portal.questionnaires.models import Questionnaire, Response, Review, Standing
from portal.questionnaires.previously_approved import Finding, left_in_words, numbers_of, review_findings
from tests.questionnaires.conftest import TWO_PARTS, address
from tests.questionnaires.reviews import again, answer, approve, give_answers, return_it
from tests.questionnaires.test_list import make

ANN = {"id": "u1", "organizationId": "o1", "email": "ann@acme.example"}


@pytest.fixture
def rows(desk):
    return give_answers(desk, 5)


@pytest.fixture
def others(desk, rows):
    """Questions of another questionnaire."""
    there = Response.objects.exclude(questionnaire=rows[0].questionnaire).select_related("questionnaire")
    return list(there.order_by("questionnaire", "position")[:5])


def like(desk, other, row, words=None, **changes):
    """Ask the same question in another questionnaire, and answer it alike, or in other words."""
    words = words or again(row).answer.values["p2"]
    desk.change_there(other, question=f"  {row.question.upper()}!")
    answer(desk, other, words, **changes)


def findings(row, member):
    return dict(review_findings(row.questionnaire, member).values_list("pk", "finding"))


@pytest.mark.once
def test_an_answer_that_was_approved_elsewhere_in_these_words_is_unchanged(desk, rows, others, reviewer):
    like(desk, others[0], rows[0], approvedBy=ANN)
    like(desk, others[1], rows[1])
    like(desk, others[2], rows[2], "In other words.", approvedBy=ANN)
    like(desk, others[3], rows[3])
    desk.fetch()
    approve(again(others[1]), reviewer)
    found = findings(rows[0], reviewer)
    assert [found[row.pk] for row in rows] == ["unchanged", "unchanged", "new", "new", "new"]


@pytest.mark.once
def test_what_was_returned_in_these_words_anywhere_has_to_be_read(desk, rows, others, reviewer):
    like(desk, others[0], rows[0], approvedBy=ANN)
    like(desk, others[1], rows[0])
    desk.fetch()
    return_it(again(others[1]), reviewer)
    assert findings(rows[0], reviewer)[rows[0].pk] == "refused"


@pytest.mark.once
def test_the_same_question_twice_in_one_questionnaire_is_no_precedent(desk, rows, reviewer):
    like(desk, rows[1], rows[0], approvedBy=ANN)
    desk.fetch()
    assert findings(rows[0], reviewer)[rows[0].pk] == "new"


@pytest.mark.once
def test_what_is_approved_here_in_these_words_counts_again_once_it_is_back(desk, rows, reviewer):
    first, words = rows[0], again(rows[0]).answer.values["p2"]
    approve(first, reviewer)
    answer(desk, first, "Another text for a while.")
    desk.fetch()
    assert findings(first, reviewer)[first.pk] == "changed"
    approve(again(first), reviewer)
    answer(desk, first, words)
    desk.fetch()
    assert findings(first, reviewer)[first.pk] == "unchanged"


def test_all_of_them_are_approved_in_one_go_and_the_rest_is_told(
    client, desk, rows, others, member, alice, alice_here, reviewer
):
    client.force_login(alice)
    services.set_four_eyes(True, member=alice_here)
    services.update_answer(rows[1], member=alice_here, seen=rows[1].answer.fingerprint, parts={"p2": "By Alice."})
    like(desk, others[0], rows[0], approvedBy=ANN)
    like(desk, others[1], rows[1], approvedBy=ANN)
    like(desk, others[2], rows[2], approvedBy=ANN)
    answer(desk, rows[3], "", answerPartsValues={"p1": None, "p2": None})
    desk.fetch()
    return_it(again(rows[2]), reviewer)
    page = client.get(f"{address(rows[0].questionnaire)}approve-unchanged/").content.decode()
    assert "Approve 1 unchanged answer" in page
    assert f"approved in {others[0].questionnaire}" in page
    assert not Review.objects.filter(verdict="approved").exists()
    done = client.post(f"{address(rows[0].questionnaire)}approve-unchanged/", follow=True).content.decode()
    assert "Approved 1 unchanged answer." in done
    for words in ("1 returned, and not changed since", "1 without a finished answer", "1 written by you (four eyes)"):
        assert words in done
    assert "1 never approved with this wording" in done
    assert again(rows[0]).standing == Standing.APPROVED
    (entry,) = Entry.objects.filter(action="questionnaire.approve_unchanged")
    assert (entry.actor, entry.details["approved"]) == (alice, 1)
    assert "Approved 1 unchanged answer." in client.get(f"{address(rows[0].questionnaire)}activity/").content.decode()


@pytest.mark.once
def test_where_nothing_is_unchanged_nothing_is_written(client, rows, alice):
    client.force_login(alice)
    before = area_version("questionnaires")
    done = client.post(f"{address(rows[0].questionnaire)}approve-unchanged/", follow=True).content.decode()
    assert "No answers were unchanged. Left to review: 5 never approved with this wording." in done
    assert not Review.objects.exists()
    assert area_version("questionnaires") == before


class TestHundreds:
    """So many that one query a row would show."""

    NUMBER = 600

    @pytest.fixture
    def two(self, scoped):
        """The same questions and answers in two questionnaires; those of the first are approved."""
        made = [make(name, status="IN_REVIEW", responses_synced_at="2026-01-01T00:00:00Z") for name in ("Before", "Now")]
        Response.objects.bulk_create(self.row(questionnaire, number) for questionnaire in made for number in range(self.NUMBER))
        Response.objects.filter(questionnaire=made[0]).update(is_approved=True)
        Response.objects.filter(questionnaire=made[1], position__lt=10).update(answer_digest="another")
        return made

    def row(self, questionnaire, number):
        question, values = f"Question number {number}?", {"p1": "Yes", "p2": f"Answer {number}."}
        payload = {"id": f"{questionnaire.pk}-{number}", "question": question, "isPendingAnswerGeneration": False}
        return Response(
            questionnaire=questionnaire,
            platform_id=payload["id"],
            position=number,
            question=question,
            question_key=key_of(question),
            is_answered=True,
            answer_text=f"Yes\nAnswer {number}.",
            answer_digest=f"digest-{number}",
            payload=payload | {"answerPartsSchema": TWO_PARTS, "answerPartsValues": values, "ownerAssignment": None},
        )

    def test_hundreds_are_approved_with_few_queries_and_taken_back_by_one_undo(self, client, alice, two, alice_here):
        now = two[1]
        with CaptureQueriesContext(connection) as queries:
            numbers = services.approve_unchanged(now, member=alice_here)
        assert (numbers[Finding.UNCHANGED], left_in_words(numbers)) == (590, ["10 never approved with this wording"])
        assert len(queries) < 30
        assert Review.objects.newest().count() == 590
        assert services.approve_unchanged(now, member=alice_here)[Finding.UNCHANGED] == 0
        client.force_login(alice)
        assert b"all unchanged answers" in client.get(f"{address(now)}review/", follow=True).content
        one = Response.objects.get(questionnaire=now, position=20)
        assert services.undo(one, member=alice_here) == 590
        assert not Review.objects.newest().exists()
        assert numbers_of(review_findings(now, alice_here))["unchanged"] == 590

    @pytest.mark.once
    def test_a_card_costs_the_same_however_many_questions_there_are(self, client, alice, two):
        client.force_login(alice)
        Response.objects.filter(questionnaire=two[1], position__gte=5).update(gone_at="2026-01-01T00:00:00Z")
        few, many = self.cost(client, two[1]), self.cost(client, two[0])
        assert few == many

    def cost(self, client, questionnaire):
        Response.objects.filter(questionnaire=questionnaire).update(is_approved=False)
        Questionnaire.objects.filter(pk=questionnaire.pk).update(question_count=1)
        card = f"{address(questionnaire)}review/{questionnaire.pk}-2/"
        client.get(card)
        with CaptureQueriesContext(connection) as queries:
            assert client.get(card).status_code == 200
        return len(queries)

    def test_all_that_would_be_approved_can_be_looked_at_before(self, client, alice, two):
        client.force_login(alice)
        url, seen = f"{address(two[1])}approve-unchanged/", []
        while url:
            shown = client.get(url)
            assert "Approve 590 unchanged answers" in shown.content.decode()
            seen += [row.pk for row, _ in shown.context["precedents"]]
            cursor = shown.context["page"].next_cursor
            url = cursor and f"{address(two[1])}approve-unchanged/?cursor={quote(cursor)}"
            assert not cursor or f'rel="next" href="?cursor={quote(cursor)}"' in shown.content.decode()
        assert len(seen) == len(set(seen)) == 590
