"""What only a browser can show: axe, a phone's width, the keyboard, a walk without a script, a page that follows."""

import pytest
from playwright.sync_api import expect

from portal.deletion_requests import tasks
from portal.deletion_requests.models import DeletionRequest, State
from tests.deletion_requests.conftest import CALL, EMAIL, PAGE
from tests.support.page_checks import look

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.xdist_group("deletion-browser")]


def test_every_page_of_the_walk_is_sound(page, live_server, session_cookie, jane, sandbox):
    page.context.add_cookies([session_cookie])
    page.goto(f"{live_server.url}{PAGE}")
    look(page, "deletion-1-empty")
    page.get_by_role("link", name="Erase a person").click()
    expect(page.get_by_role("heading", name="Erase a person")).to_be_visible()
    look(page, "deletion-2-new")
    page.get_by_label("Email address of the person").fill(EMAIL)
    page.get_by_role("button", name="See what would be erased").click()
    page.get_by_label("Type the address again").fill("john@northwind.example")
    page.get_by_label("How the identity was checked").fill("Answered a mail to the address")
    page.get_by_role("button", name="Erase this person").click()
    expect(page.locator("[aria-invalid=true]")).to_be_visible()
    look(page, "deletion-3-mismatch")
    page.get_by_label("Type the address again").fill(EMAIL)
    page.get_by_label("Reason or ticket").fill("Ticket 4711")
    sandbox.fail("drop_answer", method="POST", path=CALL, times=1)
    page.get_by_role("button", name="Erase this person").click()
    expect(page.get_by_text("The outcome is uncertain and is being checked")).to_be_visible()
    look(page, "deletion-4-uncertain")
    tasks.sweep_deletion_requests()
    # Nobody touches the page: it hears of the outcome by itself.
    expect(page.get_by_role("heading", name="Certificate of erasure")).to_be_visible()
    look(page, "deletion-5-certificate")
    page.get_by_role("link", name="Deletion requests").last.click()
    expect(page.get_by_role("heading", name="Deletion requests", level=1)).to_be_visible()
    look(page, "deletion-6-ledger")


def test_the_walk_needs_neither_a_mouse_nor_a_script(browser, live_server, session_cookie, jane):
    context = browser.new_context(java_script_enabled=False)
    context.add_cookies([session_cookie])
    page = context.new_page()
    page.goto(f"{live_server.url}{PAGE}new/")
    page.get_by_label("Email address of the person").focus()
    page.keyboard.type(EMAIL)
    page.keyboard.press("Enter")
    page.get_by_label("Type the address again").focus()
    page.keyboard.type(EMAIL)
    page.keyboard.press("Tab")
    page.keyboard.type("Answered a mail")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Certificate of erasure")).to_be_visible()
    assert DeletionRequest.objects.get().state == State.ERASED
    assert "northwind" not in page.url.lower()
    context.close()
