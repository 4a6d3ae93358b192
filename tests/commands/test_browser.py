"""The box at the top by keys and by mouse: search, open, go, on a desk and on a phone."""

import re

import pytest
from playwright.sync_api import expect

from portal.tenants.scope import tenant_scope
from tests.questionnaires.test_list import make
from tests.support.page_checks import PHONE, look

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.xdist_group("ui-browser")]


@pytest.fixture
def opened(page, live_server, session_cookie, acme):
    with tenant_scope(acme.pk):
        for name in (
            "Gildersea Reinsurance: SIG Lite",
            "Gildersea Reinsurance: a name that is so long that no row can show all of it",
        ):
            make(name)
    page.context.add_cookies([session_cookie])
    page.goto(f"{live_server.url}/t/acme/incidents/")
    return page


def test_an_object_is_searched_and_opened_by_keys_alone(opened):
    box = opened.get_by_role("combobox", name="Search or run a command")
    opened.keyboard.press("Control+k")
    expect(box).to_be_focused()
    expect(opened.get_by_role("option", name="Upload contract")).to_be_visible()
    look(opened, "command-1-empty")
    opened.keyboard.type("gilder")
    chosen = opened.get_by_role("option", selected=True)
    expect(chosen).to_contain_text("Gildersea")
    look(opened, "command-2-found")
    first = chosen.inner_text()
    opened.keyboard.press("ArrowDown")
    expect(opened.get_by_role("option", selected=True)).not_to_have_text(first)
    opened.keyboard.press("ArrowUp")
    opened.keyboard.press("Escape")
    expect(opened.locator("#found")).to_be_hidden()
    opened.keyboard.press("Control+k")
    opened.keyboard.type("invite")
    expect(opened.get_by_role("option", selected=True)).to_contain_text("Invite a teammate")
    opened.keyboard.press("Enter")
    expect(opened).to_have_url(re.compile("/t/acme/settings/members/|/t/acme/members/"))


def test_enter_never_opens_what_was_found_for_fewer_letters(opened):
    opened.keyboard.press("Control+k")
    opened.keyboard.type("gilder")
    expect(opened.get_by_role("option", selected=True)).to_contain_text("Gildersea")
    is_late = re.compile(r"[?&]q=")
    opened.route(is_late, lambda route: route.abort() if "hx-request" in route.request.headers else route.continue_())
    opened.keyboard.type("sea re")
    opened.keyboard.press("Enter")
    expect(opened).to_have_url(re.compile(r"/t/acme/search/\?q=gildersea\+re"))


def test_what_is_found_is_opened_by_a_click_and_a_letter_leads_to_a_desk(opened, live_server):
    opened.get_by_role("combobox", name="Search or run a command").click()
    opened.keyboard.type("upload con")
    opened.get_by_role("option", name="Upload contract").click()
    expect(opened).to_have_url(f"{live_server.url}/t/acme/contracts/upload/")
    opened.keyboard.press("g")
    opened.keyboard.press("q")
    expect(opened).to_have_url(f"{live_server.url}/t/acme/questionnaires/")
    opened.keyboard.press("g")
    opened.keyboard.press("t")
    expect(opened.get_by_role("heading", name="Today", level=1)).to_be_visible()


def test_a_search_is_a_page_of_its_own_too(opened, live_server):
    opened.goto(f"{live_server.url}/t/acme/search/?q=gildersea")
    expect(opened.get_by_role("main").get_by_role("link", name="Gildersea Reinsurance: SIG Lite")).to_be_visible()
    look(opened, "command-3-page")
    opened.set_viewport_size(PHONE)
    opened.get_by_role("combobox", name="Search or run a command").click()
    expect(opened.get_by_role("option", name="Upload contract")).to_be_visible()
    look(opened, "command-4-phone")


def test_the_help_of_a_desk_is_one_press_away(opened, live_server):
    opened.goto(f"{live_server.url}/t/acme/questionnaires/")
    opened.get_by_role("link", name="Help for this page").click()
    expect(opened.get_by_role("heading", name="Questionnaires help")).to_be_visible()
    expect(opened.get_by_role("main").get_by_text("Needs input", exact=True)).to_be_visible()
    look(opened, "help-1-desk")
