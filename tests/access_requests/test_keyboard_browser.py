"""Deciding by key: what is decided is what is open, and the pane's foot is always in sight."""

import time

import pytest
from playwright.sync_api import expect

from portal.access_requests.models import AccessRequest, Decision
from tests.access_requests.conftest import PAGE, address
from tests.support.panes import SIZES, check_foot

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.xdist_group("access-keyboard-browser")]

SLOW = 0.6
LONGER_THAN_A_POLL = 7


@pytest.fixture
def rows(desk):
    for _ in range(14 - AccessRequest.objects.pending().count()):
        desk.happen("received")
    desk.fetch()
    return list(AccessRequest.objects.pending().order_by("created_at", "id"))


@pytest.fixture
def workspace(page, live_server, session_cookie, rows):
    """Open a request (by its number) with a signed-in person; no page may complain on its console but as `expected`."""
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.context.add_cookies([session_cookie])

    def open_request(number):
        page.goto(f"{live_server.url}{address(rows[number])}")
        expect_open(page, rows[number])
        return page

    open_request.expected = None
    yield open_request
    assert [text for text in complaints if open_request.expected is None or open_request.expected not in text] == []


def expect_open(page, row):
    """The pane and the only marked row show this request, and no other row has the focus."""
    expect(page.locator(f"#access-request form[action*='{row.platform_id}/approve']")).to_be_attached()
    expect(page.locator("#access-requests tr.on")).to_have_count(1)
    expect(page.locator(f"#access-requests tr.on a.t[href*='{row.platform_id}']")).to_have_attribute("aria-current", "true")
    expect(page.locator("#access-requests tbody :focus")).to_have_count(0)


def deny(page):
    """Deny the open request by key, with one of the reasons that are offered."""
    page.keyboard.press("d")
    expect(page.locator("#deny-form select")).to_be_focused()
    page.locator("#deny-form select").select_option(index=1)
    page.keyboard.press("Control+Enter")


def test_r2_a_form_that_comes_back_has_the_focus_where_something_is_wrong(workspace, rows):
    page = workspace(1)
    workspace.expected = "422"
    page.keyboard.press("d")
    expect(page.locator("#deny-form select:focus")).to_have_count(1)
    page.keyboard.press("Control+Enter")
    expect(page.locator("#deny-form [aria-invalid=true]")).to_be_focused()
    expect_open(page, rows[1])
    assert not Decision.objects.exists()


def test_r2_j_and_k_open_the_next_and_the_previous_request_and_a_key_decides_the_open_one(workspace, rows):
    page = workspace(1)
    page.keyboard.press("j")
    expect_open(page, rows[2])
    page.keyboard.press("j")
    expect_open(page, rows[3])
    page.keyboard.press("k")
    expect_open(page, rows[2])
    deny(page)
    expect(page.locator("#pane-title")).to_be_focused()
    expect_open(page, rows[3])
    assert list(Decision.objects.values_list("access_request", "verb")) == [(rows[2].pk, "deny")]


def test_r2_a_decision_never_reaches_a_request_that_is_not_seen_yet(workspace, page, rows):
    page = workspace(1)

    def wait(route):
        time.sleep(SLOW)
        route.continue_()

    page.route(f"**{address(rows[2])}**", wait)
    page.keyboard.press("j")
    # Meant for what is still to be seen: it neither decides that nor what comes.
    page.keyboard.press("d")
    page.keyboard.press("Control+Enter")
    expect_open(page, rows[2])
    expect(page.locator("#access-request form :focus")).to_have_count(0)
    assert not Decision.objects.exists()


def test_r2_a_poll_in_the_middle_of_a_decision_takes_no_key_away(workspace, page, rows):
    page = workspace(0)

    def answer_late(route):
        response = route.fetch()
        time.sleep(LONGER_THAN_A_POLL)
        route.fulfill(response=response)

    page.route("**/deny/", answer_late, times=1)
    deny(page)
    expect(page.locator("#pane-title")).to_have_text(str(rows[1]))
    expect_open(page, rows[1])
    page.keyboard.press("d")
    expect(page.locator("#deny-form select")).to_be_focused()


def test_r2_x_selects_the_open_request(workspace, rows):
    page = workspace(1)
    page.keyboard.press("x")
    expect(page.locator("#access-requests tr.on .pick input")).to_be_checked()


def test_r2_the_foot_of_a_request_is_in_sight_wherever_the_page_stands(workspace, desk, rows):
    desk.change_there(rows[0], reason="A long reason. " * 200)
    desk.fetch()
    page = workspace(0)
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        check_foot(page)


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_r2_the_foot_stays_in_sight_under_the_banner_of_what_was_decided(workspace, rows, width, height):
    page = workspace(0)
    page.set_viewport_size({"width": width, "height": height})
    for number in range(3):
        deny(page)
        expect_open(page, rows[number + 1])
    check_foot(page)


def test_every_request_can_be_opened_from_the_list_by_key(workspace, live_server, rows):
    page = workspace(0)
    page.goto(f"{live_server.url}{PAGE}")
    page.keyboard.press("j")
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    expect_open(page, rows[1])
