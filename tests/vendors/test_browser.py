"""What only a browser can show: the pages on a desk and on a phone, and the way by mouse and keys."""

import pytest
from playwright.sync_api import expect

from portal.vendors.models import Part, PartKind, Vendor
from tests.support.page_checks import look
from tests.vendors.conftest import PAGE

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.xdist_group("vendors-browser")]


def test_a_finding_is_added_and_the_status_changed(page, live_server, session_cookie, desk, vendor):
    page.context.add_cookies([session_cookie])
    page.goto(f"{live_server.url}{PAGE}")
    expect(page.locator("#list tbody tr")).to_have_count(Vendor.objects.count())
    look(page, "vendors-1-list")
    page.get_by_role("link", name=vendor.name, exact=True).click()
    expect(page.locator("#vendor h1")).to_have_text(vendor.name)
    look(page, "vendors-2-vendor")
    page.keyboard.press("n")
    page.get_by_role("textbox", name="Finding").fill("Nobody tests the backups.")
    look(page, "vendors-3-finding")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_text("Nobody tests the backups.").first).to_be_visible()
    assert Part.objects.filter(kind=PartKind.FINDING, payload__content="Nobody tests the backups.").exists()
    page.get_by_role("button", name="Change status…").click()
    page.get_by_label("Status", exact=True).select_option("ARCHIVED")
    look(page, "vendors-4-status")
    page.get_by_role("dialog").get_by_role("button", name="Change status").click()
    expect(page.locator("#vendor").get_by_text("Archived", exact=True)).to_be_visible()
    assert Vendor.objects.get(pk=vendor.pk).status == "ARCHIVED"
