"""Answering by mouse and by key: what is edited is what is open, and what is there at the platform afterwards."""

import time
from contextlib import suppress
from itertools import pairwise

import pytest
from playwright.sync_api import Error, Route, expect

from portal.questionnaires.models import Draft, Response
from tests.questionnaires.conftest import TWO_PARTS, address
from tests.support.panes import SIZES, check_foot
from tests.support.polls import until

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.xdist_group("keyboard-browser")]

ONE_PART = {"type": "object", "properties": {"p1": {"type": "string", "title": "Answer"}}}
UNANSWERED = (3, 5, 8)
SLOW = 0.6
FETCHED = "path => performance.getEntriesByType('resource').some(each => each.name.endsWith(path))"


@pytest.fixture
def platform_tenant(sandbox):
    return sandbox.create_tenant(questionnaires=4, responses_per_questionnaire=12)


@pytest.fixture
def rows(desk):
    """The questions of one questionnaire, all finished but three."""
    rows = list(Response.objects.filter(questionnaire=desk.questionnaire).select_related("questionnaire").order_by("position"))
    for number, row in enumerate(rows):
        values = {"p1": None if number in UNANSWERED else f"Finished {number}."}
        question = f"Question number {number}?"
        pending = {"isPendingAnswerGeneration": False}
        desk.change_there(row, question=question, answerPartsSchema=ONE_PART, answerPartsValues=values, **pending)
    desk.fetch()
    return list(Response.objects.filter(questionnaire=desk.questionnaire).select_related("questionnaire").order_by("position"))


@pytest.fixture
def workspace(page, live_server, session_cookie, rows):
    """Open a question (by its number) with a signed-in person; no page may complain on its console but as `expected`."""
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.context.add_cookies([session_cookie])

    def open_question(number, query=""):
        page.goto(f"{live_server.url}{address(rows[number])}{query}")
        return page

    open_question.expected = ()
    yield open_question
    assert [text for text in complaints if not any(words in text for words in open_question.expected)] == []


def answers(desk, rows):
    """What the platform holds, question by question."""
    return [desk.there(row)["answerPartsValues"]["p1"] for row in rows]


def expect_answers(desk, rows, expected):
    """What was saved behind the next question reaches the platform a moment after that is shown."""
    until = time.monotonic() + 15
    while answers(desk, rows) != expected and time.monotonic() < until:
        time.sleep(0.05)
    assert answers(desk, rows) == expected


def as_it_was(**changes):
    texts = [None if number in UNANSWERED else f"Finished {number}." for number in range(12)]
    for number, text in changes.items():
        texts[int(number[1:])] = text
    return texts


def expect_open(page, row):
    """The pane and the only marked row show this question, and no other row has the focus."""
    expect(page.locator("#pane-title")).to_have_text(row.question)
    expect(page.locator("#questions tbody tr.on")).to_have_count(1)
    expect(page.locator("#questions a[aria-current]:is(.t)")).to_have_text(row.question)
    expect(page.locator("#questions tbody :focus")).to_have_count(0)


def look_not_ahead(page, workspace, rows):
    """Open the first unanswered question without the next one being fetched ahead of its time."""
    workspace.expected = ("ERR_FAILED",)
    page.route(f"**{address(rows[UNANSWERED[1]])}", lambda route: route.abort())
    with page.expect_event("requestfailed"):
        workspace(UNANSWERED[0])
    page.unroute_all()


def slow_down(page, rows, method):
    """Let the answers of a questionnaire's pages come late."""

    def wait(route):
        if route.request.method == method and "/draft/" not in route.request.url:
            time.sleep(SLOW)
        route.continue_()

    page.route(f"**{address(rows[0].questionnaire)}**", wait)


def test_whoever_chooses_in_a_menu_is_back_at_what_opened_it(workspace, rows):
    page = workspace(0)
    page.keyboard.press("t")
    page.keyboard.press("Enter")
    expect(page.locator("#toasts .good")).to_have_count(1)
    expect(page.locator("#summary summary[data-key=t]")).to_be_focused()


def test_of_two_rows_that_are_clicked_the_last_one_is_open(workspace, rows):
    page = workspace(0)
    # What is given up is told to the console.
    workspace.expected = ("htmx:afterRequest", "htmx:sendAbort")
    held: list[Route] = []
    page.route(f"**{address(rows[1])}", lambda route: held.append(route), times=1)
    for row in rows[1:3]:
        page.get_by_role("link", name=row.question, exact=True).click()
    expect_open(page, rows[2])
    with suppress(Error):
        held[0].continue_()
    page.wait_for_timeout(500)
    expect_open(page, rows[2])
    assert page.url.endswith(address(rows[2]))


def test_w2_whoever_clicks_on_hears_what_became_of_the_save(workspace, desk, rows):
    page = workspace(UNANSWERED[0])
    held: list[Route] = []
    page.route("**/responses/**", lambda route: held.append(route) if route.request.method == "POST" else route.continue_())
    page.get_by_label("Answer", exact=True).fill("Typed.")
    with page.expect_request(lambda request: request.method == "POST" and "/draft/" not in request.url):
        page.get_by_role("button", name="Save", exact=True).click()
    page.get_by_role("link", name=rows[1].question, exact=True).click()
    page.wait_for_timeout(300)
    for route in held:
        route.continue_()
    expect(page.locator("[data-toasts]")).to_contain_text("Saved.")
    expect(page.locator("#pane-title")).to_have_text(rows[UNANSWERED[0]].question)


def test_r2_two_keys_a_question_and_the_next_unanswered_is_ready_to_type(workspace, desk, rows):
    page = workspace(UNANSWERED[0])
    page.keyboard.press("e")
    for number in UNANSWERED:
        expect_open(page, rows[number])
        expect(page.get_by_label("Answer", exact=True)).to_be_focused()
        page.keyboard.type(f"Typed {number}.")
        page.keyboard.press("Control+Enter")
    expect(page.locator("[data-toasts]")).to_contain_text("No other questions are unanswered.")
    expect_open(page, rows[UNANSWERED[-1]])
    expect_answers(desk, rows, as_it_was(_3="Typed 3.", _5="Typed 5.", _8="Typed 8."))
    until(lambda: not Draft.objects.exists(), what="the end of the drafts")


def test_r2_the_last_question_is_the_last_however_late_the_one_before_is_saved(page, workspace, desk, rows):
    """The portal looks for the next one: while the other save is on its way, that question is one without an answer."""
    held = []
    last = address(rows[UNANSWERED[-1]])
    page.route(
        f"**{address(rows[UNANSWERED[1]])}",
        lambda route: held.append(route) if route.request.method == "POST" else route.continue_(),
    )
    asked = []

    def note(request):
        if request.method == "POST" and request.url.endswith(last):
            asked.append(request.url)

    page.on("request", note)
    workspace(UNANSWERED[0])
    page.keyboard.press("e")
    for number, following in pairwise([*UNANSWERED, None]):
        expect_open(page, rows[number])
        expect(page.get_by_label("Answer", exact=True)).to_be_focused()
        page.keyboard.type(f"Typed {number}.")
        # On a slow machine whoever types so quickly is ahead of what is fetched ahead, and waits for the save.
        if following:
            page.wait_for_function(FETCHED, arg=address(rows[following]))
        page.keyboard.press("Control+Enter")
    until(lambda: held, what="the save that is slow")
    page.wait_for_timeout(SLOW * 1000)
    page.keyboard.press("Control+Enter")
    assert asked == []
    held[0].continue_()
    expect(page.locator("[data-toasts]")).to_contain_text("No other questions are unanswered.")
    expect_open(page, rows[UNANSWERED[-1]])
    expect_answers(desk, rows, as_it_was(_3="Typed 3.", _5="Typed 5.", _8="Typed 8."))
    assert len(asked) == 1


PRESS_AGAIN = """() => document.addEventListener("step-end", () => document.activeElement.dispatchEvent(
    new KeyboardEvent("keydown", {key: "Enter", ctrlKey: true, bubbles: true, cancelable: true})), {once: true})"""


def test_r2_two_presses_where_one_was_meant_save_no_question_that_nobody_has_read(workspace, desk, rows):
    page = workspace(UNANSWERED[0])
    page.evaluate(PRESS_AGAIN)
    page.keyboard.press("e")
    page.keyboard.type("Typed 3.")
    page.keyboard.press("Control+Enter")
    expect_open(page, rows[UNANSWERED[1]])
    expect(page.get_by_label("Answer", exact=True)).to_be_focused()
    page.keyboard.type("Typed 5.")
    page.keyboard.press("Control+Enter")
    expect_open(page, rows[UNANSWERED[2]])
    expect_answers(desk, rows, as_it_was(_3="Typed 3.", _5="Typed 5."))


def test_r2_save_and_next_goes_on_by_mouse_and_save_stays(workspace, desk, rows):
    page = workspace(UNANSWERED[0])
    page.get_by_label("Answer", exact=True).fill("By mouse.")
    page.get_by_role("button", name="Save and next").click()
    expect_open(page, rows[UNANSWERED[1]])
    expect(page.get_by_label("Answer", exact=True)).to_be_focused()
    page.keyboard.type("And here.")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator("#pane header .badge")).to_have_text("Answered")
    expect_open(page, rows[UNANSWERED[1]])
    expect_answers(desk, rows, as_it_was(_3="By mouse.", _5="And here."))


def test_r2_what_is_edited_after_moving_is_what_is_marked(workspace, desk, rows):
    """Save, leave the field, move on, edit: once the finished answer that stood open was written over."""
    page = workspace(UNANSWERED[0])
    page.keyboard.press("e")
    page.keyboard.type("Typed.")
    page.keyboard.press("Control+Enter")
    expect_open(page, rows[5])
    page.keyboard.press("Escape")
    expect(page.locator("#pane :focus")).to_have_count(0)
    page.keyboard.press("j")
    expect_open(page, rows[6])
    page.keyboard.press("k")
    expect_open(page, rows[5])
    page.keyboard.press("j")
    expect_open(page, rows[6])
    page.keyboard.press("j")
    expect_open(page, rows[7])
    page.keyboard.press("e")
    page.keyboard.press("End")
    page.keyboard.type(" And more.")
    page.keyboard.press("Control+Enter")
    expect_open(page, rows[8])
    expect_answers(desk, rows, as_it_was(_3="Typed.", _7="Finished 7. And more."))


def test_r2_keys_that_come_before_the_page_wait_for_the_question_they_mean(workspace, desk, rows):
    page = workspace(0)
    slow_down(page, rows, "GET")
    for key in "jje":
        page.keyboard.press(key)
    expect_open(page, rows[2])
    expect(page.get_by_label("Answer", exact=True)).to_be_focused()
    page.keyboard.press("End")
    page.keyboard.type(" More.")
    page.keyboard.press("Control+Enter")
    expect_open(page, rows[3])
    expect_answers(desk, rows, as_it_was(_2="Finished 2. More."))


def test_r2_what_is_typed_while_a_save_is_on_its_way_reaches_no_answer(page, workspace, desk, rows):
    look_not_ahead(page, workspace, rows)
    slow_down(page, rows, "POST")
    page.keyboard.press("e")
    page.keyboard.type("Typed.")
    page.keyboard.press("Control+Enter")
    page.keyboard.type("aotx too early")
    expect_open(page, rows[UNANSWERED[1]])
    expect(page.locator("details[open]")).to_have_count(0)
    expect(page.get_by_label("Answer", exact=True)).to_have_value("")
    page.wait_for_timeout(1_500)  # longer than the pause after which a draft is sent
    expect_answers(desk, rows, as_it_was(_3="Typed."))
    assert not Draft.objects.exists()


def test_r2_a_save_that_did_not_get_through_leaves_the_text_and_the_field(page, workspace, desk, rows):
    look_not_ahead(page, workspace, rows)
    page.route(f"**{address(rows[3])}", lambda route: route.abort() if route.request.method == "POST" else route.continue_())
    page.keyboard.press("e")
    page.keyboard.type("Typed.")
    workspace.expected = ("ERR_FAILED", "htmx:afterRequest", "htmx:sendError")
    page.keyboard.press("Control+Enter")
    expect(page.locator("[data-toasts]")).to_contain_text("can't be reached")
    field = page.get_by_label("Answer", exact=True)
    expect(field).to_have_value("Typed.")
    expect(field).to_be_focused()
    page.unroute_all()
    page.keyboard.press("Control+Enter")
    expect_open(page, rows[UNANSWERED[1]])
    expect_answers(desk, rows, as_it_was(_3="Typed."))


def test_r2_escape_leaves_the_field_and_then_the_question_for_its_row(workspace, rows):
    page = workspace(4)
    page.keyboard.press("e")
    page.keyboard.press("Escape")
    expect_open(page, rows[4])
    page.keyboard.press("Escape")
    expect(page.locator("#pane")).to_have_count(0)
    expect(page.get_by_role("link", name=rows[4].question, exact=True)).to_be_focused()
    page.keyboard.press("k")
    expect(page.get_by_role("link", name=rows[3].question, exact=True)).to_be_focused()
    page.keyboard.press("Enter")
    expect_open(page, rows[3])
    expect(page.locator("#pane-title")).to_be_focused()


def test_r2_a_letter_on_a_choice_chooses_and_is_no_key_of_the_page(workspace, desk, rows):
    values = {"p1": None, "p2": None}
    desk.change_there(rows[3], answerPartsSchema=TWO_PARTS, answerPartsValues=values)
    desk.fetch()
    page = workspace(3)
    page.keyboard.press("e")
    expect(page.get_by_label("Not answered")).to_be_focused()
    page.keyboard.type("Aotj")
    expect(page.locator("details[open]")).to_have_count(0)
    expect_open(page, rows[3])
    page.keyboard.press("y")
    expect(page.get_by_label("Yes", exact=True)).to_be_focused()
    expect(page.get_by_label("Yes", exact=True)).to_be_checked()
    page.keyboard.press("Escape")
    expect_open(page, rows[3])
    page.keyboard.press("e")
    page.keyboard.press("Control+Enter")
    expect_open(page, rows[5])
    expect(page.locator("#toasts .good")).to_have_count(1)
    assert desk.there(rows[3])["answerPartsValues"]["p1"] == "Yes"


def test_r2_moving_stays_within_the_filtered_list(workspace, rows):
    page = workspace(UNANSWERED[0], "?show=unanswered")
    page.keyboard.press("j")
    expect_open(page, rows[UNANSWERED[1]])
    page.keyboard.press("j")
    expect_open(page, rows[UNANSWERED[2]])
    page.keyboard.press("j")
    expect_open(page, rows[UNANSWERED[2]])
    page.keyboard.press("k")
    expect_open(page, rows[UNANSWERED[1]])


def test_r2_control_and_enter_send_the_approval_that_a_key_opened(workspace, desk, rows):
    page = workspace(0)
    page.keyboard.press("A")
    expect(page.locator("#summary form[action$='/approve/'] :focus")).to_have_count(1)
    page.keyboard.press("Control+Enter")
    expect(page.locator("#summary .head .badge").first).to_have_text("Approved")
    assert desk.there(rows[0].questionnaire)["status"] == "APPROVED"


def test_r2_control_and_enter_hand_over_what_a_key_opened(workspace, desk, rows):
    page = workspace(0)
    page.keyboard.press("h")
    expect(page.locator("#summary .form-actions button[value=READY_FOR_REVIEW]")).to_be_focused()
    page.keyboard.press("Control+Enter")
    expect(page.locator("#summary .head .badge").first).to_have_text("Ready for review")
    assert desk.there(rows[0].questionnaire)["status"] == "READY_FOR_REVIEW"


def test_r2_the_foot_of_a_question_is_in_sight_wherever_the_page_stands(workspace, desk, rows):
    for row in rows[:2]:
        desk.change_there(row, answerPartsValues={"p1": "A long answer. " * 400})
    desk.fetch()
    for width, height in SIZES:
        page = workspace(0)
        page.set_viewport_size({"width": width, "height": height})
        expect(page.locator("#memory")).to_be_attached()
        check_foot(page)
        # The next one opens while the page is scrolled down.
        page.keyboard.press("j")
        expect_open(page, rows[1])
        check_foot(page)


def test_the_foot_is_in_sight_without_a_script(browser, live_server, session_cookie, desk, rows):
    context = browser.new_context(java_script_enabled=False, viewport={"width": 1440, "height": 900})
    context.add_cookies([session_cookie])
    page = context.new_page()
    page.goto(f"{live_server.url}{address(rows[UNANSWERED[0]])}")
    foot = page.locator("#pane > footer").bounding_box()
    assert foot["y"] + foot["height"] <= 900
    page.get_by_label("Answer", exact=True).fill("Plain.")
    page.get_by_role("button", name="Save and next").click()
    expect(page.locator("#pane-title")).to_have_text(rows[UNANSWERED[1]].question)
    expect_answers(desk, rows, as_it_was(_3="Plain."))
    context.close()
