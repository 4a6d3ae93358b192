"""What is said while a dialog is open: seen above it, within reach, and not lost with it."""

import pytest
from playwright.sync_api import Page, expect

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.xdist_group("look-browser")]

SAY = "(text) => document.dispatchEvent(new CustomEvent('toast', { detail: { text, tone: 'bad' } }))"


@pytest.fixture
def sending(page: Page, live_server) -> Page:
    page.goto(f"{live_server.url}/sending/")
    return page


def ask(page):
    page.get_by_role("button", name="Ask", exact=True).click()
    return page.get_by_role("dialog", name="Asked")


def toast(page, text):
    return page.locator("[data-toast]", has_text=text)


def test_a_toast_that_comes_while_a_dialog_is_open_is_above_it_and_within_reach(sending):
    dialog = ask(sending)
    dialog.get_by_label("Why").focus()
    sending.evaluate(SAY, "Refused.")
    # What comes inside of a dialog is read out; what stands beside it is not.
    expect(dialog.get_by_role("status").filter(has_text="Refused.")).to_be_visible()
    expect(dialog.get_by_label("Why")).to_be_focused()
    sending.evaluate(SAY, "Refused again.")
    # A click fails on what something else covers, or what is inert.
    toast(sending, "Refused again.").get_by_role("button", name="Dismiss").click()
    expect(toast(sending, "Refused again.")).to_have_count(0)
    expect(dialog).to_be_visible()
    sending.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    expect(toast(sending, "Refused.")).to_be_visible()
    toast(sending, "Refused.").get_by_role("button", name="Dismiss").click()
    expect(toast(sending, "Refused.")).to_have_count(0)


def test_a_toast_that_stands_there_comes_above_a_dialog_that_opens(sending):
    sending.evaluate(SAY, "Refused.")
    dialog = ask(sending)
    toast(sending, "Refused.").get_by_role("button", name="Dismiss").click()
    expect(toast(sending, "Refused.")).to_have_count(0)
    expect(dialog).to_be_visible()


def test_a_toast_outlives_the_dialog_that_its_answer_replaces(sending):
    sending.get_by_role("button", name="Leave", exact=True).click()
    dialog = sending.get_by_role("dialog", name="Leaving")
    dialog.get_by_role("button", name="Really").click()
    expect(sending.locator("#left")).to_have_text("Left")
    expect(dialog).to_have_count(0)
    expect(toast(sending, "It is done.")).to_be_visible()


def test_a_lost_session_is_told_above_an_open_dialog(sending):
    sending.context.add_cookies([{"name": "signed_out", "value": "1", "url": sending.url.removesuffix("sending/")}])
    dialog = ask(sending)
    dialog.get_by_label("Why").fill("Because")
    dialog.get_by_role("button", name="Yes").click()
    expect(dialog.get_by_role("link", name="Sign in again")).to_be_visible()
    dialog.get_by_role("link", name="Sign in again").click(trial=True)
