"""What only a browser can show: the pages on a desk and on a phone, and the way by mouse and keys."""

import pytest
from playwright.sync_api import expect

from portal.people.models import Group, GroupItem, Person
from portal.platform_writes.models import ItemState
from tests.people.conftest import PAGE
from tests.support.page_checks import look

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.xdist_group("people-browser")]


def test_people_are_found_and_put_into_a_group(page, live_server, session_cookie, desk):
    page.context.add_cookies([session_cookie])
    page.goto(f"{live_server.url}{PAGE}")
    expect(page.locator("#list tbody tr")).to_have_count(Person.objects.count())
    look(page, "people-1-list")
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    expect(page.locator("#person h1")).to_be_visible()
    look(page, "people-2-person")
    page.goto(f"{live_server.url}{PAGE}groups/")
    look(page, "people-3-groups")
    group = Group.objects.get(name="Security team")
    page.get_by_role("link", name=group.name).click()
    expect(page.get_by_role("heading", level=1)).to_have_text(group.name)
    look(page, "people-4-group")
    page.get_by_role("link", name="Add people").click()
    expect(page.get_by_role("link", name="Back to the group")).to_be_visible()
    page.keyboard.press("j")
    page.keyboard.press("x")
    page.get_by_role("button", name="Add to this group…").click()
    look(page, "people-5-ask")
    page.keyboard.press("e")
    page.keyboard.press("Control+Enter")
    expect(page.locator("#run")).to_be_visible()
    look(page, "people-6-run")
    desk.let_work()
    assert [item.state for item in GroupItem.objects.all()] == [ItemState.DONE]
    for number, path in enumerate(("groups/new/", "groups/import/"), start=7):
        page.goto(f"{live_server.url}{PAGE}{path}")
        look(page, f"people-{number}")
