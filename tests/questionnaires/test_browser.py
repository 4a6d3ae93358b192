"""What only a browser can show: axe, a phone's width, the keyboard, a walk without a script, text that a poll leaves alone."""

import pytest
from playwright.sync_api import expect

from portal.questionnaires.models import Response
from tests.questionnaires.conftest import TWO_PARTS, address
from tests.support.page_checks import PHONE, look

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.xdist_group("questionnaires-browser")]

PAGE = "/t/acme/questionnaires/"


@pytest.fixture
def platform_tenant(sandbox):
    """Enough questionnaires for several stages."""
    return sandbox.create_tenant(questionnaires=12, responses_per_questionnaire=14)


@pytest.fixture
def signed_in(page, session_cookie):
    page.context.add_cookies([session_cookie])
    return session_cookie


@pytest.fixture
def response(desk):
    return desk.set_answer(TWO_PARTS, {"p1": "No", "p2": "As it was."}, question="Do you encrypt data at rest?")


def test_every_page_of_the_desk_is_sound(page, live_server, signed_in, desk, response):
    page.goto(f"{live_server.url}{PAGE}")
    look(page, "questionnaires-1-list")
    page.goto(f"{live_server.url}{PAGE}?stage=all&q=nothing-like-it")
    look(page, "questionnaires-2-empty")
    page.goto(f"{live_server.url}{address(response.questionnaire)}")
    look(page, "questionnaires-3-questions")
    page.get_by_role("link", name=response.question, exact=True).click()
    expect(page.get_by_label("Explanation")).to_be_visible()
    look(page, "questionnaires-4-answer")
    page.get_by_label("Explanation").fill("We do, with AES-256.")
    desk.change_there(response, answerPartsValues={"p1": "Yes", "p2": "Their words."})
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_text("Someone changed this answer")).to_be_visible()
    page.get_by_text("Their words.").scroll_into_view_if_needed()
    look(page, "questionnaires-5-conflict")
    page.goto(f"{live_server.url}{address(response.questionnaire)}activity/")
    look(page, "questionnaires-6-activity")
    page.goto(f"{live_server.url}{address(response.questionnaire)}details/")
    look(page, "questionnaires-7-details")
    page.locator("summary[data-key=A]").click()
    look(page, "questionnaires-8-approve")
    page.keyboard.press("Escape")
    page.locator("summary", has_text="Hand over").click()
    look(page, "questionnaires-9-hand-over")


def test_an_answer_is_found_written_and_saved_by_keyboard(page, live_server, signed_in, desk, response):
    page.goto(f"{live_server.url}{address(response.questionnaire)}")
    page.keyboard.press("j")
    expect(page.get_by_role("link", name=response.question, exact=True)).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#pane")).to_be_visible()
    page.keyboard.press("e")
    expect(page.get_by_label("No", exact=True)).to_be_focused()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Tab")
    page.keyboard.press("End")
    page.keyboard.type("Written by keyboard. ")
    page.keyboard.press("Control+Enter")
    expect(page.locator("[data-toasts]")).to_contain_text("Saved.")
    values = desk.there(response)["answerPartsValues"]
    assert values["p1"] == "Yes"
    assert "Written by keyboard. " in values["p2"]


def test_w2_half_a_sentence_outlives_every_poll(page, live_server, signed_in, desk, response):
    page.goto(f"{live_server.url}{address(response)}")
    page.get_by_label("Explanation").fill("Half a sen")
    desk.change_there(response.questionnaire, displayName="A new name for it", updatedDate="2099-01-01T00:00:00.000Z")
    desk.set_answer(TWO_PARTS, {"p1": "Yes", "p2": "Their words."}, question="The question in other words")
    # Head and list hear of it by themselves; the answer stays as it is being written.
    expect(page.get_by_role("heading", name="A new name for it")).to_be_visible()
    expect(page.get_by_role("link", name="The question in other words")).to_be_visible()
    expect(page.get_by_label("Explanation")).to_have_value("Half a sen")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_text("Someone changed this answer")).to_be_visible()
    expect(page.get_by_label("Explanation")).to_have_value("Half a sen")
    expect(page.locator("#pane")).to_contain_text("Their words.")


def test_an_answer_is_saved_without_a_script(browser, live_server, signed_in, desk, response):
    context = browser.new_context(java_script_enabled=False)
    context.add_cookies([signed_in])
    page = context.new_page()
    page.goto(f"{live_server.url}{address(response.questionnaire)}")
    page.get_by_role("link", name=response.question, exact=True).click()
    page.get_by_label("Explanation").fill("Plain and simple.")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_text("Saved.")).to_be_visible()
    assert desk.there(response)["answerPartsValues"]["p2"] == "Plain and simple."
    context.close()


def test_an_earlier_answer_is_inserted_by_one_key(page, live_server, signed_in, desk, response):
    others = Response.objects.exclude(questionnaire=response.questionnaire).order_by("questionnaire", "position")
    other = others.exclude(pk=response.pk)[0]
    values = {"p1": "Yes", "p2": "AES-256, with keys in a hardware module."}
    desk.change_there(other, question=response.question, answerPartsSchema=TWO_PARTS, answerPartsValues=values)
    desk.fetch()
    page.goto(f"{live_server.url}{address(response.questionnaire)}")
    page.get_by_role("link", name=response.question, exact=True).click()
    expect(page.locator("#memory")).to_contain_text("Same question in")
    page.keyboard.press("i")
    expect(page.get_by_label("Explanation")).to_have_value("AES-256, with keys in a hardware module.")
    expect(page.get_by_label("Yes", exact=True)).to_be_checked()
    expect(page.locator("#answer-form input[name=earlier]")).to_have_value(str(other.pk))
    expect(page.get_by_text("Saved as a draft")).to_be_visible()
    look(page, "questionnaires-memory-desk")
    page.get_by_label("Explanation").focus()
    page.keyboard.press("Control+z")
    expect(page.get_by_label("Explanation")).to_have_value("As it was.")
    page.get_by_label("Search all earlier answers").fill("zebra")
    page.keyboard.press("Enter")
    expect(page.locator("#memory")).to_contain_text("No earlier answers match these words.")
    page.set_viewport_size(PHONE)
    page.emulate_media(color_scheme="dark")
    page.get_by_label("Search all earlier answers").fill("hardware module")
    page.keyboard.press("Enter")
    expect(page.locator("#memory")).to_contain_text("keys in a hardware module")
    page.locator("#memory").scroll_into_view_if_needed()
    look(page, "questionnaires-memory-phone")
