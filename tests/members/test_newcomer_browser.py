"""S19: a new colleague's way from the mail to the first page, counted."""

import pytest
from playwright.sync_api import Page, expect

from portal.tenants.models import Role
from portal.users.models import User
from tests.support.mails import mails_to, path_in

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
NEW = "new@acme.example"
MAX_STEPS = 4


def test_s19_from_the_mail_to_the_first_page_in_four_steps_and_one_mail(
    page: Page, live_server, acme, alice, client, mailoutbox
):
    client.force_login(alice)
    client.post("/t/acme/settings/members/invite/", {"email": NEW, "role": Role.ANALYST})
    link = path_in(mails_to(NEW, mailoutbox)[0])
    page.context.set_default_timeout(15000)
    steps = [
        lambda: page.goto(live_server.url + link),
        lambda: page.get_by_label("Your name").fill("New Person"),
        lambda: page.get_by_label("Choose a password").fill("four plain words together"),
        lambda: page.get_by_role("button", name="Join Acme").click(),
    ]
    assert len(steps) <= MAX_STEPS
    for step in steps:
        step()
    expect(page).to_have_url(f"{live_server.url}/t/acme/")
    expect(page.locator("#toasts")).to_contain_text("You joined Acme")
    assert len(mails_to(NEW, mailoutbox)) == 1
    page.goto(f"{live_server.url}/accounts/sessions/")
    expect(page.get_by_role("row").filter(has_text="This session")).to_have_count(1)
    zone = page.evaluate("Intl.DateTimeFormat().resolvedOptions().timeZone")
    assert User.objects.get(email=NEW).timezone == zone


def test_s19_the_way_in_works_by_keyboard_alone_at_the_width_of_a_phone(
    page: Page, live_server, acme, alice, client, mailoutbox
):
    client.force_login(alice)
    client.post("/t/acme/settings/members/invite/", {"email": NEW, "role": Role.VIEWER})
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(live_server.url + path_in(mails_to(NEW, mailoutbox)[0]))
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    for _ in range(10):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.name") == "name":
            break
    page.keyboard.type("New Person")
    page.keyboard.press("Tab")
    page.keyboard.type("four plain words together")
    page.keyboard.press("Enter")
    expect(page).to_have_url(f"{live_server.url}/t/acme/")
