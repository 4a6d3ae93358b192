"""What only a browser can show: axe, the keyboard, themes, dialogs, regions that refresh themselves."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.support.page_checks import DESK, PHONE, look

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.xdist_group("look-browser")]


@pytest.fixture
def visit(page: Page, live_server, settings):
    """Open a path; the test fails if the page complains on its console, unless it says what it expects."""
    settings.DEBUG = True
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))

    def open_page(path: str) -> Page:
        page.goto(f"{live_server.url}{path}")
        return page

    open_page.expected = None
    yield open_page
    # A complaint that is expected comes when it likes, also after the test.
    assert [text for text in complaints if open_page.expected is None or open_page.expected not in text] == []


@pytest.mark.parametrize(
    ("theme", "size"), [("light", DESK), ("dark", DESK), ("light", PHONE)], ids=["light-desk", "dark-desk", "light-phone"]
)
@pytest.mark.parametrize("path", ["/styleguide/", "/styleguide/?pane=1", "/accounts/login/", "/accounts/signup/", "/speak/"])
def test_axe_finds_nothing_and_nothing_sticks_out(path, theme, size, visit, page):
    page.set_viewport_size(size)
    page.emulate_media(color_scheme=theme)
    visit(path)
    # The look at the light desk is one at the phone in the dark as well.
    look(page, f"look{path.replace('/', '-')}", has_phone=theme == "light")


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_a_look_notices_what_is_wrong_on_any_page(size, visit, page, tenant_cookie):
    page.set_viewport_size(size)
    page.context.add_cookies([tenant_cookie])
    # The first page is looked at as a whole, the second one without what surrounds it.
    for _ in range(2):
        visit("/t/acme/contracts/")
        look(page, "sound")
        page.locator("main h1").evaluate("heading => { heading.style.color = 'silver' }")
        with pytest.raises(AssertionError, match="color-contrast"):
            look(page, "pale")


def test_the_theme_is_chosen_at_once_and_stays_chosen(visit, page, tenant_cookie):
    page.emulate_media(color_scheme="light")
    page.context.add_cookies([tenant_cookie])
    visit("/t/acme/contracts/")
    page.get_by_label("Your menu").click()
    page.get_by_role("button", name="Dark").click()
    expect(page.locator("html")).to_have_css("color-scheme", "dark")
    page.reload()
    expect(page.locator("html")).to_have_css("color-scheme", "dark")
    page.get_by_label("Your menu").click()
    page.get_by_role("button", name="System").click()
    page.reload()
    expect(page.locator("html")).to_have_css("color-scheme", "light dark")


def test_keys_walk_through_rows_select_them_and_open_the_list_of_keys(visit, page):
    visit("/styleguide/")
    page.keyboard.press("j")
    page.keyboard.press("j")
    expect(page.get_by_role("link", name="Helios Health").first).to_be_focused()
    page.keyboard.press("x")
    expect(page.get_by_label("Select Helios Health")).to_be_checked()
    expect(page.get_by_role("group", name="With the selected rows")).to_contain_text("1 selected")
    page.keyboard.press("k")
    expect(page.get_by_role("link", name="Northwind Bank").first).to_be_focused()
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keyboard shortcuts")).to_be_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("/")
    expect(page.get_by_label("Filter by customer or title")).to_be_focused()
    page.keyboard.type("j?x/")
    expect(page.get_by_label("Filter by customer or title")).to_have_value("j?x/")


def test_many_choices_are_found_by_words_and_what_is_chosen_stays_so_out_of_sight(visit, page):
    visit("/styleguide/?pane=1")
    form = page.get_by_role("region", name="A form")
    choices = form.get_by_role("group", name="Frameworks")
    choices.get_by_label("HIPAA 2025").check()
    find = choices.get_by_label("Find in Frameworks")
    find.fill("2026 iso")
    expect(choices.get_by_role("checkbox")).to_have_count(2)
    expect(choices.get_by_role("status")).to_have_text("1 chosen · 2 found")
    find.press("Tab")
    page.keyboard.press("Space")
    expect(choices.get_by_label("ISO 27001 2026")).to_be_checked()
    find.fill("nothing such")
    expect(choices.get_by_role("checkbox")).to_have_count(0)
    expect(choices.get_by_role("status")).to_have_text("2 chosen · 0 found")
    address = page.url
    find.press("Enter")
    find.press("Escape")
    expect(find).to_have_value("")
    expect(find).to_be_focused()
    expect(page.locator(".pane")).to_have_count(1)
    expect(choices.get_by_role("checkbox", checked=True)).to_have_count(2)
    assert page.url == address
    # Few choices are in sight without it.
    expect(form.get_by_role("group", name="Documents").get_by_role("searchbox")).to_have_count(0)


def test_a_row_of_tabs_fades_where_more_of_them_are(visit, page):
    page.set_viewport_size({"width": 320, "height": 700})
    visit("/styleguide/")
    tabs = page.get_by_role("navigation", name="Questionnaires by state")
    expect(tabs).to_have_class(re.compile("more-after"))
    tabs.evaluate("row => row.scrollTo({left: row.scrollWidth, behavior: 'instant'})")
    expect(tabs).to_have_class(re.compile("more-before"))
    expect(tabs).not_to_have_class(re.compile("more-after"))
    page.set_viewport_size(DESK)
    expect(tabs).to_have_class("tabs")


def test_escape_closes_the_pane(visit, page):
    visit("/styleguide/?pane=1")
    page.keyboard.press("Escape")
    expect(page.locator(".pane")).to_have_count(0)


def test_a_dialog_opens_and_closes_by_button_key_and_a_click_beside_it(visit, page):
    visit("/styleguide/")
    dialog = page.locator("#sample-dialog")
    for close in (
        lambda: dialog.get_by_role("button", name="Cancel").click(),
        lambda: page.keyboard.press("Escape"),
        lambda: page.mouse.click(5, 5),
    ):
        page.get_by_role("button", name="Open a dialog").click()
        expect(dialog).to_be_visible()
        close()
        expect(dialog).to_be_hidden()


def test_text_that_is_selected_out_of_a_dialog_leaves_it_open(visit, page):
    visit("/styleguide/")
    dialog = page.locator("#sample-dialog")
    page.get_by_role("button", name="Open a dialog").click()
    place = dialog.bounding_box()
    page.mouse.move(place["x"] + place["width"] / 2, place["y"] + place["height"] / 2)
    page.mouse.down()
    page.mouse.move(5, 5)
    page.mouse.up()
    expect(dialog).to_be_visible()


def say(page: Page, **detail: str) -> None:
    page.evaluate("(detail) => document.dispatchEvent(new CustomEvent('toast', { detail }))", detail)


def test_a_toast_stays_while_its_link_has_the_focus(visit, page):
    page.clock.install()
    visit("/live/")
    say(page, text="Three are on their way.", tone="good", url="/live/", link="View progress")
    page.get_by_role("link", name="View progress").focus()
    page.clock.run_for(20_000)
    expect(page.get_by_role("link", name="View progress")).to_be_focused()
    page.get_by_role("link", name="View progress").blur()
    page.clock.run_for(5_000)
    expect(page.get_by_role("link", name="View progress")).to_have_count(0)


def test_good_news_does_not_push_bad_news_away(visit, page):
    visit("/live/")
    say(page, text="Refused.", tone="bad")
    for number in range(6):
        say(page, text=f"Good {number}.", tone="good")
    expect(page.locator("[data-toast]", has_text="Refused.")).to_be_visible()
    expect(page.locator("[data-toasts] [data-toast]")).to_have_count(4)


def test_s16_what_a_person_presses_in_a_live_region_is_no_poll(visit, page):
    visit("/live/")
    page.evaluate("document.getElementById('region').setAttribute('hx-headers', '{\"Seen\": \"1\"}')")
    with page.expect_request(lambda request: "seen" in request.headers):
        page.wait_for_timeout(1)
    headers = page.evaluate(
        """() => new Promise((done) => {
            const link = Object.assign(document.createElement("a"), { href: "/live/" });
            link.setAttribute("hx-get", "/live/");
            document.getElementById("region").append(link);
            htmx.process(link);
            link.addEventListener("htmx:beforeRequest", (event) => done(event.detail.requestConfig.headers));
            link.click();
        })"""
    )
    assert "Seen" not in headers


def test_a_toast_of_the_server_is_text_and_can_be_dismissed(visit, page):
    visit("/live/")
    page.get_by_role("button", name="Toast").click()
    page.get_by_role("button", name="Toast").click()
    toast = page.locator("[data-toasts] [data-toast]")
    # Said twice it stands there once.
    expect(toast).to_contain_text("It is <b>done</b>.")
    expect(toast).to_have_count(1)
    toast.get_by_role("button", name="Dismiss").click()
    expect(toast).to_have_count(0)


def covers(one: Locator, other: Locator) -> bool:
    a, b = one.bounding_box(), other.bounding_box()
    return all(a[at] < b[at] + b[size] and b[at] < a[at] + a[size] for at, size in [("x", "width"), ("y", "height")])


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_a_toast_leaves_the_buttons_of_a_pane_free(size, visit, page):
    page.set_viewport_size(size)
    visit("/styleguide/?pane=1")
    page.evaluate("document.dispatchEvent(new CustomEvent('toast', { detail: { text: 'Refused.', tone: 'bad' } }))")
    toast = page.locator("[data-toast]", has_text="Refused.")
    expect(toast).to_be_visible()
    assert not covers(toast, page.locator(".pane footer"))


def test_without_a_script_a_toast_covers_nothing_and_shows_no_button(browser, live_server):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{live_server.url}/speak/")
    toast = page.locator("[data-toast]")
    expect(toast).to_contain_text("not run")
    assert not covers(toast, page.locator(".entrance-card"))
    expect(toast.get_by_role("button")).to_have_count(0)
    context.close()


def test_a_failed_request_is_said(visit, page):
    visit("/live/")
    page.get_by_role("button", name="Broken").click()
    expect(page.locator("[data-toasts]")).to_contain_text("The portal can't save anything right now")
    visit.expected = "503"


def test_a_live_region_refreshes_and_keeps_focus_and_ticks(visit, page):
    visit("/live/")
    page.get_by_label("Select second").check()
    page.get_by_role("link", name="second").focus()
    before = page.locator("#number").inner_text()
    expect(page.locator("#number")).not_to_have_text(before)
    expect(page.get_by_role("link", name="second")).to_be_focused()
    expect(page.get_by_label("Select second")).to_be_checked()


def test_whoever_opens_something_by_keyboard_keeps_the_focus(visit, page):
    visit("/live/")
    page.get_by_role("link", name="Open").focus()
    page.evaluate("document.querySelector('#desk a').dataset.old = 'yes'")
    page.keyboard.press("Enter")
    expect(page.locator("#desk a[data-old]")).to_have_count(0)
    expect(page.get_by_role("link", name="Open")).to_be_focused()


def test_a_live_region_waits_while_somebody_types_in_it(visit, page):
    visit("/live/")
    page.get_by_label("Note").fill("half a sen")
    before = page.locator("#number").inner_text()
    page.wait_for_timeout(700)
    expect(page.locator("#number")).to_have_text(before)
    expect(page.get_by_label("Note")).to_have_value("half a sen")
    page.get_by_label("Note").blur()
    expect(page.locator("#number")).not_to_have_text(before)


def test_a_session_that_ended_is_said_and_the_sign_in_page_is_not_swapped_into_the_page(visit, page):
    visit("/live/")
    page.context.add_cookies([{"name": "signed_out", "value": "1", "url": page.url}])
    expect(page.get_by_role("link", name="Sign in again")).to_be_visible()
    expect(page.get_by_label("Password")).to_have_count(0)


def test_the_menu_of_a_phone_opens_without_a_script(browser, live_server, tenant_cookie):
    context = browser.new_context(viewport=PHONE, java_script_enabled=False)
    context.add_cookies([tenant_cookie])
    page = context.new_page()
    page.goto(f"{live_server.url}/t/acme/contracts/")
    expect(page.get_by_role("link", name="Portfolio")).to_be_hidden()
    page.get_by_role("button", name="Open the navigation").click()
    expect(page.locator("#side").get_by_role("link", name="Questionnaires")).to_be_visible()
    context.close()
