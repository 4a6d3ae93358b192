"""Half a sentence and everything that can happen to it: the tab, the session, the link, the keyboard, a phone."""

import pytest
from django.contrib.sessions.models import Session
from playwright.sync_api import Route, expect

from portal.questionnaires.models import Draft
from tests.questionnaires.conftest import TWO_PARTS, address
from tests.support.page_checks import look
from tests.support.polls import until

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.xdist_group("drafts-browser")]
KEPT = "Saved as a draft"


@pytest.fixture
def signed_in(page, session_cookie):
    page.context.add_cookies([session_cookie])
    return session_cookie


@pytest.fixture
def response(desk):
    return desk.set_answer(TWO_PARTS, {"p1": "No", "p2": "As it was."}, question="Do you encrypt data at rest?")


@pytest.fixture
def explanation(page, live_server, signed_in, response):
    page.goto(f"{live_server.url}{address(response)}")
    return page.get_by_label("Explanation")


def test_w2_a_closed_tab_loses_nothing(page, live_server, explanation, response, signed_in):
    explanation.press_sequentially("Half a sen")
    expect(page.get_by_text(KEPT)).to_be_visible()
    another = page.context.new_page()
    page.close()
    another.goto(f"{live_server.url}{address(response)}")
    expect(another.get_by_label("Explanation")).to_have_value("Half a senAs it was.")
    expect(another.get_by_text("Your draft is in the form")).to_be_visible()


def test_w2_a_lost_session_loses_nothing(page, live_server, explanation, response, client, alice):
    Session.objects.all().delete()
    explanation.fill("Typed after the session had ended")
    expect(page.get_by_text("It's kept in this browser")).to_be_visible()
    assert not Draft.objects.exists()
    client.force_login(alice)
    cookie = {"name": "sessionid", "value": client.cookies["sessionid"].value, "url": live_server.url}
    page.context.add_cookies([cookie])
    page.goto(f"{live_server.url}{address(response)}")
    expect(page.get_by_text("Your draft is in the form")).to_be_visible()
    expect(page.get_by_label("Explanation")).to_have_value("Typed after the session had ended")
    assert page.evaluate("localStorage.length") == 0


def test_w2_saving_without_a_session_loses_nothing(page, explanation, response):
    Session.objects.all().delete()
    explanation.fill("Typed after the session had ended")
    expect(page.get_by_text("It's kept in this browser")).to_be_visible()
    # The answer to the saving itself: a poll hears of the lost session as well.
    with page.expect_response(
        lambda answer: answer.request.redirected_from and answer.request.redirected_from.method == "POST"
    ):
        page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_role("link", name="Sign in again")).to_be_visible()
    page.wait_for_timeout(300)
    assert page.evaluate("localStorage.length") == 1
    expect(explanation).to_have_value("Typed after the session had ended")


def test_w2_what_is_typed_while_an_earlier_text_comes_back_is_not_lost(page, explanation, response):
    page.route("**/draft/", lambda route: route.abort(), times=1)
    explanation.fill("First")
    expect(page.get_by_text("It's kept in this browser")).to_be_visible()
    held: list[Route] = []
    page.route("**/draft/", lambda route: held.append(route), times=1)
    with page.expect_request("**/draft/"):
        page.reload()
    page.evaluate("window.stays = true")
    explanation.fill("First and more")
    page.wait_for_timeout(100)
    held[0].continue_()
    expect(page.get_by_text(KEPT)).to_be_visible()
    assert page.evaluate("window.stays")
    expect(explanation).to_have_value("First and more")


def test_a_draft_that_is_kept_after_its_question_was_left_waits_nowhere(page, explanation, response):
    explanation.fill("Typed, and away")
    with page.expect_response(lambda answer: answer.url.endswith("/draft/")):
        page.locator("#question-rows a.t:not([aria-current=true])").first.click()
    until(lambda: page.evaluate("localStorage.length") == 0)
    assert Draft.objects.get().typed == {"p2": "Typed, and away"}


def test_w2_back_shows_what_was_typed_there(page, explanation, response):
    page.locator("#question-rows a.t:not([aria-current=true])").first.click()
    expect(page.locator("#pane-title")).not_to_have_text(response.question)
    page.get_by_role("link", name=response.question, exact=True).click()
    explanation.fill("Typed, then somewhere else")
    expect(page.get_by_text(KEPT)).to_be_visible()
    page.locator("#question-rows a.t:not([aria-current=true])").first.click()
    expect(page.locator("#pane-title")).not_to_have_text(response.question)
    page.go_back()
    expect(page.get_by_text("Your draft is in the form")).to_be_visible()
    expect(explanation).to_have_value("Typed, then somewhere else")


def test_w2_a_link_that_comes_back_brings_the_text(page, explanation):
    page.context.set_offline(True)
    explanation.fill("Typed in a tunnel")
    expect(page.get_by_text("It's kept in this browser")).to_be_visible()
    page.context.set_offline(False)
    expect(page.get_by_text(KEPT)).to_be_visible()
    assert Draft.objects.get().typed == {"p2": "Typed in a tunnel"}
    assert page.evaluate("localStorage.length") == 0


AT_ONCE = """
    window.stays = true;
    addEventListener("htmx:afterSwap", () => {
        const area = document.querySelector("#answer-form textarea");
        area.value = "At once";
        area.dispatchEvent(new Event("input", {bubbles: true}));
    }, {once: true});
"""


def test_w2_who_types_at_once_is_not_disturbed(page, live_server, signed_in, response):
    page.goto(f"{live_server.url}{address(response.questionnaire)}")
    page.evaluate(AT_ONCE)
    page.get_by_role("link", name=response.question, exact=True).click()
    expect(page.get_by_text(KEPT)).to_be_visible()
    page.wait_for_timeout(500)
    assert page.evaluate("window.stays")
    expect(page.get_by_label("Explanation")).to_have_value("At once")


def test_a_saved_answer_leaves_no_draft_behind(page, live_server, explanation, response):
    explanation.fill("A whole sentence.")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator("[data-toasts]")).to_contain_text("Saved.")
    page.wait_for_timeout(1_500)  # longer than the pause after which a draft is sent
    assert not Draft.objects.exists()
    assert page.evaluate("localStorage.length") == 0


def test_a_draft_on_its_way_does_not_come_back_after_discarding(page, explanation, response):
    explanation.fill("First thoughts")
    expect(page.get_by_text(KEPT)).to_be_visible()
    page.reload()
    held = []
    page.route("**/draft/", lambda route: held.append(route), times=1)
    with page.expect_request("**/draft/"):
        explanation.fill("Second thoughts")
    page.get_by_role("button", name="Discard the draft").click()
    held[0].continue_()
    expect(explanation).to_have_value("As it was.")
    page.wait_for_timeout(1_500)  # longer than the pause after which a draft is sent
    expect(explanation).to_have_value("As it was.")
    assert not Draft.objects.exists()
    assert page.evaluate("localStorage.length") == 0


def test_a_text_that_waits_in_the_browser_goes_with_the_draft(page, explanation, response):
    explanation.fill("First thoughts")
    expect(page.get_by_text(KEPT)).to_be_visible()
    page.reload()
    page.route("**/draft/", lambda route: route.continue_() if "discard=" in route.request.post_data else route.abort())
    explanation.fill("Second thoughts")
    expect(page.get_by_text("It's kept in this browser")).to_be_visible()
    page.get_by_role("button", name="Discard the draft").click()
    expect(explanation).to_have_value("As it was.")
    assert not Draft.objects.exists()
    assert page.evaluate("localStorage.length") == 0


def test_every_state_of_a_draft_is_sound(page, desk, explanation, response):
    explanation.fill("We do, with AES-256 and keys in a hardware module that two people have to open.")
    expect(page.get_by_text(KEPT)).to_be_visible()
    look(page, "drafts-1-kept")
    page.reload()
    expect(page.get_by_text("Your draft is in the form")).to_be_visible()
    look(page, "drafts-2-restored")
    desk.set_answer(TWO_PARTS, {"p1": "Yes", "p2": "Their words."})
    page.reload()
    expect(page.get_by_text("This answer has changed since")).to_be_visible()
    look(page, "drafts-3-late")
    page.context.set_offline(True)
    explanation.fill("Offline")
    expect(page.get_by_text("It's kept in this browser")).to_be_visible()
    look(page, "drafts-4-waiting")
    page.context.set_offline(False)
    page.get_by_role("button", name="Discard the draft").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_label("Explanation")).to_have_value("Their words.")
    assert not Draft.objects.exists()
