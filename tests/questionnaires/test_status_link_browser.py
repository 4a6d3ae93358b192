"""The requester's page and the place where its link is made, as people see them."""

import pytest
from playwright.sync_api import expect

from tests.questionnaires.conftest import address
from tests.support.page_checks import look

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.xdist_group("drafts-browser")]


def test_a_link_is_made_read_and_revoked(page, new_context, live_server, settings, session_cookie, desk):
    settings.PUBLIC_URL = live_server.url
    page.context.add_cookies([session_cookie])
    page.goto(f"{live_server.url}{address(desk.questionnaire)}details/")
    look(page, "status-1-none")
    page.get_by_role("button", name="Create link").click()
    link = page.get_by_label("Status link", exact=True).input_value()
    look(page, "status-2-made")
    stranger = new_context().new_page()
    stranger.goto(link)
    expect(stranger.get_by_role("heading", name=desk.questionnaire.name)).to_be_visible()
    look(stranger, "status-3-read")
    page.get_by_role("button", name="Revoke").click()
    expect(page.get_by_role("dialog", name="Revoke the status link?")).to_be_visible()
    page.get_by_role("dialog").get_by_role("button", name="Revoke").click()
    expect(page.get_by_text("Status link revoked")).to_be_visible()
    stranger.reload()
    expect(stranger.get_by_role("heading", name=desk.questionnaire.name)).to_have_count(0)
    look(stranger, "status-4-revoked")
