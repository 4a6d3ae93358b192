"""The register as people use it: by mouse, by keyboard, on a phone, with many rows and long names."""

import pytest
from playwright.sync_api import expect

from portal.access_requests.models import Viewer
from portal.page_refresh.services import touch_areas
from tests.access_requests.conftest import make_viewer
from tests.access_requests.viewers import PAGE, let_work
from tests.support.page_checks import look

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.xdist_group("viewers-browser")]
LONG = "Bartholomäus-Maximilian von und zu Hohenstaufen-Wittelsbach the Third of Somewhere Quite Far Away"


def test_every_page_about_viewers_is_sound(page, live_server, session_cookie, desk, sandbox):
    page.context.add_cookies([session_cookie])
    root = f"{live_server.url}{PAGE}"
    page.goto(f"{root}?tab=ended&q=nobody")
    expect(page.get_by_text("No matching people")).to_be_visible()
    look(page, "viewers-0-nobody")
    for number in range(60):
        make_viewer(f"V{number}", days=number % 7 + 20)
    Viewer.objects.filter(name="V0").update(name=LONG, company=LONG, email=f"{'a' * 60}@{'long-' * 12}example.example")
    touch_areas("access_requests")
    page.goto(root)
    expect(page.locator("#viewers tbody tr")).to_have_count(50)
    look(page, "viewers-1-many")
    page.goto(f"{root}calendar/")
    expect(page.get_by_role("heading", name="Access expirations")).to_be_visible()
    look(page, "viewers-2-calendar")
    page.goto(f"{root}calendar/?month={Viewer.objects.get(name='V6').expires_at:%Y-%m}")
    page.locator(".month a").first.click()
    expect(page.get_by_text("remove this filter")).to_have_count(1)
    look(page, "viewers-3-day")
    page.goto(f"{root}review/?tab=none")
    expect(page.get_by_text("This person has no NDA").first).to_be_visible()
    look(page, "viewers-8-review")
    page.locator("#review tbody .pick").first.click()
    page.get_by_role("button", name="Keep…").click()
    page.get_by_label("Reason to keep").fill("Our auditor.")
    look(page, "viewers-9-keep")
    page.get_by_role("button", name="Keep access").click()
    expect(page.get_by_text("1 person left out of the review until")).to_be_visible()
    row = Viewer.objects.exclude(domain__startswith="v").order_by("pk")[0]
    page.goto(f"{root}{row.platform_id}/?tab=all")
    expect(page.get_by_role("heading", name=str(row))).to_be_visible()
    look(page, "viewers-4-pane")
    page.get_by_role("button", name="Change expiry…").last.click()
    expect(page.get_by_role("heading", name=f"Change expiry: {row}")).to_be_visible()
    page.get_by_label("Access ends").select_option("date")
    look(page, "viewers-5-ask")
    page.get_by_label("Access ends").select_option("90")
    sandbox.fail("status", method="PATCH", path="/v1/trust-centers/*/viewers/*", value=400)
    page.get_by_role("button", name="Change expiry", exact=True).click()
    expect(page.get_by_text(": Waiting")).to_be_visible()
    let_work()
    # Nobody touches the page: it hears of the outcome by itself.
    expect(page.get_by_text(": Not changed").first).to_be_visible()
    look(page, "viewers-6-refused")
    page.get_by_role("link", name="Review and retry").click()
    expect(page.get_by_text("0 of 1 done")).to_be_visible()
    look(page, "viewers-7-run")
    sandbox.control("DELETE", "/faults")
    page.get_by_role("button", name="Try this one again").click()
    expect(page.get_by_text("will be tried again")).to_be_visible()
    let_work()
    expect(page.get_by_text("1 of 1 done")).to_be_visible()


def test_many_are_revoked_without_a_mouse(page, live_server, session_cookie, desk):
    page.context.add_cookies([session_cookie])
    page.goto(f"{live_server.url}{PAGE}?tab=all")
    expect(page.get_by_role("link", name="Calendar")).to_be_visible()
    page.keyboard.press("j")
    page.keyboard.press("x")
    page.keyboard.press("j")
    page.keyboard.press("x")
    expect(page.get_by_text("2 selected")).to_be_visible()
    page.get_by_role("button", name="Revoke…").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Revoke: 2 people")).to_be_visible()
    look(page, "viewers-keyboard-1-ask")
    page.get_by_role("button", name="Revoke access").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_text("0 of 2 done")).to_be_visible()
    let_work()
    expect(page.get_by_text("2 of 2 done")).to_be_visible()
    assert Viewer.objects.filter(gone_at__isnull=False).count() == 2
    page.get_by_role("link", name="Viewers").last.click()
    expect(page.get_by_role("heading", name="Viewers")).to_be_visible()
    page.get_by_role("link", name="Ended").click()
    expect(page.locator("#viewers tbody").get_by_text("Revoked").first).to_be_visible()
    look(page, "viewers-keyboard-2-ended")


def test_search_pane_and_back_keep_the_place(page, live_server, session_cookie, desk):
    row = Viewer.objects.order_by("expires_sort", "pk")[0]
    page.context.add_cookies([session_cookie])
    page.goto(f"{live_server.url}{PAGE}?tab=all")
    page.keyboard.press("/")
    page.keyboard.type(row.domain)
    expect(page.locator("#viewers tbody tr")).to_have_count(Viewer.objects.filter(domain=row.domain).count())
    page.get_by_role("link", name=str(row), exact=True).click()
    expect(page.locator(".pane")).to_have_count(1)
    expect(page.get_by_role("searchbox", name="Search name, email or company")).to_have_value(row.domain)
    page.keyboard.press("Escape")
    expect(page.locator(".pane")).to_have_count(0)
    expect(page.get_by_role("searchbox", name="Search name, email or company")).to_have_value(row.domain)
