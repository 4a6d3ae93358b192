"""The bell, the list and the choices as they look, by mouse and by keyboard."""

import re

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from portal.notifications.kinds import ASSIGNED
from portal.notifications.models import Notification, Preference, TeamChannel
from portal.notifications.services import notify
from portal.tenants.models import Role
from portal.tenants.scope import tenant_scope
from tests.notifications.conftest import PAGE, SETTINGS
from tests.support.listener import listening
from tests.support.members import add_member
from tests.support.page_checks import PHONE, look

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.xdist_group("notifications-browser")]

LONG = "Maximiliane-Charlotte von Hohenstein-Wittelsbach assigned the Consensus Assessments Initiative Questionnaire to you"


@pytest.fixture
def open_page(page, live_server, session_cookie, acme):
    page.context.add_cookies([session_cookie])

    def go(path="/t/acme/help/contracts/"):
        page.goto(f"{live_server.url}{path}")
        return page

    return go


@pytest.fixture
def told(acme, alice):
    with tenant_scope(acme.pk):
        for number in range(4):
            title = LONG if number == 3 else f"Carol assigned number {number} to you"
            notify(
                ASSIGNED, [alice.pk], key=str(number), title=title, text="Due Friday", url=lambda slug: f"/t/{slug}/customers/"
            )


def test_the_bell_opens_reads_and_leads_to_the_page(open_page, told, acme):
    page = open_page()
    panel = page.get_by_role("region", name="Notifications")
    page.locator(".bell-open").click()
    expect(panel.get_by_role("button", name=re.compile("Carol assigned number 0"))).to_be_visible()
    look(page, "notifications-1-bell")
    panel.get_by_role("button", name=re.compile("Carol assigned number 1")).click()
    expect(page).to_have_url(re.compile("/t/acme/customers/$"))
    expect(page.locator("#unread")).to_contain_text("3 unread")
    # By keyboard: open, go on to the first button, press it.
    page.locator(".bell-open").focus()
    page.keyboard.press("Enter")
    expect(panel.get_by_role("button", name="Mark all read")).to_be_visible()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator("#unread")).to_be_empty()
    expect(panel.get_by_role("button", name="Mark all read")).to_have_count(0)
    page.keyboard.press("Escape")
    expect(panel).to_be_hidden()
    with tenant_scope(acme.pk):
        assert not Notification.objects.unread().exists()


def test_g_b_opens_the_list(open_page, told):
    page = open_page(PAGE)
    look(page, "notifications-2-list")
    page = open_page()
    page.keyboard.press("g")
    page.keyboard.press("b")
    expect(page).to_have_url(re.compile(f"{PAGE}$"))
    page.get_by_role("button", name="Mark all read").last.click()
    expect(page.get_by_role("link", name="Unread 0")).to_be_visible()
    page = open_page(f"{PAGE}?tab=unread")
    expect(page.get_by_role("heading", name="All read")).to_be_visible()
    look(page, "notifications-3-none")


def test_a_choice_is_saved_at_once(open_page, acme):
    page = open_page(SETTINGS)
    look(page, "notifications-4-choices")
    page.get_by_label("Mentions in comments: Email").select_option("weekly")
    expect(page.locator("#toasts")).to_contain_text("Saved")
    page = open_page(SETTINGS)
    expect(page.get_by_label("Mentions in comments: Email")).to_have_value("weekly")
    with tenant_scope(acme.pk):
        assert Preference.objects.count() == 1
    page.get_by_role("button", name="Turn on").click()
    expect(page.get_by_text("Email waits until the office opens.")).to_be_visible()
    page.get_by_role("button", name="Send test").click()
    expect(page.get_by_text("Test sent to alice@acme.example")).to_be_visible()
    page.set_viewport_size(PHONE)
    look(page, "notifications-5-phone")


def test_an_admin_sets_slack_up_and_sees_it_fail_and_come_back(open_page, acme):
    with listening() as slack:
        page = open_page(SETTINGS)
        page.get_by_role("link", name="Set up Slack").click()
        look(page, "notifications-6-set-up")
        page.get_by_label("Name").fill("#trust-desk")
        page.get_by_label("Address").fill("https://evil.example/hook")
        page.get_by_role("button", name="Save and send a test").click()
        expect(page.get_by_text("it starts with https://hooks.slack.com/").first).to_be_visible()
        expect(page.get_by_label("Name")).to_have_value("#trust-desk")
        look(page, "notifications-7-refused")
        page.get_by_label("Address").fill(slack.url)
        page.keyboard.press("Enter")
        expect(page.get_by_text("Test sent to Slack.")).to_be_visible()
        expect(page.get_by_text("#trust-desk · delivered")).to_be_visible()
        page.get_by_label("New questionnaires: Slack").select_option("daily")
        expect(page.locator("#toasts")).to_contain_text("Saved")
        slack.status = 404
        page.get_by_role("button", name="Send test to Slack").click()
        expect(page.get_by_text("The test didn't arrive. 127.0.0.1 answered with status 404.")).to_be_visible()
        with tenant_scope(acme.pk):
            TeamChannel.objects.update(failing_since=timezone.now(), error="127.0.0.1 answered with status 404.")
        page = open_page(SETTINGS)
        expect(page.get_by_text("#trust-desk · not delivering since")).to_be_visible()
        look(page, "notifications-8-team")
        page.get_by_role("link", name="Fix Slack").click()
        look(page, "notifications-9-fix")
        page.get_by_role("button", name="Remove").first.click()
        page.get_by_role("dialog").get_by_role("button", name="Remove").click()
        expect(page.get_by_text("Slack removed.")).to_be_visible()


def test_the_bell_of_the_portfolio_names_each_tenant(open_page, told, globex, alice):
    add_member(tenant=globex, user=alice, role=Role.ANALYST)
    with tenant_scope(globex.pk):
        notify(ASSIGNED, [alice.pk], key="one", title=LONG, text="Due Friday", url=lambda slug: f"/t/{slug}/customers/")
    page = open_page("/portfolio/")
    expect(page.locator("#unread")).to_contain_text("5 unread")
    page.locator(".bell-open").click()
    panel = page.get_by_role("region", name="Notifications")
    expect(panel.get_by_text("Globex · Due Friday")).to_be_visible()
    look(page, "notifications-10-portfolio")
    panel.get_by_role("link", name="All notifications").click()
    expect(page.get_by_text("Your notifications from all your tenants in the last six months.")).to_be_visible()
    look(page, "notifications-11-everywhere")
    page.get_by_role("button", name=re.compile("Globex")).click()
    expect(page).to_have_url(re.compile("/t/globex/customers/$"))
