"""What a form sends: the button that was pressed, wherever it stands, by mouse and by key."""

import pytest
from playwright.sync_api import Page, expect

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.xdist_group("look-browser")]


@pytest.fixture
def sending(page: Page, live_server) -> Page:
    page.goto(f"{live_server.url}/sending/")
    return page


SENT = {
    "First": "text= do=first",
    "Third": "text= other=third",
    "Outside": "text= do=outside",
    "Elsewhere": "text= elsewhere",
}
"""What each button sends."""


@pytest.mark.parametrize("key", ["", "Enter", "Control+Enter"])
def test_r2_the_button_that_is_pressed_is_sent_wherever_it_stands(sending, key):
    for name, expected in SENT.items():
        sending.reload()
        # Another one had the focus before.
        sending.get_by_role("button", name="Second").focus()
        button = sending.get_by_role("button", name=name)
        if key:
            button.focus()
            sending.keyboard.press(key)
        else:
            button.click()
        expect(sending.locator("#sent"), f"{name} by {key or 'mouse'}").to_have_text(expected)


def test_r2_control_and_enter_in_a_field_send_the_main_button(sending):
    sending.get_by_role("button", name="Second").focus()
    sending.get_by_label("Text").fill("Typed")
    sending.keyboard.press("Control+Enter")
    expect(sending.locator("#sent")).to_have_text("text=Typed do=first")


def test_r2_control_and_enter_send_what_a_menu_asks(sending):
    sending.locator("summary", has_text="Menu").click()
    sending.get_by_label("Note").fill("Typed")
    sending.keyboard.press("Control+Enter")
    expect(sending.locator("#sent")).to_have_text("text=Typed do=menu")


def test_r2_control_and_enter_send_an_open_menu_that_has_a_single_button(sending):
    sending.locator("summary", has_text="Menu").click()
    sending.locator("summary", has_text="Menu").focus()
    sending.keyboard.press("Control+Enter")
    expect(sending.locator("#sent")).to_have_text("text= do=menu")


def test_r2_no_key_chooses_among_several_buttons(sending):
    sending.locator("summary", has_text="Choices").click()
    sending.locator("summary", has_text="Choices").focus()
    sending.keyboard.press("Control+Enter")
    sending.get_by_role("button", name="Two").focus()
    sending.keyboard.press("Control+Enter")
    expect(sending.locator("#sent")).to_have_text("do=two")


def test_r2_control_and_enter_send_a_dialog_and_mind_what_it_requires(sending):
    sending.get_by_role("button", name="Ask").click()
    sending.get_by_label("Why").focus()
    sending.keyboard.press("Control+Enter")
    expect(sending.locator("#sent")).to_be_empty()
    sending.get_by_label("Why").fill("Because")
    sending.keyboard.press("Control+Enter")
    expect(sending.locator("#sent")).to_have_text("text=Because do=dialog")
