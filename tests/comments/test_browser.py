"""Comments as they look, by mouse and by keyboard, in two browsers at once, and with nothing typed ever lost."""

import re

import pytest
from django.test import Client
from playwright.sync_api import expect

from portal.comments.models import Comment, Mention
from portal.comments.services import add_comment, resolve_comment
from portal.comments.subjects import registered
from portal.tenants.models import Role
from portal.tenants.scope import tenant_scope
from tests.comments.conftest import PAPER, page_of
from tests.conftest import make_user
from tests.support.members import add_member, find_member
from tests.support.page_checks import look
from tests.support.panes import check_foot

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.xdist_group("comments-browser")]

LONG = "Maximiliane-Charlotte von Hohenstein-Wittelsbach zu Oberpfaffenhofen"


@pytest.fixture
def carol(acme):
    user = make_user("carol@acme.example", "Carol Chen")
    return add_member(tenant=acme, user=user, role=Role.ANALYST)


@pytest.fixture
def open_page(page, live_server, session_cookie, objects, carol):
    page.context.add_cookies([session_cookie])

    def go(path=PAPER):
        page.goto(f"{live_server.url}{path}")
        return page

    return go


def field_of(page):
    return page.locator("#comments").get_by_label("Comment", exact=True)


def test_it_looks_right_with_none_one_and_many(open_page, alice, acme, carol, objects):
    page = open_page()
    look(page, "comments-1-none")
    member, contract = find_member(user=alice), registered("contract")
    long = add_member(tenant=acme, user=make_user("l@acme.example", LONG), role=Role.ANALYST)
    with tenant_scope(acme.pk):
        add_comment(contract, "paper-1", "Does the notice period cover us?", member=member)
        page = open_page()
        look(page, "comments-2-one")
        for number in range(24):
            add_comment(contract, "paper-1", f"Point {number}", member=carol)
        text = f"@Carol Chen, see https://a.example/{'x' * 160}\n\nشكرا and {'w' * 90}"
        comment, _ = add_comment(contract, "paper-1", text, member=long)
        resolve_comment(comment, member=long)
        add_comment(contract, "paper-1", f"@{LONG} please", member=member)
    page = open_page()
    page.locator("#comments").get_by_role("link", name="Edit").last.click()
    expect(page.get_by_role("button", name="Save")).to_be_visible()
    look(page, "comments-3-many")
    page.get_by_role("link", name="Cancel").click()
    expect(page.get_by_role("button", name="Save")).to_have_count(0)
    page.locator("#comments").get_by_role("link", name="Delete…").last.click()
    expect(page.get_by_text("Delete this comment?")).to_be_visible()
    look(page, "comments-4-delete")


@pytest.mark.parametrize("kind", ["account", "access_request", "response", "incident", "deletion_request"])
def test_it_looks_right_on_every_desk(open_page, alice, acme, objects, kind):
    with tenant_scope(acme.pk):
        add_comment(registered(kind), objects[kind], "Does this cover us?", member=find_member(user=alice))
    page = open_page(page_of(kind, objects[kind]))
    expect(page.locator("#comments")).to_contain_text("Does this cover us?")
    look(page, f"comments-5-{kind}")
    if kind in ("access_request", "response"):
        check_foot(page)
        page.locator("#comments").scroll_into_view_if_needed()
        field_of(page).fill("From the pane")
        field_of(page).press("Control+Enter")
        expect(page.locator(".comment-list")).to_contain_text("From the pane")


def test_by_mouse_a_comment_is_written_edited_resolved_and_deleted(open_page):
    page = open_page()
    field_of(page).fill("Thirty days?\nOr sixty?")
    page.get_by_role("button", name="Comment", exact=True).click()
    expect(page.locator(".comment-text")).to_have_text("Thirty days?\nOr sixty?")
    expect(field_of(page)).to_have_value("")
    page.get_by_role("link", name="Edit", exact=True).click()
    page.locator("#comment-edit-form textarea").fill("Sixty days?")
    page.get_by_role("button", name="Save").click()
    expect(page.locator(".comment-text")).to_have_text("Sixty days?")
    expect(page.locator(".comment-head")).to_contain_text("edited")
    page.get_by_role("button", name="Resolve").click()
    expect(page.locator(".comment-state")).to_contain_text("Resolved by Alice Ames")
    page.get_by_role("button", name="Reopen").click()
    expect(page.locator(".comment-state")).to_have_count(0)
    page.get_by_role("link", name="Delete…").last.click()
    page.locator(".comment-ask").get_by_role("button", name="Delete").click()
    expect(page.locator(".comment-list")).to_contain_text("Deleted by Alice Ames")
    # The activity of the contract follows.
    expect(page.locator("#contract .timeline")).to_contain_text("Deleted a comment", timeout=8_000)


def test_nobody_is_mentioned_who_was_offered_for_fewer_letters(open_page, carol):
    page = open_page()
    field_of(page).focus()
    page.keyboard.type("@car")
    expect(page.get_by_role("option", name=re.compile("Carol Chen"))).to_have_attribute("aria-selected", "true")
    page.route("**/people/?q=*", lambda route: route.abort())
    page.keyboard.type("lz")
    page.keyboard.press("Tab")
    expect(field_of(page)).to_have_value("@carlz")


def test_by_keyboard_a_teammate_is_mentioned(open_page, carol):
    page = open_page()
    field_of(page).focus()
    page.keyboard.type("Please look, @car")
    option = page.get_by_role("option", name=re.compile("Carol Chen"))
    expect(option).to_have_attribute("aria-selected", "true")
    look(page, "comments-6-mention")
    page.keyboard.press("Enter")
    expect(field_of(page)).to_have_value("Please look, @Carol Chen ")
    expect(option).to_be_hidden()
    page.keyboard.type("thanks. @zz")
    page.keyboard.press("Control+Enter")
    expect(page.locator(".mention")).to_have_text("@Carol Chen")
    expect(page.locator(".toast")).to_contain_text("No one here is called @zz")
    expect(field_of(page)).to_be_focused()
    with tenant_scope(carol.tenant_id):
        assert Mention.objects.get().user == carol.user
    page.keyboard.type("@")
    expect(page.get_by_role("option")).to_have_count(2)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Escape")
    expect(page.get_by_role("option").first).to_be_hidden()
    expect(field_of(page)).to_be_focused()


def test_a_second_browser_follows_and_what_is_typed_stays(open_page, browser, live_server, carol, acme):
    page = open_page()
    client = Client()
    client.force_login(carol.user)
    cookie = {"name": "sessionid", "value": client.cookies["sessionid"].value, "url": live_server.url}
    other = browser.new_context()
    other.add_cookies([cookie])
    there = other.new_page()
    there.goto(f"{live_server.url}{PAPER}")
    there.locator("#comments textarea").fill("Half a sentence")
    there.locator("h1").click()
    field_of(page).fill("Seen by both")
    field_of(page).press("Control+Enter")
    expect(there.locator(".comment-list")).to_contain_text("Seen by both", timeout=8_000)
    expect(there.locator("#comments textarea")).to_have_value("Half a sentence")
    # An edit that is open stays so, with its text, while others write.
    there.locator("#comments textarea").press("Control+Enter")
    there.get_by_role("link", name="Edit", exact=True).click()
    there.locator("#comment-edit-form textarea").fill("A better sentence")
    there.locator("h1").click()
    field_of(page).fill("Meanwhile")
    field_of(page).press("Control+Enter")
    expect(there.locator(".comment-list")).to_contain_text("Meanwhile", timeout=8_000)
    expect(there.locator("#comment-edit-form textarea")).to_have_value("A better sentence")
    there.get_by_role("button", name="Save").click()
    expect(page.locator(".comment-list")).to_contain_text("A better sentence", timeout=8_000)
    other.close()


def test_what_is_typed_outlives_the_page_the_pane_and_a_refusal(open_page, objects, acme):
    page = open_page()
    field_of(page).fill("Not sent yet")
    page = open_page("/t/acme/contracts/")
    page = open_page()
    expect(field_of(page)).to_have_value("Not sent yet")
    field_of(page).fill("x" * 5001)
    page.get_by_role("button", name="Comment", exact=True).click()
    expect(page.locator("#comments")).to_contain_text("This one has 5,001")
    expect(field_of(page)).to_have_value("x" * 5001)
    field_of(page).fill("Short")
    field_of(page).press("Control+Enter")
    expect(page.locator(".comment-text")).to_have_text("Short")
    page = open_page()
    expect(field_of(page)).to_have_value("")


def test_it_works_without_a_script(browser, live_server, session_cookie, objects, acme):
    context = browser.new_context(java_script_enabled=False)
    context.add_cookies([session_cookie])
    page = context.new_page()
    page.goto(f"{live_server.url}{PAPER}")
    field_of(page).fill("x" * 5001)
    page.get_by_role("button", name="Comment", exact=True).click()
    expect(field_of(page)).to_have_value("x" * 5001)
    field_of(page).fill("Without a script")
    page.get_by_role("button", name="Comment", exact=True).click()
    expect(page.locator(".comment-text")).to_have_text("Without a script")
    page.get_by_role("link", name="Edit", exact=True).click()
    page.locator("#comment-edit-form textarea").fill("Still without")
    page.get_by_role("button", name="Save").click()
    page.get_by_role("link", name="Delete…").last.click()
    page.locator(".comment-ask").get_by_role("button", name="Delete").click()
    expect(page.locator("#comments")).to_contain_text("Deleted by Alice Ames")
    with tenant_scope(acme.pk):
        assert Comment.objects.get().body == ""
    context.close()
