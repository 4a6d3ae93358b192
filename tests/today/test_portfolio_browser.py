"""The queue of all tenants as it looks, worked by mouse and by keys."""

import re

import pytest
from playwright.sync_api import expect

from portal.connections.models import Connection, State
from portal.page_refresh.services import touch_areas
from portal.tenants.models import Role, Tenant
from portal.tenants.scope import tenant_scope
from portal.work_items.models import Snooze
from tests.support.members import add_member
from tests.support.page_checks import look
from tests.today.test_portfolio import add_notice, add_request

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.xdist_group("today-browser")]


@pytest.fixture
def portfolio(page, live_server, session_cookie, alice, acme, globex):
    add_member(tenant=globex, user=alice, role=Role.ANALYST)
    long = Tenant.objects.create(name="Hollowbrook Artificial Intelligence Holding and Sons", slug="hollowbrook")
    add_member(tenant=long, user=alice, role=Role.OWNER)
    add_notice(acme, "Brightfen Logistics", days=3)
    add_notice(globex, "Fennimore Foods", days=-1)
    add_notice(long, "Meridian Payments", days=0.01)
    add_request(acme, "Jane")
    page.context.add_cookies([session_cookie])
    page.goto(f"{live_server.url}/portfolio/")
    return page


def rows(page):
    return page.locator(".queue .item")


def test_the_queue_of_all_tenants_is_worked_by_mouse(portfolio, globex):
    look(portfolio, "portfolio-1")
    expect(rows(portfolio)).to_have_count(4)
    expect(rows(portfolio).first).to_contain_text("Globex")
    rows(portfolio).first.locator("summary").click()
    rows(portfolio).first.get_by_role("button", name="Tomorrow").click()
    expect(portfolio.locator(".toast")).to_contain_text("Globex: Snoozed")
    expect(rows(portfolio)).to_have_count(3)
    with tenant_scope(globex.pk):
        assert Snooze.objects.count() == 1
    portfolio.get_by_label("Tenant", exact=True).select_option("hollowbrook")
    expect(rows(portfolio)).to_have_count(1)
    portfolio.get_by_label("Tenant", exact=True).select_option("")
    expect(rows(portfolio)).to_have_count(3)
    expect(rows(portfolio)).to_have_count(3)
    portfolio.get_by_label("Desk").select_option("Access requests")
    expect(rows(portfolio)).to_have_count(1)
    portfolio.get_by_text("Save view").click()
    portfolio.get_by_label("Name", exact=True).fill("To decide")
    portfolio.keyboard.press("Enter")
    expect(portfolio.get_by_label("Saved views").get_by_role("link", name="To decide")).to_have_attribute(
        "aria-current", "true"
    )
    look(portfolio, "portfolio-2-saved")
    portfolio.get_by_label("Sections").get_by_role("link", name="Overdue").click()
    expect(portfolio.get_by_text("Nothing here")).to_be_visible()
    look(portfolio, "portfolio-3-empty")


def test_news_take_no_link_away_that_is_being_pressed_beside_the_queue(portfolio, globex):
    link = portfolio.locator("#tenants").get_by_role("link", name="Globex", exact=True)
    place = link.bounding_box()
    portfolio.mouse.move(place["x"] + 5, place["y"] + 5)
    portfolio.mouse.down()
    with tenant_scope(globex.pk):
        Connection.objects.create(state=State.NEEDS_RECONNECTION)
    add_notice(globex, "Come meanwhile", days=-2)
    portfolio.wait_for_timeout(4_000)  # longer than a poll
    portfolio.mouse.up()
    expect(portfolio).not_to_have_url(re.compile("/portfolio/"))


def test_the_queue_of_all_tenants_is_worked_by_keys(portfolio):
    portfolio.keyboard.press("j")
    expect(rows(portfolio).first.locator("a.t")).to_be_focused()
    portfolio.keyboard.press("j")
    expect(rows(portfolio).nth(1).locator("a.t")).to_be_focused()
    portfolio.keyboard.press("s")
    portfolio.keyboard.press("Enter")
    expect(rows(portfolio)).to_have_count(3)
    portfolio.keyboard.press("/")
    portfolio.keyboard.type("jane")
    expect(rows(portfolio)).to_have_count(1)
    portfolio.keyboard.press("Escape")
    portfolio.keyboard.press("j")
    portfolio.keyboard.press("Enter")
    expect(portfolio).not_to_have_url("/portfolio/")


def test_news_of_any_tenant_arrive_by_themselves(portfolio, globex):
    add_request(globex, "John")
    expect(portfolio.locator(".queue")).not_to_contain_text("John")
    with tenant_scope(globex.pk):
        touch_areas("access_requests")
    expect(portfolio.locator(".queue")).to_contain_text("John", timeout=8_000)
    figures = [portfolio.locator(each) for each in ("#tenant-cards", "#tenants")]
    for each in figures:
        expect(each).not_to_contain_text("Needs reconnection")
    with tenant_scope(globex.pk):
        Connection.objects.create(state=State.NEEDS_RECONNECTION)
        touch_areas("connection")
    for each in figures:
        expect(each).to_contain_text("Needs reconnection", timeout=8_000)
