"""The workspace as a person sees it: three columns of the window's height, and what stands in them without scrolling."""

import os
from pathlib import Path

import pytest
from playwright.sync_api import expect

from portal.questionnaires.models import ExpertLink, Response
from tests.questionnaires.conftest import TWO_PARTS, address

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.xdist_group("workspace-browser")]
BOX = "element => { const {left, right, top, bottom} = element.getBoundingClientRect(); return [left, right, top, bottom] }"


@pytest.fixture
def platform_tenant(sandbox):
    return sandbox.create_tenant(questionnaires=6, responses_per_questionnaire=60)


@pytest.fixture
def rows(desk):
    """The questions of one questionnaire; the first was answered before elsewhere, the last three are unanswered."""
    rows = list(Response.objects.filter(questionnaire=desk.questionnaire).order_by("position"))
    values = {"p1": "Yes", "p2": "AES-256, with keys in a hardware module. " * 4}
    for number, row in enumerate(rows):
        given = values if number < 57 else {"p1": None, "p2": None}
        words = {"question": f"Do you encrypt data of kind {number} at rest, and who may read the keys?"}
        desk.change_there(row, **words, answerPartsSchema=TWO_PARTS, answerPartsValues=given, isPendingAnswerGeneration=False)
    other = Response.objects.exclude(questionnaire=desk.questionnaire).order_by("questionnaire", "position")[0]
    words = {"question": "Do you encrypt data of kind 58 at rest, and who may read the keys?"}
    desk.change_there(other, **words, answerPartsSchema=TWO_PARTS, answerPartsValues=values)
    desk.fetch()
    return list(Response.objects.filter(questionnaire=desk.questionnaire).select_related("questionnaire").order_by("position"))


@pytest.fixture
def workspace(page, live_server, session_cookie, rows):
    page.context.add_cookies([session_cookie])

    def open_question(number, query=""):
        page.goto(f"{live_server.url}{address(rows[number])}{query}")
        return page

    return open_question


def box(page, selector):
    return dict(zip(("left", "right", "top", "bottom"), page.locator(selector).first.evaluate(BOX), strict=True))


def test_every_column_has_its_place_and_the_first_suggestion_is_in_sight(workspace):
    page = workspace(58)
    for width, height in ((1440, 900), (1280, 720), (1920, 1080), (768, 1024), (390, 844)):
        page.set_viewport_size({"width": width, "height": height})
        expect(page.locator("#memory [data-insert]").first).to_be_visible()
        page.evaluate("document.activeElement.blur()")
        if folder := os.environ.get("SHOTS"):
            page.screenshot(path=Path(folder) / f"workspace-{width}.png")
        questions, answer, said = box(page, "#desk > .card"), box(page, "#answer-form"), box(page, "#memory")
        if width < 761:
            assert box(page, "#pane > footer")["bottom"] <= height
            continue
        assert questions["top"] <= (130 if width > 1180 else 240), width
        assert questions["right"] <= answer["left"], width
        assert page.evaluate("document.documentElement.scrollHeight <= innerHeight"), width
        foot = box(page, "#pane > footer")
        assert foot["bottom"] <= height, width
        if width >= 1280:
            assert answer["right"] <= said["left"], width
            assert box(page, "#memory [data-insert]")["bottom"] <= height, width
        else:
            assert said["top"] >= answer["bottom"], width


def test_somebody_is_asked_over_the_workspace_and_nothing_in_it_moves(workspace, rows):
    page = workspace(58, "?q=kind")
    page.get_by_label("Explanation").fill("Half a sen")
    page.locator("#pane-title").click()
    page.keyboard.press("q")
    page.locator("#ask-dialog #expert-email").fill("expert@vendor.test")
    if folder := os.environ.get("SHOTS"):
        page.screenshot(path=Path(folder) / "workspace-ask.png")
    page.keyboard.press("Control+Enter")
    expect(page.locator("#toasts .good")).to_have_count(1)
    expect(page.locator("#ask-dialog")).to_have_count(0)
    expect(page.locator("#asked")).to_contain_text("expert@vendor.test")
    expect(page.get_by_label("Explanation")).to_have_value("Half a sen")
    assert page.url.endswith("?q=kind")
    page.keyboard.press("C")
    expect(page.locator("#comment-form textarea")).to_be_focused()
    page.keyboard.type("Please look.")
    page.keyboard.press("Control+Enter")
    expect(page.locator("#comments-list")).to_contain_text("Please look.")


def test_a_dialog_that_was_given_up_does_not_come_back_over_the_next_question(workspace, rows):
    page = workspace(58)
    page.locator("#pane-title").click()
    page.keyboard.press("q")
    expect(page.locator("#ask-dialog")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#ask-dialog[open]")).to_have_count(0)
    before = page.url
    page.keyboard.press("k")
    expect(page).not_to_have_url(before)
    expect(page.locator("#ask-dialog[open]")).to_have_count(0)


def test_the_chosen_questions_are_put_to_somebody_without_leaving_their_list(workspace, rows, live_server, page):
    page = workspace(0)
    page.goto(f"{live_server.url}{address(rows[0].questionnaire)}?show=unanswered")
    page.locator("#question-rows .pick input").nth(1).check()
    page.locator(".bulk button").first.click()
    page.locator("#ask-dialog #expert-email").fill("expert@vendor.test")
    page.keyboard.press("Enter")
    expect(page.locator("#toasts .good")).to_have_count(1)
    assert page.url.endswith("?show=unanswered")
    assert len(ExpertLink.objects.all()) == 1
