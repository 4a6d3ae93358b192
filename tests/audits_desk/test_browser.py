"""What only a browser can show: the pages on a desk and on a phone, and the way by mouse and keys."""

import re

import pytest
from playwright.sync_api import expect

from portal.engagements.models import Engagement, EngagementPart, InformationRequest
from tests.audits_desk.conftest import PAGE
from tests.support.page_checks import look

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.xdist_group("audits-browser")]


def test_a_request_is_commented_and_approved(page, live_server, session_cookie, desk, row):
    page.context.add_cookies([session_cookie])
    page.goto(f"{live_server.url}{PAGE}")
    expect(page.locator("#list tbody tr")).to_have_count(Engagement.objects.open().count())
    look(page, "audits-1-list")
    page.get_by_role("link", name=row.engagement.name, exact=True).click()
    expect(page.locator("#audit tbody tr")).to_have_count(6)
    look(page, "audits-2-requests")
    page.get_by_role("link", name="Controls", exact=True).last.click()
    expect(page.get_by_text("Not assessed").first).to_be_visible()
    look(page, "audits-3-controls")
    page.get_by_role("link", name="Organization", exact=True).click()
    page.get_by_role("combobox", name="List").select_option("people")
    # The list before it is being fetched, too: only the address tells that this one was asked for.
    expect(page).to_have_url(re.compile("list=people"))
    desk.drain()
    expect(page.locator("#organization tbody tr").first).to_be_visible()
    look(page, "audits-6-people")
    page.get_by_role("link", name="Information requests", exact=True).click()
    page.get_by_role("link", name="New request").click()
    page.get_by_role("textbox", name="Number").fill("IR-90")
    page.get_by_role("textbox", name="Request", exact=True).fill("List of joiners")
    look(page, "audits-7-new-request")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_role("heading", name="List of joiners")).to_be_visible()
    assert [each["uniqueId"] for each in desk.of(row.engagement, "information-requests")].count("IR-90") == 1
    page.goto(f"{live_server.url}{PAGE}{row.engagement.platform_id}/requests/{row.platform_id}/")
    look(page, "audits-4-request")
    page.get_by_role("textbox", name="Comment").fill("Complete, thank you.")
    page.keyboard.press("Control+Enter")
    expect(page.locator("#comments p").get_by_text("Complete, thank you.")).to_be_visible()
    assert EngagementPart.objects.filter(kind="request_comment", payload__text="Complete, thank you.").exists()
    page.get_by_role("button", name="Approve…").click()
    look(page, "audits-5-approve")
    page.get_by_role("dialog").get_by_role("button", name="Approve").click()
    expect(page.locator("#request").get_by_text("Approved", exact=True)).to_be_visible()
    assert InformationRequest.objects.get(pk=row.pk).status == "AUDITOR_APPROVED"
