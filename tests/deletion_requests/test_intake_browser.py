"""The ways in, the step before sending, and what follows: as they look, and by the keyboard alone."""

from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from portal.access_requests.models import Viewer
from portal.deletion_requests.models import DeletionRequest, IntakeLink, SecondLook, State
from tests.deletion_requests.conftest import EMAIL, PAGE, check, erase, keep_person, receive
from tests.deletion_requests.test_second_looks import come_round
from tests.support.page_checks import look

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.xdist_group("deletion-intake-browser")]
LONG = "someone.with.a.very.long.name.that.goes.on@a-department-with-a-long-name.northwind-international.example"
FILE = f"email,received,note\nanna@x.example,2026-10-31,ticket 1\n{EMAIL},,\nno address,,\n{LONG},,where it came from\n"


def test_from_the_form_to_the_second_look(page, live_server, session_cookie, approver, jane):
    page.context.add_cookies([session_cookie])
    page.goto(f"{live_server.url}{PAGE}receive/")
    look(page, "deletion-receive-1-form")
    page.get_by_label("Email address of the person").fill(EMAIL)
    page.get_by_label("Answer under").select_option("own")
    page.get_by_label("Number of days").fill("2")
    page.get_by_label("Received on").fill((timezone.localdate() + timedelta(days=3)).isoformat())
    page.get_by_role("button", name="Create").click()
    expect(page.get_by_text("This date is in the future.")).to_be_visible()
    look(page, "deletion-receive-2-error")
    page.get_by_label("Received on").fill((timezone.localdate() - timedelta(days=4)).isoformat())
    page.get_by_role("button", name="Create").click()
    expect(page.get_by_role("heading", name="Check, then erase")).to_be_visible()
    look(page, "deletion-receive-3-review")
    page.get_by_label("Yes, confirmed").check()
    page.get_by_label("How it was checked").fill("Answered a mail to the address from her own account")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("button", name="Send and erase")).to_be_visible()
    look(page, "deletion-receive-4-confirmed")
    page.goto(f"{live_server.url}{PAGE}?tab=overdue")
    look(page, "deletion-receive-5-overdue")
    page.goto(f"{live_server.url}/t/acme/")
    expect(page.get_by_role("heading", name="Overdue")).to_be_visible()
    look(page, "deletion-receive-6-today")
    row = DeletionRequest.objects.get()
    page.goto(f"{live_server.url}{PAGE}{row.reference}/")
    look(page, "deletion-receive-7-received")
    page.goto(f"{live_server.url}{PAGE}{row.reference}/review/")
    page.get_by_label("Type the address to confirm").fill(EMAIL)
    page.get_by_role("button", name="Send and erase").click()
    expect(page.get_by_role("heading", name="Certificate of erasure")).to_be_visible()
    keep_person(EMAIL, "late")
    come_round(SecondLook.objects.get())
    expect(page.get_by_text("2 rows had come back and were erased again.").first).to_be_visible()
    look(page, "deletion-receive-8-second-look")


def test_a_person_who_came_back_and_a_check_that_failed(page, live_server, session_cookie, approver, jane):
    page.context.add_cookies([session_cookie])
    row = erase(approver, jane)
    DeletionRequest.objects.filter(pk=row.pk).update(came_back=True)
    page.goto(f"{live_server.url}{PAGE}{row.reference}/")
    look(page, "deletion-back-1-certificate")
    page.emulate_media(media="print")
    expect(page.get_by_role("link", name="Download PDF")).to_be_hidden()
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    look(page, "deletion-back-2-paper")
    page.emulate_media(media="screen")
    other = receive(approver, LONG)
    page.goto(f"{live_server.url}{PAGE}{other.reference}/review/")
    look(page, "deletion-back-3-nothing-found")
    check(approver, other, "failed", note="Somebody else answered, who had never heard of it")
    page.goto(f"{live_server.url}{PAGE}{other.reference}/")
    look(page, "deletion-back-4-failed")
    page.goto(f"{live_server.url}{PAGE}")
    look(page, "deletion-back-5-ledger")


def test_the_file_the_settings_and_the_public_page(page, live_server, session_cookie, approver, jane, tmp_path):
    page.context.add_cookies([session_cookie])
    receive(approver, EMAIL)
    (tmp_path / "people.csv").write_text(FILE)
    page.goto(f"{live_server.url}{PAGE}file/")
    look(page, "deletion-file-1-choose")
    page.get_by_label("CSV file").set_input_files(tmp_path / "people.csv")
    page.get_by_role("button", name="Preview").click()
    expect(page.get_by_role("heading", name="Preview")).to_be_visible()
    look(page, "deletion-file-2-lines")
    page.get_by_role("button", name="Add 2 requests").click()
    expect(page.get_by_text("Added 2 requests. 2 skipped.")).to_be_visible()
    look(page, "deletion-file-3-ledger")
    page.goto(f"{live_server.url}{PAGE}settings/")
    look(page, "deletion-settings-1-none")
    page.get_by_role("button", name="Create page").click()
    expect(page.get_by_label("Address of the public page", exact=True)).to_be_visible()
    look(page, "deletion-settings-2-open")
    page.goto(f"{live_server.url}/erasure/{IntakeLink.objects.get().token}/")
    look(page, "deletion-public-1-form")
    page.get_by_label("Your email address").fill("anna@y.example")
    page.get_by_label("This is my own address").check()
    page.get_by_role("button", name="Send request").click()
    expect(page.get_by_text("Your request has arrived")).to_be_visible()
    look(page, "deletion-public-2-done")


def test_the_keyboard_is_enough_from_intake_to_certificate(browser, live_server, session_cookie, jane):
    context = browser.new_context(java_script_enabled=False)
    context.add_cookies([session_cookie])
    page = context.new_page()
    page.goto(f"{live_server.url}{PAGE}receive/")
    page.get_by_label("Email address of the person").focus()
    page.keyboard.type(EMAIL)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Check, then erase")).to_be_visible()
    page.get_by_label("Yes, confirmed").focus()
    page.keyboard.press("Space")
    page.keyboard.press("Tab")
    page.keyboard.type("A call")
    page.keyboard.press("Enter")
    expect(page.get_by_text("A call").first).to_be_visible()
    page.get_by_label("Type the address to confirm").focus()
    page.keyboard.type(EMAIL)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Certificate of erasure")).to_be_visible()
    assert DeletionRequest.objects.get().state == State.ERASED
    assert not Viewer.objects.filter(platform_id="jane").exists()
    assert "northwind" not in page.url.lower()
    context.close()
