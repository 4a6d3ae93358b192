"""The review in a browser: every page looked at, a whole review by keyboard, a half-typed reason that outlives a poll."""

import pytest
from playwright.sync_api import expect

from portal.questionnaires import services
from portal.questionnaires.models import Response, Review
from portal.tenants.models import Role
from tests.questionnaires.conftest import address
from tests.questionnaires.reviews import WORDS, answer, approve, give_answers, return_it
from tests.support.members import find_member
from tests.support.page_checks import look

pytestmark = [
    pytest.mark.browser,
    pytest.mark.once,
    pytest.mark.django_db(transaction=True),
    pytest.mark.xdist_group("review-browser"),
]

UNREAD = 600
"""Milliseconds, longer than what has just come counts as unread."""
PRESS_AGAIN = """() => document.addEventListener("step-end", () => document.activeElement.dispatchEvent(
    new KeyboardEvent("keydown", {key: "a", bubbles: true, cancelable: true})), {once: true})"""


@pytest.fixture
def signed_in(page, session_cookie):
    page.context.add_cookies([session_cookie])
    return session_cookie


@pytest.fixture
def rows(desk):
    return give_answers(desk, 5)


def review_of(rows):
    return f"{address(rows[0].questionnaire)}review/"


def test_every_page_of_a_review_is_sound(page, live_server, signed_in, desk, rows, member):
    approver = find_member(user=member(Role.APPROVER))
    alice = find_member(user__email="alice@acme.example")
    others = Response.objects.exclude(questionnaire=rows[0].questionnaire).order_by("pk")
    person = {"id": "u1", "organizationId": "o1", "email": "ann@acme.example", "displayName": "Ann Approver"}
    for other, row, words in ((others[0], rows[0], "In other words than today."), (others[1], rows[4], WORDS[4])):
        desk.change_there(other, question=row.question)
        answer(desk, other, words, approvedBy=person)
    desk.fetch()
    page.goto(f"{live_server.url}{review_of(rows)}")
    expect(page.get_by_role("heading", name=rows[0].question)).to_be_visible()
    look(page, "review-1-card")
    page.keyboard.press("r")
    expect(page.get_by_label("What needs to change?")).to_be_focused()
    look(page, "review-2-reason")
    page.keyboard.press("Escape")
    page.keyboard.press("a")
    expect(page.get_by_role("button", name="Undo")).to_be_visible()
    expect(page.locator("[data-toasts]")).to_contain_text("Approved.")
    look(page, "review-2b-undo")
    approve(rows[1], approver)
    desk.change_there(rows[1], answerPartsValues={"p1": "No", "p2": "Not any more, since the move to the new site."})
    desk.fetch()
    page.goto(f"{live_server.url}{review_of(rows)}{rows[1].platform_id}/")
    expect(page.get_by_role("heading", name="Changed since it was approved")).to_have_count(0)
    expect(page.get_by_text("Changed since it was approved")).to_be_visible()
    look(page, "review-3-changed")
    return_it(rows[2], approver, "The key length is missing. Name it, and say who rotates the keys.")
    page.goto(f"{live_server.url}{review_of(rows)}{rows[2].platform_id}/")
    expect(page.locator("#review-live").get_by_text("Returned by").first).to_be_visible()
    look(page, "review-4-returned")
    page.goto(f"{live_server.url}{address(rows[2])}")
    expect(page.locator("#pane").get_by_text("Returned by")).to_be_visible()
    look(page, "review-5-returned-pane")
    services.set_four_eyes(True, member=alice)
    parts = {"p2": "Written by Alice."}
    services.update_answer(rows[3], member=alice, seen=rows[3].answer.fingerprint, parts=parts)
    page.goto(f"{live_server.url}{review_of(rows)}{rows[3].platform_id}/")
    expect(page.get_by_text("You wrote this answer")).to_be_visible()
    look(page, "review-6-four-eyes")
    page.goto(f"{live_server.url}/t/acme/settings/questionnaires/")
    look(page, "review-7-rules")
    page.goto(f"{live_server.url}{address(rows[0].questionnaire)}approve-unchanged/")
    expect(page.get_by_role("heading", name="What this means")).to_be_visible()
    look(page, "review-8-unchanged")
    services.set_four_eyes(False, member=alice)
    for row in (rows[1], rows[3], rows[4]):
        approve(row, approver)
    page.goto(f"{live_server.url}{review_of(rows)}")
    expect(page.get_by_role("heading", name="Everything is reviewed")).to_be_visible()
    look(page, "review-9-end")


def test_a_whole_review_by_keyboard_alone(page, live_server, signed_in, desk, rows):
    page.goto(f"{live_server.url}{review_of(rows)}")
    heading = page.locator("#review-question")
    expect(heading).to_have_text(rows[0].question)
    page.keyboard.press("a")
    expect(heading).to_have_text(rows[1].question)
    expect(heading).to_be_focused()
    page.keyboard.press("s")
    expect(heading).to_have_text(rows[2].question)
    page.keyboard.press("r")
    expect(page.get_by_label("What needs to change?")).to_be_focused()
    page.keyboard.type("a typed letter is no key")
    page.keyboard.press("Escape")
    expect(page.get_by_label("What needs to change?")).to_be_hidden()
    page.keyboard.press("r")
    expect(page.get_by_label("What needs to change?")).to_have_value("a typed letter is no key")
    page.keyboard.press("Control+Enter")
    expect(heading).to_have_text(rows[3].question)
    page.keyboard.press("a")
    expect(heading).to_have_text(rows[4].question)
    page.keyboard.press("u")
    expect(heading).to_have_text(rows[3].question)
    page.keyboard.press("k")
    expect(heading).to_have_text(rows[1].question)
    page.keyboard.press("a")
    expect(heading).to_have_text(rows[3].question)
    page.keyboard.press("j")
    expect(heading).to_have_text(rows[4].question)
    page.keyboard.press("a")
    expect(heading).to_have_text(rows[3].question)
    page.wait_for_timeout(UNREAD)
    page.keyboard.press("a")
    expect(page.locator("#review-end")).to_be_focused()
    said = dict(Review.objects.newest().values_list("response", "verdict"))
    assert [said[row.pk] for row in rows] == ["approved", "approved", "returned", "approved", "approved"]
    assert Review.objects.get(verdict="returned").reason == "a typed letter is no key"


def test_two_presses_where_one_was_meant_approve_no_answer_that_nobody_has_read(page, live_server, signed_in, desk, rows):
    page.goto(f"{live_server.url}{review_of(rows)}")
    page.evaluate(PRESS_AGAIN)
    page.keyboard.press("a")
    heading = page.locator("#review-question")
    expect(heading).to_have_text(rows[1].question)
    page.wait_for_timeout(UNREAD)
    expect(heading).to_have_text(rows[1].question)
    assert [review.response_id for review in Review.objects.all()] == [rows[0].pk]
    # Once it has been shown for a moment, the same key is meant.
    page.keyboard.press("a")
    expect(heading).to_have_text(rows[2].question)
    assert {review.response_id for review in Review.objects.all()} == {rows[0].pk, rows[1].pk}


def test_w2_a_half_typed_reason_outlives_every_poll(page, live_server, signed_in, desk, rows):
    page.goto(f"{live_server.url}{review_of(rows)}")
    page.keyboard.press("r")
    page.get_by_label("What needs to change?").fill("Half a sen")
    page.keyboard.press("Escape")
    page.keyboard.press("s")
    expect(page.locator("#review-question")).to_have_text(rows[1].question)
    page.keyboard.press("k")
    expect(page.get_by_label("What needs to change?")).to_have_value("Half a sen")
    page.locator("#review-question").click()
    desk.change_there(rows[0], answerPartsValues={"p1": "No", "p2": "Their words."})
    desk.fetch()
    expect(page.locator("#review-live")).to_contain_text("Their words.")
    expect(page.get_by_label("What needs to change?")).to_have_value("Half a sen")
    page.get_by_role("button", name="Return with this reason").click()
    expect(page.get_by_text("This changed while you were reading")).to_be_visible()
    expect(page.get_by_label("What needs to change?")).to_have_value("Half a sen")
    assert not Review.objects.exists()
    page.get_by_role("button", name="Return with this reason").click()
    expect(page.locator("#review-question")).to_have_text(rows[1].question)
    assert Review.objects.get().answer_text == "No\nTheir words."
    page.goto(f"{live_server.url}{review_of(rows)}{rows[0].platform_id}/")
    expect(page.get_by_label("What needs to change?")).to_have_value("")
