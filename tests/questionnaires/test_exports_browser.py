"""Exports in a browser: each state is sound, the page follows by itself, and it works by keyboard and without a script."""

from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import Route, expect

from portal.page_refresh.templatetags.page_refresh import POLL_SECONDS
from portal.platform_api.webhooks import ExportCompleted, ExportFailed
from portal.questionnaires.models import Export, ExportState, Questionnaire
from tests.questionnaires.exports import CALL, ask, end_there, handle, only, page_of, work
from tests.support.page_checks import look

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.xdist_group("exports-browser")]


@pytest.fixture
def signed_in(page, session_cookie):
    page.context.add_cookies([session_cookie])
    return session_cookie


def test_each_state_of_an_export_is_sound(page, live_server, signed_in, desk, sandbox):
    row = desk.questionnaire
    page.goto(f"{live_server.url}{page_of(desk)}")
    look(page, "exports-1-none")
    page.get_by_role("button", name="CSV").click()
    expect(page.locator("#exports").get_by_text("In progress")).to_be_visible()
    expect(page.get_by_text("The platform is creating the file")).to_be_visible()
    look(page, "exports-2-pending")
    end_there(desk)
    work()
    # Nobody touches the page: it hears of the end by itself.
    expect(page.get_by_role("button", name="Download")).to_be_visible()
    look(page, "exports-3-completed")
    sandbox.fail("drop_answer", method="POST", path=CALL, times=1)
    page.get_by_role("button", name="Original file", exact=True).click()
    # The row says it for good; the refusal above it goes with the next poll.
    expect(page.get_by_text("The platform's answer was lost")).to_be_visible()
    look(page, "exports-4-uncertain")
    now, ids = timezone.now(), {"questionnaire_id": row.platform_id}
    common = {"questionnaire": row, "due_at": None, "asked_by_name": "Alice Ames"}
    Export.objects.create(**common, format="original", state=ExportState.EXPIRED, asked_at=now - timedelta(days=9))
    Export.objects.create(**common, format="csv", state=ExportState.UNANSWERED, asked_at=now - timedelta(days=8))
    # Last what has the page ask anew: a row that comes after it would not be seen.
    handle(ExportCompleted(**ids, export_id="elsewhere", format="csv", requested_at=now - timedelta(hours=3)))
    handle(ExportFailed(**ids, export_id="b", format="csv", requested_at=now - timedelta(days=1), reason="Nothing to export"))
    expect(page.locator("#exports").get_by_text("No answer", exact=True)).to_be_visible()
    look(page, "exports-5-all")


def test_an_export_is_asked_for_by_keyboard(page, live_server, signed_in, desk):
    page.goto(f"{live_server.url}{page_of(desk)}")
    page.get_by_role("button", name="CSV").focus()
    page.keyboard.press("Enter")
    expect(page.locator("[data-toasts]")).to_contain_text("the platform is creating it")
    assert only().format == "csv"


def test_r2_news_that_overtake_an_answer_take_nothing_of_it(page, live_server, signed_in, desk):
    held: list[Route] = []
    page.route("**/exports/request/", lambda route: held.append(route))
    page.goto(f"{live_server.url}{page_of(desk)}")
    page.get_by_role("button", name="CSV").click()
    page.wait_for_timeout(500)
    answer = held[0].fetch()
    page.wait_for_timeout(POLL_SECONDS * 1_000 + 500)
    held[0].fulfill(response=answer)
    expect(page.locator("[data-toasts]")).to_contain_text("the platform is creating it")


def test_a_file_is_asked_for_and_downloaded_without_a_script(browser, live_server, signed_in, desk):
    Questionnaire.objects.update(name="Initech: 2026/1")
    context = browser.new_context(java_script_enabled=False)
    context.add_cookies([signed_in])
    page = context.new_page()
    page.goto(f"{live_server.url}{page_of(desk)}")
    page.get_by_role("button", name="CSV").click()
    expect(page.locator("#exports").get_by_text("In progress")).to_be_visible()
    end_there(desk)
    work()
    page.reload()
    with page.expect_download() as loading:
        page.get_by_role("button", name="Download").click()
    assert loading.value.suggested_filename == "Initech 2026 1 - answers.csv"
    assert desk.response.question in loading.value.path().read_text()
    context.close()


def test_a_file_that_is_gone_is_said_on_the_page(page, live_server, signed_in, client, alice, desk, sandbox):
    client.force_login(alice)
    ask(client, desk)
    end_there(desk)
    work()
    sandbox.fail("status", path="/files/exports", value=403)
    page.goto(f"{live_server.url}{page_of(desk)}")
    page.get_by_role("button", name="Download").click()
    expect(page.get_by_role("button", name="Request CSV again")).to_be_visible()
    expect(page.locator("[data-toasts]")).to_contain_text("This file has expired on the platform")
