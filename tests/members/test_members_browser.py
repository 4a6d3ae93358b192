"""Nobody loses access by one press."""

import pytest
from playwright.sync_api import Page, expect

from portal.tenants.models import Role
from tests.support.members import is_member

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
PAGE = "/t/acme/settings/members/"


def test_removing_a_member_even_an_owner_asks_first(page: Page, live_server, session_cookie, acme, member):
    other = member(Role.OWNER)
    page.context.add_cookies([session_cookie])
    page.goto(f"{live_server.url}{PAGE}")
    row = page.get_by_role("row").filter(has_text=other.email)
    dialog = page.get_by_role("dialog")
    row.get_by_role("button", name="Remove").click()
    expect(dialog).to_contain_text(other.name)
    dialog.get_by_role("button", name="Cancel").click()
    expect(dialog).to_be_hidden()
    assert is_member(user=other)
    row.get_by_role("button", name="Remove").click()
    dialog.get_by_role("button", name="Remove").click()
    expect(row).to_have_count(0)
    assert not is_member(user=other)


def test_leaving_asks_first_and_the_last_owner_stays(page: Page, live_server, session_cookie, acme, alice):
    page.context.add_cookies([session_cookie])
    page.goto(f"{live_server.url}{PAGE}")
    page.get_by_role("button", name="Leave").click()
    page.get_by_role("dialog").get_by_role("button", name="Leave").click()
    expect(page.locator("#toasts")).to_contain_text("at least one owner")
    assert is_member(user=alice)
