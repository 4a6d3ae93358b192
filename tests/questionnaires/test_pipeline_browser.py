"""The pipeline in a browser: axe and a phone's width in each state, the keyboard, and a walk without a script."""

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from portal.platform_writes.models import ItemState
from portal.questionnaires.models import AssignableUser, BulkItem, BulkRun, Questionnaire
from portal.saved_views.models import SavedView
from tests.questionnaires.conftest import let_work
from tests.questionnaires.test_list import PAGE, make
from tests.support.page_checks import look

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.xdist_group("pipeline-browser")]

STATUSES = ("IN_PROGRESS", "IN_REVIEW", "WAITING_ON_ANSWERS", "PROCESSING", "ERROR", "APPROVED", "ON_HOLD", "NEVER_SEEN")


@pytest.fixture
def platform_tenant(sandbox):
    return sandbox.create_tenant(questionnaires=12, responses_per_questionnaire=2)


@pytest.fixture
def busy(desk, alice):
    """A full desk with people who can own, and a view that was saved."""
    for number in range(64):
        status = STATUSES[number % len(STATUSES)] if number < 40 else "IN_PROGRESS"
        name = f"Northwind Traders and Subsidiaries {number:02}: SIG Core 2026" if number % 5 else f"CAIQ {number}"
        owner = "Mara Lindt" if number % 3 else ""
        make(name, status=status, due=number - 4, owner=owner, question_count=120, answered_count=number)
    for name in ("Alice Ames", "Mara Lindt"):
        AssignableUser.objects.create(platform_id=name, name=name, read_at=timezone.now())
    SavedView.objects.create(
        list_key="questionnaires", owner=alice, name="Mara, overdue", query="owner=user-Mara+Lindt&due=overdue"
    )
    SavedView.objects.create(list_key="questionnaires", name="Board of everybody", query="view=board")
    return desk


@pytest.fixture
def signed_in(page, session_cookie):
    page.context.add_cookies([session_cookie])


def test_every_state_of_the_pipeline_is_sound(page, live_server, signed_in, busy):
    page.goto(f"{live_server.url}{PAGE}")
    for box in page.locator("input[name=chosen]").all()[:3]:
        box.check()
    look(page, "pipeline-1-selected")
    page.locator("summary", has_text="Save view").click()
    look(page, "pipeline-2-save-view")
    page.keyboard.press("Escape")
    page.get_by_role("link", name="Summary", exact=True).click()
    expect(page.locator("#board")).to_be_visible()
    look(page, "pipeline-3-board")
    page.goto(f"{live_server.url}/t/acme/views/")
    look(page, "pipeline-4-views")
    page.goto(f"{live_server.url}{PAGE}")
    page.locator("input[name=chosen]").first.check()
    page.locator("input[name=all]").check()
    page.get_by_role("button", name="Assign owner…").click()
    expect(page.get_by_role("heading", name="Assign owner")).to_be_visible()
    look(page, "pipeline-5-assign")
    page.get_by_label("Owner", exact=True).select_option(label="Mara Lindt")
    page.get_by_role("button", name="Assign owner", exact=True).click()
    expect(page.get_by_text("You can leave this page")).to_be_visible()
    run = BulkRun.objects.get()
    items = list(BulkItem.objects.filter(run=run).values_list("pk", flat=True))
    BulkItem.objects.filter(pk__in=items[:40]).update(state=ItemState.DONE)
    words = "This questionnaire is no longer on the platform. It was deleted there."
    BulkItem.objects.filter(pk__in=items[40:43]).update(state=ItemState.FAILED, description=words)
    page.reload()
    look(page, "pipeline-6-under-way")
    BulkItem.objects.filter(pk__in=items[43:]).update(state=ItemState.DONE)
    BulkRun.objects.update(finished_at=timezone.now())
    page.reload()
    look(page, "pipeline-7-over")
    page.goto(f"{live_server.url}{PAGE}{Questionnaire.objects.filter(status='IN_PROGRESS')[0].platform_id}/")
    page.locator("#summary summary", has_text="Owner").click()
    expect(page.locator("#summary details[open] .menu-list")).to_be_in_viewport(ratio=0.9)
    look(page, "pipeline-8-owner")
    page.keyboard.press("Escape")
    page.locator("#summary summary", has_text="Due date").click()
    look(page, "pipeline-9-due")


def test_rows_are_selected_and_held_by_keyboard(page, live_server, signed_in, desk):
    page.goto(f"{live_server.url}{PAGE}?stage=all")
    for key in ("j", "x", "j", "x"):
        page.keyboard.press(key)
    expect(page.locator("[data-selected-count]")).to_have_text("2")
    page.get_by_role("button", name="Hold", exact=True).focus()
    page.keyboard.press("Enter")
    expect(page.get_by_text("0 of 2 changed")).to_be_visible()
    let_work()
    # Nobody touches the page: it hears of the outcome by itself.
    expect(page.get_by_text("2 of 2 changed")).to_be_visible()


def test_cards_of_the_board_are_reached_by_keyboard(page, live_server, signed_in, busy):
    page.goto(f"{live_server.url}{PAGE}?view=board")
    page.keyboard.press("j")
    expect(page.locator(".board-cards a").first).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#summary")).to_be_visible()


def test_ticked_rows_outlive_a_poll(page, live_server, signed_in, busy):
    page.goto(f"{live_server.url}{PAGE}")
    box = page.locator("input[name=chosen]").nth(2)
    box.check()
    busy.change_there(busy.questionnaire, displayName="Zulu, a new name", updatedDate="2099-01-01T00:00:00.000Z")
    busy.fetch()
    page.wait_for_timeout(4000)
    expect(page.locator("[data-selected-count]")).to_have_text("1")


def test_a_bulk_run_needs_no_script(browser, live_server, session_cookie, desk):
    context = browser.new_context(java_script_enabled=False)
    context.add_cookies([session_cookie])
    page = context.new_page()
    page.goto(f"{live_server.url}{PAGE}?stage=all")
    page.locator("input[name=chosen]").first.check()
    page.get_by_role("button", name="Not ours…").click()
    page.get_by_role("button", name="Not ours", exact=True).click()
    let_work()
    page.reload()
    expect(page.get_by_text("1 of 1 changed")).to_be_visible()
    context.close()
