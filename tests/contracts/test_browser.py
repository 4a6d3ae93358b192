"""What only a browser can show: axe, a phone's width, the keyboard, a walk without a script, a page that follows."""

import pytest
from playwright.sync_api import expect

from portal.contracts.models import Upload
from tests.contracts.conftest import CALL, PAGE, PDF, work
from tests.support.looking import DESK, PHONE, look

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.xdist_group("contracts-browser")]

LONG = "Northwind_Master_Services_Agreement_and_Data_Processing_Addendum_2026_countersigned_final.pdf"


def hand_in(page, name: str, content: bytes = PDF) -> None:
    page.get_by_label("PDF document").set_input_files({"name": name, "mimeType": "application/pdf", "buffer": content})
    page.get_by_role("button", name="Upload").click()


@pytest.mark.parametrize(("size", "theme"), [(DESK, "light"), (PHONE, "dark")], ids=["desk-light", "phone-dark"])
def test_every_page_of_the_walk_is_sound(page, live_server, session_cookie, desk, sandbox, size, theme, request):
    page.set_viewport_size(size)
    page.emulate_media(color_scheme=theme, reduced_motion="reduce")
    page.context.add_cookies([session_cookie])
    name = request.node.callspec.id
    page.goto(f"{live_server.url}{PAGE}")
    look(page, f"contracts-{name}-1-list")
    page.get_by_role("link", name="Upload a contract").click()
    expect(page.get_by_role("heading", name="Upload a contract")).to_be_visible()
    look(page, f"contracts-{name}-2-upload")
    hand_in(page, "notes.pdf", b"no pdf")
    expect(page.get_by_text("This is not a PDF")).to_be_visible()
    look(page, f"contracts-{name}-3-refused-here")
    hand_in(page, "There already.pdf")
    desk.add_there("There already")
    work()
    sandbox.fail("status", value=403, method="POST", path=CALL, times=1)
    page.goto(f"{live_server.url}{PAGE}upload/")
    hand_in(page, "Not covered.pdf")
    work()
    page.goto(f"{live_server.url}{PAGE}upload/")
    hand_in(page, LONG)
    expect(page.get_by_text("Waiting", exact=True)).to_be_visible()
    look(page, f"contracts-{name}-4-uploads")
    work()
    # Nobody touches the page: it hears of the outcome by itself.
    expect(page.get_by_text("Waiting", exact=True)).to_be_hidden(timeout=15_000)
    look(page, f"contracts-{name}-5-arrived")
    page.locator("#results").get_by_role("link", name=LONG).click()
    expect(page.get_by_text(f"Uploaded {LONG}.")).to_be_visible()
    look(page, f"contracts-{name}-6-detail")


def test_the_walk_needs_neither_a_mouse_nor_a_script(browser, live_server, session_cookie, desk):
    context = browser.new_context(java_script_enabled=False)
    context.add_cookies([session_cookie])
    page = context.new_page()
    page.goto(f"{live_server.url}{PAGE}upload/")
    page.get_by_label("PDF document").set_input_files({"name": "MSA.pdf", "mimeType": "application/pdf", "buffer": PDF})
    page.get_by_label("External id").focus()
    page.keyboard.type("MSA-1")
    page.keyboard.press("Enter")
    expect(page.get_by_text("MSA.pdf is on its way.")).to_be_visible()
    page.get_by_role("button", name="Discard MSA.pdf").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_text("MSA.pdf was put away")).to_be_visible()
    assert Upload.objects.get().state == "discarded"
    context.close()
