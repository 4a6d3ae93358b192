"""Tags on the list as people use them: chosen above it, followed from a row, found by the search."""

import pytest
from playwright.sync_api import expect

from portal.accounts.tags import key_of_tag
from portal.tags.models import Category
from tests.questionnaires.tagged import PAGE
from tests.support.page_checks import look

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.xdist_group("questionnaires-browser")]


def test_a_list_is_narrowed_by_the_select_by_a_row_and_by_the_search(page, live_server, session_cookie, tagged):
    first, second, *others = tagged.tags()
    other = tagged.questionnaires[1]
    tagged.tag(other, first, second, *others)
    tagged.compare()
    names = {tag["id"]: tag["name"] for row in Category.objects.all() for tag in row.tags}
    page.context.add_cookies([session_cookie])
    page.goto(f"{live_server.url}{PAGE}?stage=all")
    rows = page.locator("#results tbody tr")
    expect(rows).to_have_count(3)
    expect(rows.filter(has_text=other.name).locator("a.tag")).to_have_count(2)
    expect(rows.filter(has_text=other.name).locator(".tag.more")).to_contain_text(f"+{len(others)}")
    look(page, "tags-1-list")
    page.get_by_label("Tag", exact=True).select_option(key_of_tag(second))
    expect(rows).to_have_count(1)
    expect(page.locator("#results").get_by_role("link", name=other.name)).to_be_visible()
    look(page, "tags-2-narrowed")
    rows.locator("a.tag", has_text=names[first[1]]).click()
    expect(rows).to_have_count(2)
    expect(page.get_by_label("Tag", exact=True)).to_have_value(key_of_tag(first))
    page.get_by_role("combobox", name="Search or run a command").click()
    page.keyboard.type(names[others[-1][1]])
    page.locator("#found").get_by_role("option", name=names[others[-1][1]]).first.click()
    expect(rows).to_have_count(1)
    expect(page.get_by_label("Tag", exact=True)).to_have_value(key_of_tag(others[-1]))
    page.goto(f"{live_server.url}{PAGE}{other.platform_id}/details/")
    look(page, "tags-3-details")
    page.goto(f"{live_server.url}/t/acme/tags/")
    page.locator("#matrix .tbl summary").first.click()
    look(page, "tags-4-categories")
    page.get_by_role("list", name=f"Tags of {Category.objects.order_by('name_sort')[0]}").get_by_role("link").first.click()
    expect(page.locator("#results")).to_be_visible()
