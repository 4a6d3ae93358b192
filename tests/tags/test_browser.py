"""What only a browser can show: axe, a phone's width, the keyboard, a walk without a script, a page that follows."""

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from portal.page_refresh.services import touch_areas
from portal.tags.models import Category, Context, Step, SwitchChange, Use
from tests.support.page_checks import look
from tests.tags.conftest import CENTER, CONTROLS, DOCUMENTS, PAGE, PATH, let_pass, work

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.xdist_group("tags-browser")]
LONG = "Internationale Beteiligungs- und Vermögensverwaltungsgesellschaften nach Aufsichtsrecht, Rechtsraum und Vertragsart"


def fill_with_life() -> None:
    """Many categories, one with a long name and many tags, one context that nobody knows, and what went wrong before."""
    tags = [{"id": f"t{number}", "name": f"{LONG[: number % 60 + 5]}"} for number in range(40)]
    long = Category.objects.create(platform_id="long", name=LONG, name_sort="aaa", tags=tags, tags_read_at=timezone.now())
    for number in range(60):
        Category.objects.create(platform_id=f"many-{number}", name=f"Umbrella {number:02}", name_sort=f"umbrella {number:02}")
    Context.objects.create(platform_id="PARTNER_PORTAL", asked_at=timezone.now(), problem="The platform does not tell.")
    Use.objects.create(category=long, context=CENTER)
    now, words = timezone.now(), "The platform no longer has this category."
    SwitchChange.objects.create(
        category=long, context=CONTROLS, is_on=True, state=Step.REFUSED, description=words, settled_at=now
    )
    SwitchChange.objects.create(category=long, context=DOCUMENTS, is_on=True, state=Step.UNCERTAIN, begun_by_name="Bob Brown")
    touch_areas("tags")


def test_the_matrix_is_sound_and_works_by_mouse(page, live_server, session_cookie, desk, sandbox):
    page.context.add_cookies([session_cookie])
    root, category = f"{live_server.url}{PAGE}", desk.unused
    page.goto(root)
    expect(page.locator("#matrix tbody tr").first).to_be_visible()
    look(page, "trust-1-matrix")
    button = page.get_by_role("button", name=f"{category}: Trust Center")
    expect(button).to_have_attribute("aria-pressed", "false")
    button.click()
    expect(button).to_have_attribute("aria-pressed", "true")
    assert category.platform_id in desk.there(CENTER)
    sandbox.fail("drop_answer", method="POST", path=f"{PATH}/*/product-contexts", times=1)
    sandbox.fail("status", value=503, method="GET", path=PATH, times=50)
    page.get_by_role("button", name=f"{category}: Document sharing").click()
    expect(page.get_by_text("Checking", exact=True)).to_be_visible()
    look(page, "trust-2-checking")
    sandbox.control("DELETE", "/faults")
    let_pass(5)
    work()
    # Nobody touches the page: it hears of the outcome by itself.
    expect(page.get_by_role("button", name=f"{category}: Document sharing")).to_have_attribute(
        "aria-pressed", "true", timeout=15_000
    )
    fill_with_life()
    page.goto(root)
    page.locator("#matrix .tbl summary").first.click()
    expect(page.get_by_role("list", name=f"Tags of {LONG}")).to_be_visible()
    look(page, "trust-3-many")
    page.get_by_role("searchbox", name="Search by category or tag").fill("nobody calls a tag so")
    expect(page.get_by_text("No matching categories")).to_be_visible()
    look(page, "trust-4-nothing")


def test_a_category_is_found_and_switched_by_keyboard(page, live_server, session_cookie, desk):
    category = desk.unused
    page.context.add_cookies([session_cookie])
    page.goto(f"{live_server.url}{PAGE}")
    expect(page.locator("#matrix tbody tr").first).to_be_visible()
    page.keyboard.press("/")
    page.keyboard.type(category.tags[0]["name"])
    expect(page.locator("#matrix tbody tr")).to_have_count(1)
    button = page.get_by_role("button", name=f"{category}: Control sharing")
    button.focus()
    page.keyboard.press("Space")
    expect(button).to_have_attribute("aria-pressed", "true")
    expect(button).to_be_focused()
    page.keyboard.press("Enter")
    expect(button).to_have_attribute("aria-pressed", "false")
    assert category.platform_id not in desk.there(CONTROLS)
    summary = page.locator("#matrix .tbl summary")
    summary.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("list", name=f"Tags of {category}")).to_be_visible()


def test_the_matrix_needs_no_script(browser, live_server, session_cookie, desk):
    context = browser.new_context(java_script_enabled=False)
    context.add_cookies([session_cookie])
    page, category = context.new_page(), desk.unused
    page.goto(f"{live_server.url}{PAGE}")
    page.get_by_role("searchbox", name="Search by category or tag").fill(category.name)
    page.get_by_role("button", name="Apply").click()
    page.get_by_role("button", name=f"{category}: Trust Center").click()
    expect(page.get_by_text("is on.")).to_be_visible()
    expect(page.get_by_role("button", name=f"{category}: Trust Center")).to_have_attribute("aria-pressed", "true")
    assert "?q=" in page.url
    context.close()
