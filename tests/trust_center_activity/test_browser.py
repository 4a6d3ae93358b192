"""What only a browser can show: axe, a phone's width, a walk through the pages, one without a script."""

import pytest
from playwright.sync_api import expect

from portal.trust_center_activity.models import WatchedWord
from tests.support.page_checks import look
from tests.trust_center_activity.conftest import PAGE, document, entry

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.xdist_group("interest-browser")]


@pytest.fixture
def talk(center) -> str:
    center.happen(
        *(entry(days=number, kind="RESOURCE_VIEW", details=document(f"Report {number % 2}")) for number in range(6)),
        entry(days=3, details={"videoTitle": "A word that breaks nowhere " + "x" * 120}),
    )
    found = center.ask("Do you have a SOC 2 report, and may we see it?", "Yes. Ask for access.", "Is SOC 2 Type II covered?")
    center.read()
    return found


def test_every_page_of_the_room_is_sound(page, live_server, session_cookie, center, talk):
    page.context.add_cookies([session_cookie])
    page.goto(f"{live_server.url}{PAGE}?period=90")
    expect(page.get_by_role("heading", name="Activity over time")).to_be_visible()
    look(page, "trust-center-activity-1-overview")
    page.get_by_label("Word or phrase").fill("SOC 2")
    page.get_by_role("button", name="Watch word").click()
    expect(page.get_by_text("Asked about SOC 2, from", exact=False).first).to_be_visible()
    center.ask("soc-2 again?", email="bob@brand-new.test")
    center.read()
    # Nobody touches the page: it hears of the question by itself.
    expect(page.get_by_text("1 new")).to_be_visible()
    look(page, "trust-center-activity-2-watched")
    page.get_by_role("button", name="Mark as seen").click()
    expect(page.get_by_text("1 new")).to_have_count(0)
    page.get_by_role("link", name="Conversations about SOC 2").click()
    expect(page.get_by_role("link", name="soc-2 again?")).to_be_visible()
    page.get_by_role("link", name="Do you have a SOC 2 report, and may we see it?").click()
    expect(page.get_by_text("Is SOC 2 Type II covered?")).to_be_visible()
    look(page, "trust-center-activity-3-conversation")
    page.get_by_role("link", name="All activity from acme.test").click()
    expect(page.get_by_role("heading", name="acme.test", exact=True)).to_be_visible()
    look(page, "trust-center-activity-4-company")
    page.goto(f"{live_server.url}{PAGE}activity/?period=365")
    expect(page.get_by_role("heading", name="Activity", exact=True)).to_be_visible()
    look(page, "trust-center-activity-5-activity")
    page.goto(f"{live_server.url}{PAGE}activity/?domain=nobody.test")
    expect(page.get_by_text("No matching activity")).to_be_visible()
    look(page, "trust-center-activity-6-nothing")


def test_before_anything_is_connected_the_pages_say_so(page, live_server, session_cookie, acme):
    page.context.add_cookies([session_cookie])
    for path in ("", "activity/", "conversations/"):
        page.goto(f"{live_server.url}{PAGE}{path}")
        expect(page.get_by_text("This tenant is not connected yet")).to_be_visible()
        look(page, f"trust-center-activity-empty-{path.strip('/') or 'overview'}")


def test_a_word_is_watched_and_a_conversation_read_without_a_script(browser, live_server, session_cookie, center, talk):
    context = browser.new_context(java_script_enabled=False)
    context.add_cookies([session_cookie])
    page = context.new_page()
    page.goto(f"{live_server.url}{PAGE}")
    page.get_by_label("Word or phrase").fill("SOC 2")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Added by Alice Ames")).to_be_visible()
    assert WatchedWord.objects.get().text == "SOC 2"
    page.get_by_label("Country").select_option("DE")
    page.get_by_role("button", name="Apply").click()
    expect(page.get_by_role("link", name="Clear")).to_be_visible()
    page.get_by_role("link", name="Conversations", exact=True).first.click()
    page.get_by_label("Search messages").fill("soc type")
    page.keyboard.press("Enter")
    page.get_by_role("link", name="Do you have a SOC 2 report, and may we see it?").click()
    expect(page.get_by_text("Yes. Ask for access.")).to_be_visible()
