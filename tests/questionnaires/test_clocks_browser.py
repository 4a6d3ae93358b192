"""Clocks, targets and office hours as people see them, with nothing there, with a few and with many."""

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from portal.calendars.models import OfficeHours
from portal.calendars.services import add_holidays
from portal.page_refresh.services import touch_areas
from portal.questionnaires.models import Label, Priority
from portal.questionnaires.tasks import recalculate_clocks_of_tenant
from tests.questionnaires.clocks import ALWAYS, made, within
from tests.questionnaires.conftest import address
from tests.support.members import find_member
from tests.support.page_checks import look

pytestmark = [
    pytest.mark.browser,
    pytest.mark.once,
    pytest.mark.django_db(transaction=True),
    pytest.mark.xdist_group("drafts-browser"),
]
LONG = (
    "Group-wide third-party information security, privacy, resilience and artificial intelligence due diligence questionnaire"
)


def test_clocks_targets_and_hours_are_set_and_read(page, live_server, settings, session_cookie, scoped, alice):
    settings.PUBLIC_URL = live_server.url
    page.context.add_cookies([session_cookie])
    desk = f"{live_server.url}/t/acme/questionnaires/"
    hours = f"{live_server.url}/t/acme/settings/hours/"

    page.goto(f"{desk}clocks/")
    expect(page.get_by_text("No targets yet")).to_be_visible()
    look(page, "clocks-1-none")
    page.goto(hours)
    expect(page.get_by_text("No holidays yet")).to_be_visible()
    look(page, "clocks-2-hours-none")
    page.get_by_label("Country", exact=True).select_option(label="Germany")
    page.get_by_role("button", name="Add holidays").click()
    expect(page.get_by_text("holidays for Germany in")).to_be_visible()
    page.get_by_label("Monday to").fill("08:00")
    page.get_by_role("button", name="Save hours").click()
    expect(page.get_by_text("the end must be after the start")).to_be_visible()
    look(page, "clocks-3-hours-wrong")

    OfficeHours.objects.create(week=ALWAYS, zone="Europe/Berlin")
    touch_areas("calendars")
    add_holidays({timezone.now().date().replace(month=1, day=1): "A day"}, summary="-", member=find_member(user=alice))
    Label.objects.create(kind="account", platform_id="a1", name="Initech Holding International GmbH", read_at=timezone.now())
    rows = [
        made(LONG, ("WAITING_ON_ANSWERS", 10), ("IN_PROGRESS", 28), ("PROCESSING", 40), account="a1", platform_id="long"),
        made("Helios CAIQ", ("IN_PROGRESS", 50), account="a1"),
        made("Northwind SIG", ("ON_HOLD", 2), ("IN_PROGRESS", 10), priority=Priority.URGENT),
    ]
    page.goto(f"{desk}targets/")
    expect(page.get_by_text("No targets yet")).to_be_visible()
    look(page, "clocks-4-targets-none")
    for choice, number in (("Urgent", "30"), ("Everything else", "48")):
        page.get_by_label("For", exact=True).select_option(label=choice)
        page.get_by_label("Office hours", exact=True).fill(number)
        page.get_by_role("button", name="Add target").click()
        expect(page.get_by_text(f"Added: {choice}: within {number} office hours.")).to_be_visible()
    look(page, "clocks-5-targets")
    within(9000, "account", account_id="a2", name="Initech Holding International GmbH")

    recalculate_clocks_of_tenant(scoped.pk)
    page.goto(f"{desk}targets/")
    look(page, "clocks-6-targets-recalculated")
    page.keyboard.press("j")
    expect(page.get_by_role("button", name="Change").first).to_be_focused()
    page.keyboard.press("j")
    expect(page.get_by_role("button", name="Change").nth(1)).to_be_focused()
    page.goto(f"{desk}clocks/")
    expect(page.get_by_role("link", name="Helios CAIQ", exact=True)).to_be_visible()
    page.get_by_role("link", name="Where the time of Helios CAIQ went").click(trial=True)
    page.get_by_role("button", name="Create calendar link").click()
    expect(page.get_by_label("Calendar address", exact=True)).to_be_visible()
    look(page, "clocks-7-clocks")
    page.get_by_role("link", name="Paused 1").click()
    expect(page.get_by_role("link", name="Helios CAIQ", exact=True)).to_have_count(0)
    look(page, "clocks-8-paused")
    page.goto(f"{live_server.url}{address(rows[0])}details/")
    page.get_by_text("Every step").click()
    look(page, "clocks-9-details")
    page.locator("#summary").get_by_text("Priority", exact=True).click()
    page.get_by_role("button", name="Urgent").click()
    expect(page.locator("#summary").get_by_text("Target missed")).to_be_visible()
    look(page, "clocks-10-urgent")
    for number in range(55):
        made(f"Another {number}", ("IN_PROGRESS", number), ("ON_HOLD", number + 5), ("PROCESSING", number + 9))
    page.goto(f"{desk}clocks/")
    expect(page.get_by_role("link", name="Next")).to_be_visible()
    look(page, "clocks-11-many")
