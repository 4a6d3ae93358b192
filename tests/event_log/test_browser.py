"""The page of the event log as a person sees it."""

import re

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from tests.event_log.test_event_log import PAGE, log  # noqa: F401 - a fixture
from tests.support.page_checks import look

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.xdist_group("event-log-browser")]


def test_the_log_is_sound_empty_and_full(page, live_server, session_cookie, log):  # noqa: F811
    page.context.add_cookies([session_cookie])
    page.goto(f"{live_server.url}{PAGE}")
    look(page, "event-log-1-empty")
    log.happen("long", "ä" * 500, actor="A" * 80, action="TELEPORT_" * 13, at=timezone.now())
    log.read()
    page.reload()
    expect(page.get_by_text("Teleport", exact=False).first).to_be_visible()
    look(page, "event-log-2-full")
    page.get_by_placeholder("Search actions and ids").fill("teleport")
    expect(page.locator("#log tbody tr")).to_have_count(1)
    page.get_by_placeholder("Search actions and ids").fill("nothing of the kind")
    expect(page.get_by_text("No matching entries")).to_be_visible()
    look(page, "event-log-3-none")
    page.get_by_placeholder("Search actions and ids").fill("")
    expect(page.locator("#log tbody tr").first).to_be_visible()
    page.locator("#filters input[type=date]").first.fill("2031-01-01")
    expect(page).to_have_url(re.compile("2031-01-01"))
    expect(page.get_by_text("No matching entries")).to_be_visible()
