"""Asking by keyboard, and the page of somebody who has nothing but a link."""

import pytest
from playwright.sync_api import expect

from portal.questionnaires.models import ExpertLink, Response
from portal.questionnaires.tasks import mail_expert_links
from tests.questionnaires.conftest import TWO_PARTS, address
from tests.support.page_checks import look

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.xdist_group("experts-browser")]
LONG = "You run the key store: who can read the master key, how is that written down, and who looks at it how often?"


@pytest.fixture
def question(desk):
    return desk.set_answer(TWO_PARTS, {"p1": None, "p2": None}, question="Who can read the master key, and who watches them?")


def test_a_question_goes_to_an_expert_and_comes_back(page, live_server, session_cookie, question, new_context):
    page.context.add_cookies([session_cookie])
    page.goto(f"{live_server.url}{address(question.questionnaire)}")
    page.get_by_label(f"Select {question.question}").check()
    expect(page.get_by_text("1 selected")).to_be_visible()
    look(page, "experts-1-selected")
    page.get_by_role("button", name="Ask someone…").click()
    expect(page.get_by_role("heading", name="Ask about a question")).to_be_visible()
    look(page, "experts-2-ask")
    form = page.get_by_role("region", name="Someone outside")
    form.get_by_label("Email", exact=True).fill("dana@example.test")
    form.get_by_label("Name").fill("Dana Reyes, who runs the key store in the evening")
    form.get_by_label("Note").fill(LONG)
    form.get_by_label("Due").fill("2031-05-01")
    page.keyboard.press("Enter")
    expect(page.get_by_text("An email with the link is on its way.")).to_be_visible()
    mail_expert_links(question.tenant_id)
    link = ExpertLink.objects.get()
    outside = new_context().new_page()
    outside.goto(f"{live_server.url}/answer/{link.token}/")
    expect(outside.get_by_text(LONG)).to_be_visible()
    look(outside, "experts-3-expert")
    outside.get_by_label("Explanation").press_sequentially("Two people together, and the log is read weekly.")
    outside.keyboard.press("Control+Enter")
    expect(outside.get_by_text("Thank you, your answer was sent")).to_be_visible()
    look(outside, "experts-4-thanks")
    page.goto(f"{live_server.url}{address(question)}")
    expect(page.get_by_text("Has answered")).to_be_visible()
    look(page, "experts-5-answered")
    page.get_by_role("button", name="Use this answer").click()
    expect(page.get_by_text("Your draft is in the form")).to_be_visible()
    expect(page.get_by_label("Explanation")).to_have_value("Two people together, and the log is read weekly.")
    page.get_by_role("button", name="Revoke the link").click()
    page.get_by_role("dialog").get_by_role("button", name="Revoke").click()
    expect(page.get_by_text("Link revoked.")).to_be_visible()
    outside.get_by_text("Change your answer", exact=True).click()
    outside.get_by_label("Explanation").fill("Three people together.")
    outside.get_by_role("button", name="Send updated answer").click()
    expect(outside.get_by_role("heading", name="What you wrote was not sent")).to_be_visible()
    look(outside, "experts-6-ended")


def test_two_questions_of_one_link_are_answered_one_by_one_with_a_file(
    page, live_server, session_cookie, desk, settings, tmp_path, new_context
):
    settings.MEDIA_ROOT = tmp_path
    rows = list(Response.objects.filter(questionnaire=desk.questionnaire).order_by("position")[:2])
    for row, words in zip(rows, ("Who can read the master key?", "Who watches them?"), strict=True):
        desk.change_there(row, question=words, answerPartsSchema=TWO_PARTS, answerPartsValues={"p1": None, "p2": None})
    desk.fetch()
    page.context.add_cookies([session_cookie])
    page.goto(f"{live_server.url}{address(desk.questionnaire)}")
    page.get_by_label("Select Who can read the master key?").check()
    page.get_by_label("Select Who watches them?").check()
    page.get_by_role("button", name="Ask someone…").click()
    form = page.get_by_role("region", name="Someone outside")
    form.get_by_label("Email", exact=True).fill("dana@example.test")
    page.keyboard.press("Enter")
    expect(page.get_by_text("An email with the link is on its way.")).to_be_visible()
    outside = new_context().new_page()
    outside.goto(f"{live_server.url}/answer/all/{ExpertLink.objects.first().asking_token}/")
    look(outside, "experts-list-1-open")
    outside.get_by_role("link", name="Who can read the master key?").click()
    outside.get_by_label("Explanation").fill("Two people together.")
    outside.get_by_label("Attachment").set_input_files(
        {"name": "Key policy.pdf", "mimeType": "application/pdf", "buffer": b"%PDF-1.7"}
    )
    look(outside, "experts-list-2-question")
    outside.get_by_role("button", name="Send answer").click()
    expect(outside.get_by_text("Key policy.pdf")).to_be_visible()
    outside.get_by_role("link", name="Next question").click()
    outside.get_by_label("Explanation").fill("The security team.")
    outside.get_by_role("button", name="Send answer").click()
    expect(outside.get_by_text("That was the last one.")).to_be_visible()
    outside.get_by_role("link", name="All questions").click()
    expect(outside.get_by_text("Thank you, everything is answered")).to_be_visible()
    look(outside, "experts-list-3-done")
    page.goto(f"{live_server.url}{address(rows[0])}")
    expect(page.get_by_text("2 of 2 answered")).to_be_visible()
    with page.expect_download() as download:
        page.get_by_role("link", name="Key policy.pdf").click()
    assert download.value.suggested_filename == "Key policy.pdf"
    look(page, "experts-list-4-answered")
