"""What only a browser can show: axe, a phone's width, the keyboard, a walk without a script, a pane that follows by itself."""

import re
from itertools import pairwise

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from portal.access_requests.models import AccessRequest, Decision, Outcome
from portal.page_refresh.services import touch_areas
from portal.tenants.scope import tenant_scope
from tests.access_requests.conftest import PAGE, address, let_leave
from tests.support.page_checks import look

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.xdist_group("access-browser")]


def test_every_page_of_the_desk_is_sound(page, live_server, session_cookie, desk, sandbox):
    page.context.add_cookies([session_cookie])
    row = desk.waiting
    page.goto(f"{live_server.url}{PAGE}")
    look(page, "access-1-list")
    page.goto(f"{live_server.url}{PAGE}?tab=all")
    look(page, "access-2-all")
    page.goto(f"{live_server.url}{PAGE}")
    page.get_by_role("link", name=str(row), exact=True).click()
    expect(page.get_by_role("heading", name=str(row))).to_be_visible()
    look(page, "access-3-pane")
    page.get_by_label("Chosen documents").check()
    page.get_by_label("Access ends").select_option("date")
    page.get_by_role("button", name="Approve").click()
    expect(page.get_by_text("Choose a date.")).to_be_visible()
    page.get_by_text("Choose a date.").scroll_into_view_if_needed()
    look(page, "access-4-wrong")
    page.get_by_role("link", name="Deny…").click()
    expect(page.get_by_label("Your message")).to_be_visible()
    look(page, "access-5-deny")
    page.get_by_label("Your message").fill("Please use your business address.")
    page.get_by_role("button", name="Deny request").click()
    expect(page.locator("#pending-decisions")).to_contain_text("Denying")
    look(page, "access-6-held")
    page.goto(f"{live_server.url}{address(row)}")
    expect(page.get_by_text("Nothing has been sent yet.")).to_be_visible()
    look(page, "access-6-held-pane")
    sandbox.fail("drop_answer", method="POST", path="/v1/trust-centers/*", times=1)
    sandbox.fail("status", method="GET", path="/v1/trust-centers", value=503)
    let_leave()
    # Nobody touches the page: it hears of the outcome by itself.
    expect(page.get_by_text("We could not confirm it and are checking")).to_be_visible()
    look(page, "access-6-checking")
    sandbox.control("DELETE", "/faults")
    desk.drain()
    expect(page.get_by_text("Denied by")).to_be_visible()
    look(page, "access-7-denied")
    page.goto(f"{live_server.url}{PAGE}?tab=all&group=domain")
    expect(page.get_by_role("heading", name="Access requests", exact=True)).to_be_visible()
    look(page, "access-7-grouped")
    page.goto(f"{live_server.url}{PAGE}settings/")
    expect(page.get_by_role("heading", name="Access request settings")).to_be_visible()
    look(page, "access-7-settings")
    page.goto(f"{live_server.url}{PAGE}viewers/?tab=all")
    look(page, "access-8-viewers")


def test_search_pane_and_back_keep_the_place(page, live_server, session_cookie, desk):
    row = desk.waiting
    page.context.add_cookies([session_cookie])
    page.goto(f"{live_server.url}{PAGE}")
    page.get_by_role("link", name=str(row), exact=True).click()
    expect(page).to_have_url(f"{live_server.url}{address(row)}")
    page.get_by_role("searchbox", name="Search name, email or company").fill(row.domain)
    expect(page).to_have_url(re.compile(re.escape(f"{live_server.url}{address(row)}?q={row.domain}&")))
    page.get_by_role("link", name="Back to the list").click()
    expect(page).to_have_url(re.compile(re.escape(f"{live_server.url}{PAGE}?q={row.domain}&")))
    # What a click takes the focus from sends nothing of its own: its answer would come after that of the click.
    page.wait_for_timeout(600)
    expect(page).to_have_url(re.compile(re.escape(f"{live_server.url}{PAGE}?q={row.domain}&")))
    expect(page.locator(".pane")).to_have_count(0)
    page.go_back()
    expect(page.locator(".pane")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(page.locator(".pane")).to_have_count(0)


def test_w2_neither_news_nor_a_search_put_back_what_is_chosen_and_typed(page, live_server, session_cookie, desk, acme):
    row = desk.waiting
    page.context.add_cookies([session_cookie])
    page.goto(f"{live_server.url}{address(row)}")
    ends = page.get_by_label("Access ends")
    ends.select_option("date")
    page.get_by_role("searchbox", name="Search name, email or company").fill(row.domain)
    expect(page).to_have_url(re.compile(re.escape(f"?q={row.domain}&")))
    expect(ends).to_have_value("date")
    page.locator("#pane-title").click()
    with tenant_scope(acme.pk):
        AccessRequest.objects.filter(pk=row.pk).update(name="Renamed meanwhile", touched_at=timezone.now())
        touch_areas("access_requests")
    expect(page.locator("#access-requests")).to_contain_text("Renamed meanwhile")
    page.wait_for_timeout(4_000)  # longer than a poll
    expect(ends).to_have_value("date")


def test_a_request_is_decided_without_a_mouse_and_without_a_script(browser, live_server, session_cookie, desk):
    row = desk.waiting
    context = browser.new_context(java_script_enabled=False)
    context.add_cookies([session_cookie])
    page = context.new_page()
    page.goto(f"{live_server.url}{PAGE}")
    page.get_by_role("link", name=str(row), exact=True).focus()
    page.keyboard.press("Enter")
    page.locator(".pane footer").get_by_role("button", name="Approve").focus()
    page.keyboard.press("Enter")
    banner = page.locator("#pending-decisions")
    expect(banner).to_contain_text("Approving")
    banner.get_by_role("button", name="Undo").click()
    expect(page.locator("#pending-decisions")).not_to_contain_text("Approving")
    page.locator(".pane footer").get_by_role("button", name="Approve").click()
    expect(banner).to_contain_text("Approving")
    let_leave()
    page.goto(f"{live_server.url}{address(row)}")
    expect(page.get_by_text("Approved by")).to_be_visible()
    assert AccessRequest.objects.get(pk=row.pk).outcome == Outcome.APPROVED
    context.close()


def test_w3_a_queue_of_forty_is_cleared_by_keyboard_and_ends_as_the_platform_has_it(
    page, live_server, session_cookie, desk, sandbox
):
    """Duplicates, decided elsewhere, refused, without an answer: each has one outcome, and all of them are told."""
    for _ in range(40 - AccessRequest.objects.pending().count()):
        desk.happen("received")
    desk.fetch()
    rows = list(AccessRequest.objects.pending().order_by("created_at", "id"))
    assert len(rows) == 40
    # The same person asks twice.
    desk.change_there(rows[5], email=rows[4].email, name=rows[4].name)
    desk.fetch()
    page.context.add_cookies([session_cookie])
    page.goto(f"{live_server.url}{PAGE}")
    page.get_by_role("link", name=str(rows[0]), exact=True).first.focus()
    page.keyboard.press("Enter")
    expect(page).to_have_url(f"{live_server.url}{address(rows[0])}")
    verbs = {}
    for row, following in pairwise(rows[:9]):
        # The address changes a moment before what stands there.
        expect(page.locator(f"#approve-form[action*='{row.platform_id}']")).to_be_visible()
        may_approve = row.access_level == "FULL_ACCESS" or row.requested_resources
        verbs[row.pk] = "approve" if may_approve and row != rows[5] else "deny"
        page.keyboard.press("a" if verbs[row.pk] == "approve" else "d")
        if verbs[row.pk] == "deny":
            page.locator("#deny-form select:focus").select_option(index=3)
        expect(page.locator("#access-request form :focus")).to_be_visible()
        page.keyboard.press("Control+Enter")
        expect(page).to_have_url(f"{live_server.url}{address(following)}")
    expect(page.locator(f"#approve-form[action*='{rows[8].platform_id}']")).to_be_visible()
    page.keyboard.press("u")
    expect(page).to_have_url(f"{live_server.url}{address(rows[7])}")
    assert Decision.objects.get(access_request=rows[7]).state == "undone"
    page.keyboard.press("Escape")
    expect(page.locator(".pane")).to_have_count(0)
    page.get_by_label("Select all rows of this page").check()
    page.locator(".bulk").get_by_role("button", name="Deny…").click()
    expect(page.get_by_role("heading", name="Deny 33 requests?")).to_be_visible()
    look(page, "access-queue-1-sum")
    page.get_by_label("Your message").fill("Please ask your contact in sales.")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_text("Sending 33 denials")).to_be_visible()
    look(page, "access-queue-2-batch")
    # Meanwhile, on the platform:
    desk.happen("approved", rows[10])
    desk.happen("approved", rows[1])
    for row, kind, value in ((rows[12], "status", {"value": 422}), (rows[14], "drop_answer", {}), (rows[2], "drop_answer", {})):
        sandbox.fail(kind, method="POST", path=f"/v1/trust-centers/*/access-requests/{row.platform_id}/*", times=1, **value)
    for _ in range(3):
        let_leave()
    expect(page.get_by_text("31 of 33 decided")).to_be_visible()
    expect(page.get_by_text("platform rejected this")).to_be_visible()
    look(page, "access-queue-3-report", has_phone=False)
    page.get_by_role("button", name="Try this one again").click()
    expect(page.get_by_text("Sending 1 denial")).to_be_visible()
    for _ in range(3):
        let_leave()
    expect(page.get_by_text("32 of 33 decided")).to_be_visible()
    there = {key: each["outcome"] for key, each in desk.there("historical-access-requests").items()}
    here = {row.platform_id: row.outcome for row in AccessRequest.objects.filter(pk__in=[row.pk for row in rows])}
    assert here == {key: there[key] for key in here}
    assert desk.there("access-requests") == {}
    posts = [each["path"].split("/")[-2] for each in sandbox.requests("/access-requests/") if each["method"] == "POST"]
    assert posts.count(rows[14].platform_id) == posts.count(rows[2].platform_id) == 1
    for decision in Decision.objects.filter(state="done"):
        assert decision.decided_by_name == "Alice Ames"
        assert decision.facts["asked_at"]
        assert decision.settled_at
    page.goto(f"{live_server.url}{PAGE}")
    expect(page.get_by_text("Everything is decided")).to_be_visible()
    look(page, "access-queue-4-cleared")


@pytest.mark.parametrize(
    ("path", "names"),
    [("", ["level", "group"]), ("viewers/", ["ends", "nda", "seen", "level", "account"])],
    ids=["requests", "viewers"],
)
def test_r2_every_filter_of_the_lists_filters_at_once(page, live_server, session_cookie, desk, path, names):
    page.context.add_cookies([session_cookie])
    for name in names:
        page.goto(f"{live_server.url}{PAGE}{path}")
        page.locator(f"#filters select[name={name}]").select_option(index=1)
        chosen = page.locator(f"#filters select[name={name}]").input_value()
        expect(page).to_have_url(re.compile(rf"[?&]{name}={chosen}(&|$)"))
