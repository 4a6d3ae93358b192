"""The review tab without a script and with one: where each step leads, and what stands on a card."""

import pytest

from portal.questionnaires import services
from portal.questionnaires.models import Questionnaire, Response, Review, Standing
from portal.tenants.models import Role
from tests.questionnaires.conftest import address
from tests.questionnaires.reviews import again, answer, approve, give_answers, return_it, seen
from tests.support.members import remove_members

pytestmark = pytest.mark.once
HTMX = {"HX-Request": "true", "HX-Target": "review"}
ANN = {"id": "u1", "organizationId": "o1", "email": "ann@acme.example", "displayName": "Ann <i>Approver</i>"}


@pytest.fixture
def rows(desk, client, alice):
    client.force_login(alice)
    return give_answers(desk, 5)


def review_of(row):
    return f"{address(row.questionnaire)}review/"


def card_of(row):
    return f"{review_of(row)}{row.platform_id}/"


def send(client, row, verdict="approved", **more):
    return client.post(card_of(row), {"verdict": verdict, "seen": seen(row), **more})


def test_the_review_begins_at_the_first_answer_and_goes_on_by_itself(client, rows):
    assert client.get(review_of(rows[0])).headers["Location"] == card_of(rows[0])
    assert send(client, rows[0]).headers["Location"] == card_of(rows[1])
    assert send(client, rows[4]).headers["Location"] == card_of(rows[1])
    assert send(client, rows[1], "returned", reason="Too short.").headers["Location"] == card_of(rows[2])
    send(client, rows[2])
    end = send(client, rows[3])
    assert end.headers["Location"] == review_of(rows[0])
    page = client.get(review_of(rows[0])).content.decode()
    assert "Everything is reviewed" in page
    assert "1 question is returned and not changed since" in page


def test_with_htmx_the_next_card_comes_with_its_address(client, rows):
    sent = client.post(card_of(rows[0]), {"verdict": "approved", "seen": seen(rows[0])}, headers=HTMX)
    assert sent.headers["HX-Push-Url"] == card_of(rows[1])
    assert rows[1].question in sent.content.decode()
    assert "<h1>" not in sent.content.decode()


def test_a_list_is_gone_through_in_its_order_and_ends_in_words(client, rows, reviewer):
    return_it(rows[1], reviewer)
    return_it(rows[3], reviewer)
    review = review_of(rows[0])
    assert client.get(f"{review}?show=returned").headers["Location"] == f"{card_of(rows[1])}?show=returned"
    page = client.get(f"{card_of(rows[1])}?show=returned")
    assert (page.context["previous_id"], page.context["next_id"]) == (None, rows[3].platform_id)
    assert "Nothing in this list" in client.get(f"{review}?show=changed").content.decode()
    assert client.get(f"{review}?show=nonsense").headers["Location"] == card_of(rows[0])


def test_undo_leads_back_to_the_card(client, rows):
    send(client, rows[0])
    assert "Approved by you" in client.get(card_of(rows[1])).content.decode()
    assert client.post(f"{card_of(rows[0])}undo/").headers["Location"] == card_of(rows[0])
    assert again(rows[0]).standing == Standing.OPEN
    assert client.post(f"{card_of(rows[0])}undo/").status_code == 422


def test_a_second_decision_on_what_has_changed_is_refused_and_keeps_the_reason(client, rows, reviewer):
    had_before_them = seen(rows[0])
    approve(rows[0], reviewer)
    refused = client.post(
        card_of(rows[0]), {"verdict": "returned", "seen": had_before_them, "reason": "Half a page of reasons."}
    )
    assert refused.status_code == 422
    page = refused.content.decode()
    assert "This changed while you were reading" in page
    assert "Half a page of reasons." in page
    assert f'value="{seen(rows[0])}"' in page
    assert Review.objects.count() == 1


def test_a_card_says_what_is_known_of_the_answer(client, desk, rows, alice_here, reviewer):
    row = rows[0]
    services.update_answer(row, member=alice_here, seen=row.answer.fingerprint, parts={"p2": "By <b>Alice</b>."})
    evidence = [{"uploadedDocument": {"id": "d1", "slugId": "s1", "filename": "soc2<script>.pdf"}}]
    other = Response.objects.exclude(questionnaire=row.questionnaire).select_related("questionnaire")[0]
    desk.change_there(other, question=row.question)
    answer(desk, other, "Approved elsewhere.", approvedBy=ANN)
    desk.change_there(row, attachedEvidence=evidence, originType="ANSWER_LIBRARY")
    desk.fetch()
    return_it(row, reviewer, "Say which key length.")
    page = client.get(card_of(row)).content.decode()
    for words in (
        "By &lt;b&gt;Alice&lt;/b&gt;.",
        "Alice Ames, ",
        "soc2&lt;script&gt;.pdf",
        "Answer library",
        "Approved before with different wording",
        "Approved elsewhere.",
        "Returned by Approver of Acme",
        "Say which key length.",
    ):
        assert words in page
    there = client.get(card_of(other)).content.decode()
    assert "Ann &lt;i&gt;Approver&lt;/i&gt;" in there
    assert 'data-key="a"' not in there


def test_what_changed_since_shows_both_texts(client, desk, rows, reviewer):
    approve(rows[0], reviewer)
    answer(desk, rows[0], "Not any more.")
    desk.fetch()
    page = client.get(card_of(rows[0])).content.decode()
    assert "Changed since it was approved" in page
    assert "We do, with AES-256." in page
    assert "Not any more." in page


def test_an_open_card_hears_of_a_decision_elsewhere_and_only_then(client, rows, reviewer):
    def poll(version):
        return client.get(card_of(rows[0]), headers={"HX-Request": "true", "HX-Target": "review-live", "Seen": version})

    version = client.get(card_of(rows[0])).context["review_version"]
    assert poll(version).status_code == 204
    approve(rows[1], reviewer)
    drawn = poll(version)
    assert "1 of 5 reviewed" in drawn.content.decode()
    assert "<textarea" not in drawn.content.decode()


def test_the_whole_is_approved_and_completed_from_the_end_of_the_review(client, desk, rows, sandbox):
    for row in rows:
        send(client, row)
    page = client.get(review_of(rows[0])).content.decode()
    assert "Still open" not in page
    assert "Keep the approved answers in the answer library" in page
    sandbox.fail("status", method="POST", value=422, path="/v1/customer-trust", times=1)
    refused = client.post(f"{address(rows[0].questionnaire)}approve/?from=review", follow=True)
    assert refused.redirect_chain == [(review_of(rows[0]), 302)]
    assert "The platform rejected this" in refused.content.decode()
    done = client.post(f"{address(rows[0].questionnaire)}approve/?from=review", {"message": "All read."}, follow=True)
    assert "Approved." in done.content.decode()
    client.post(f"{address(rows[0].questionnaire)}complete/?from=review", {"keep_answers": "on"})
    assert desk.there(rows[0].questionnaire)["status"] == "COMPLETE"
    assert send(client, rows[0]).status_code == 422


def test_what_was_returned_is_handed_back_from_the_end_of_the_review(client, desk, rows, alice_here):
    services.change_status(rows[0].questionnaire, member=alice_here, status="IN_REVIEW")
    for row in rows:
        send(client, row, "returned", reason="Again, please.")
    assert "Hand it back" in client.get(review_of(rows[0])).content.decode()
    client.post(f"{address(rows[0].questionnaire)}status/?from=review", {"status": "IN_PROGRESS"})
    assert desk.there(rows[0].questionnaire)["status"] == "IN_PROGRESS"
    page = client.get(address(rows[0].questionnaire)).content.decode()
    assert "5 questions returned by a reviewer" in page


def test_reviews_are_a_tab_of_the_list_with_their_number(client, rows, member):
    Questionnaire.objects.filter(pk=rows[0].questionnaire_id).update(status="IN_REVIEW")
    client.force_login(member(Role.APPROVER))
    tabs = {tab["label"]: tab for tab in client.get("/t/acme/questionnaires/").context["tabs"]}
    assert tabs["In review"]["url"] == "?stage=in-review"
    listed = client.get("/t/acme/questionnaires/?stage=in-review").context["page"].rows
    assert rows[0].questionnaire in listed
    assert tabs["In review"]["count"] == len(listed)


def test_questions_that_are_not_read_yet_are_waited_for(client, rows):
    Questionnaire.objects.filter(pk=rows[0].questionnaire_id).update(responses_synced_at=None)
    Response.objects.filter(questionnaire=rows[0].questionnaire).update(gone_at="2026-01-01T00:00:00Z")
    assert "Reading the questions from the platform" in client.get(review_of(rows[0])).content.decode()


def test_a_reviewer_who_left_is_still_named(client, rows, reviewer):
    approve(rows[0], reviewer)
    remove_members(pk=reviewer.pk)
    reviewer.user.delete()
    assert "Approved by Approver of Acme" in client.get(card_of(rows[0])).content.decode()
