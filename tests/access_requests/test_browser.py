"""What only a browser can show: axe, a phone's width, the keyboard, a walk without a script, a pane that follows by itself."""

import pytest
from playwright.sync_api import expect

from portal.access_requests.models import AccessRequest, Outcome
from tests.access_requests.conftest import PAGE, address
from tests.support.looking import DESK, PHONE, look

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.xdist_group("access-browser")]


@pytest.mark.parametrize(("size", "theme"), [(DESK, "light"), (PHONE, "dark")], ids=["desk-light", "phone-dark"])
def test_every_page_of_the_desk_is_sound(page, live_server, session_cookie, desk, sandbox, size, theme, request):
    page.set_viewport_size(size)
    page.emulate_media(color_scheme=theme, reduced_motion="reduce")
    page.context.add_cookies([session_cookie])
    name = request.node.callspec.id
    row = desk.waiting
    page.goto(f"{live_server.url}{PAGE}")
    look(page, f"access-{name}-1-list")
    page.goto(f"{live_server.url}{PAGE}?tab=all")
    look(page, f"access-{name}-2-all")
    page.goto(f"{live_server.url}{PAGE}")
    page.get_by_role("link", name=str(row), exact=True).click()
    expect(page.get_by_role("heading", name=str(row))).to_be_visible()
    look(page, f"access-{name}-3-pane")
    page.get_by_label("Chosen documents").check()
    page.get_by_label("Access ends").select_option("date")
    page.get_by_role("button", name="Approve").click()
    expect(page.get_by_text("Say on which day.")).to_be_visible()
    page.get_by_text("Say on which day.").scroll_into_view_if_needed()
    look(page, f"access-{name}-4-wrong")
    page.get_by_role("link", name="Deny…").click()
    expect(page.get_by_label("Your words")).to_be_visible()
    look(page, f"access-{name}-5-deny")
    sandbox.fail("drop_answer", method="POST", path="/v1/trust-centers/*", times=1)
    sandbox.fail("status", method="GET", path="/v1/trust-centers", value=503)
    page.get_by_label("Your words").fill("Please use your business address.")
    page.get_by_role("button", name="Deny the request").click()
    expect(page.get_by_text("We could not confirm it and are checking")).to_be_visible()
    look(page, f"access-{name}-6-checking")
    sandbox.control("DELETE", "/faults")
    desk.drain()
    # Nobody touches the page: it hears of the outcome by itself.
    expect(page.get_by_text("Denied by")).to_be_visible(timeout=15_000)
    look(page, f"access-{name}-7-denied")
    page.goto(f"{live_server.url}{PAGE}viewers/?tab=all")
    look(page, f"access-{name}-8-viewers")


def test_search_pane_and_back_keep_the_place(page, live_server, session_cookie, desk):
    row = desk.waiting
    page.context.add_cookies([session_cookie])
    page.goto(f"{live_server.url}{PAGE}")
    page.get_by_role("link", name=str(row), exact=True).click()
    expect(page).to_have_url(f"{live_server.url}{address(row)}")
    page.get_by_role("searchbox", name="Search name, address or company").fill(row.domain)
    expect(page).to_have_url(f"{live_server.url}{address(row)}?q={row.domain}&level=")
    page.get_by_role("link", name="Back to the list").click()
    expect(page).to_have_url(f"{live_server.url}{PAGE}?q={row.domain}&level=")
    expect(page.locator(".pane")).to_have_count(0)
    page.go_back()
    expect(page.locator(".pane")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(page.locator(".pane")).to_have_count(0)


def test_a_request_is_decided_without_a_mouse_and_without_a_script(browser, live_server, session_cookie, desk):
    row = desk.waiting
    context = browser.new_context(java_script_enabled=False)
    context.add_cookies([session_cookie])
    page = context.new_page()
    page.goto(f"{live_server.url}{PAGE}")
    page.get_by_role("link", name=str(row), exact=True).focus()
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Approve").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_text("Approved by")).to_be_visible()
    assert AccessRequest.objects.get(pk=row.pk).outcome == Outcome.APPROVED
    context.close()
