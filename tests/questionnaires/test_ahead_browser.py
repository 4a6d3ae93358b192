"""Save and next shows the next question at once and saves behind it: whatever becomes of the save, no text is lost."""

import time

import pytest
from playwright.sync_api import expect

from portal.connections.models import CallWindow
from portal.questionnaires.models import Draft, Response
from tests.questionnaires.conftest import address
from tests.support.polls import until

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.xdist_group("workspace-browser")]
ONE_PART = {"type": "object", "properties": {"p1": {"type": "string", "title": "Answer"}}}
DELAY = 2
SHOWN_AFTER = """() => {
    let began = 0;
    addEventListener("keydown", () => (began = performance.now()), true);
    new MutationObserver(() => (window.shownAfter ??= performance.now() - began))
        .observe(document.getElementById("main"), {childList: true});
}"""


@pytest.fixture
def rows(desk):
    """The questions of one questionnaire, none of them answered."""
    for number, row in enumerate(Response.objects.filter(questionnaire=desk.questionnaire).order_by("position")):
        question = f"Question number {number}?"
        unanswered = {"answerPartsSchema": ONE_PART, "answerPartsValues": {"p1": None}, "isPendingAnswerGeneration": False}
        desk.change_there(row, question=question, **unanswered)
    desk.fetch()
    return list(Response.objects.filter(questionnaire=desk.questionnaire).select_related("questionnaire").order_by("position"))


@pytest.fixture
def workspace(page, live_server, session_cookie, rows):
    page.context.add_cookies([session_cookie])

    def open_question(number):
        with page.expect_response(lambda response: address(rows[(number + 1) % len(rows)]) in response.url):
            page.goto(f"{live_server.url}{address(rows[number])}")
        expect(page.get_by_label("Answer", exact=True)).to_be_visible()
        return page

    return open_question


def there(desk, row):
    return desk.there(row)["answerPartsValues"]["p1"]


def answer_open(page, text):
    page.get_by_label("Answer", exact=True).fill(text)
    page.keyboard.press("Control+Enter")


def test_the_next_question_is_on_screen_before_the_save_has_ended(workspace, desk, rows, wire):
    ended = []

    def be_late():
        time.sleep(DELAY)
        ended.append(True)

    page = workspace(0)
    page.evaluate(SHOWN_AFTER)
    wire.before_write = be_late
    answer_open(page, "Typed.")
    expect(page.locator("#pane-title")).to_have_text(rows[1].question)
    expect(page.get_by_label("Answer", exact=True)).to_be_focused()
    page.keyboard.type("And on.")
    assert not ended
    print("the next question was shown after", page.evaluate("Math.round(window.shownAfter)"), "ms")
    expect(page.locator("#toasts .good")).to_have_count(1)
    assert ended
    assert there(desk, rows[0]) == "Typed."
    expect(page.get_by_label("Answer", exact=True)).to_have_value("And on.")
    page.go_back()
    expect(page.locator("#pane-title")).to_have_text(rows[0].question)
    expect(page.get_by_label("Answer", exact=True)).to_have_value("Typed.")
    page.goto("about:blank")


def test_a_save_that_is_refused_behind_the_next_question_loses_nothing(workspace, desk, rows, sandbox):
    for number, fault in enumerate(({"kind": "status", "value": 409}, {"kind": "status", "value": 403}, {"kind": "html"})):
        page, row = workspace(number), rows[number]
        sandbox.fail(fault["kind"], **{key: value for key, value in fault.items() if key != "kind"}, method="PATCH")
        answer_open(page, f"Typed {number}.")
        expect(page.locator("#pane-title")).to_have_text(rows[number + 1].question)
        told = page.locator("#toasts .bad", has_text=row.question)
        expect(told).to_have_count(1)
        assert not there(desk, row)
        sandbox.control("DELETE", "/faults")
        CallWindow.objects.all().delete()
        told.get_by_role("link").click()
        expect(page.locator("#pane-title")).to_have_text(row.question)
        expect(page.get_by_label("Answer", exact=True)).to_have_value(f"Typed {number}.")


def test_a_text_that_never_reached_the_portal_is_brought_back(workspace, desk, rows):
    page = workspace(0)
    page.route(f"**{address(rows[0])}", lambda route: route.abort() if route.request.method == "POST" else route.continue_())
    page.route("**/draft/", lambda route: route.abort())
    answer_open(page, "Typed.")
    expect(page.locator("#pane-title")).to_have_text(rows[1].question)
    page.unroute_all()
    page.locator("#toasts .bad").get_by_role("link").click()
    expect(page.locator("#pane-title")).to_have_text(rows[0].question)
    expect(page.get_by_label("Answer", exact=True)).to_have_value("Typed.")
    page.keyboard.press("e")
    page.keyboard.press("Control+Enter")
    expect(page.locator("#toasts .good")).to_have_count(1)
    assert there(desk, rows[0]) == "Typed."
    expect(page.locator("#pane-title")).to_have_text(rows[1].question)
    until(lambda: not Draft.objects.exists(), what="the end of the draft")
    page.goto("about:blank")
