"""How the page of different answers looks, and that it is worked by keyboard."""

import pytest
from playwright.sync_api import expect

from portal.questionnaires.models import Questionnaire, Response
from portal.questionnaires.services import drift_detection
from tests.questionnaires.conftest import TWO_PARTS
from tests.questionnaires.test_drift import PAGE, SAME
from tests.support.page_checks import look

pytestmark = [
    pytest.mark.browser,
    pytest.mark.once,
    pytest.mark.django_db(transaction=True),
    pytest.mark.xdist_group("questionnaires-browser"),
]


def test_different_answers_are_found_and_settled(page, live_server, session_cookie, desk):
    page.context.add_cookies([session_cookie])
    page.goto(f"{live_server.url}{PAGE}")
    look(page, "drift-1-empty")
    answers = ["We tell you within 24 hours of having confirmed it, by mail to your security contact.", "Within 72 hours."]
    for one, words in zip(Questionnaire.objects.order_by("pk"), [*answers, answers[0]], strict=False):
        row = Response.objects.filter(questionnaire=one).order_by("position")[0]
        desk.change_there(row, question=SAME, answerPartsSchema=TWO_PARTS, answerPartsValues={"p1": "Yes", "p2": words})
        desk.change_there(one, status="COMPLETE", updatedDate="2099-01-01T00:00:00.000Z", customerTrustAccountId="6470" * 6)
    desk.fetch()
    drift_detection.compare()
    # The open page hears of it by itself.
    expect(page.get_by_role("heading", name=SAME)).to_be_visible()
    look(page, "drift-2-list")
    # A row's own link opens its question with every customer.
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Answer 1 is right").press("Enter")
    expect(page.get_by_role("heading", name="Customers to correct")).to_be_visible()
    look(page, "drift-3-question")
    page.get_by_role("button", name="Mark corrected").press("Enter")
    expect(page.get_by_role("button", name="Undo")).to_be_visible()
    page.get_by_role("button", name="Reopen").press("Enter")
    page.goto(f"{live_server.url}{PAGE}")
    page.keyboard.press("/")
    page.keyboard.type("zebra")
    expect(page.get_by_text("No matching questions")).to_be_visible()
    page.get_by_label("Search the questions").fill("breach")
    page.get_by_role("button", name="Both are right").press("Enter")
    expect(page.get_by_text("Settled. It comes back")).to_be_visible()
    page.goto(f"{live_server.url}{PAGE}?show=settled")
    look(page, "drift-4-settled")
