"""The library beside a question, by key: an entry goes into the form, is saved, and the library knows where it went."""

import re

import pytest
from playwright.sync_api import expect

from portal.connections.models import CallWindow
from portal.connections.services import Urgency, client_for
from portal.library.mirror import MIRRORS
from portal.library.models import Entry, EntryUse
from portal.library.services import EntryContent, add_entry
from portal.sync.services import drain, reconcile, start_reconcile
from portal.tenants.scope import tenant_scope
from tests.questionnaires.conftest import TWO_PARTS, address
from tests.support.members import find_member
from tests.support.page_checks import PHONE, look

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.xdist_group("drafts-browser")]
TEXT = "With AES-256 in every store, and so are their copies."


@pytest.fixture
def entry(desk, acme, alice):
    words = EntryContent(question="Is data encrypted at rest?", short="Yes", text=TEXT, tags=["Encryption"])
    with tenant_scope(acme.pk):
        return add_entry(words, member=find_member(user=alice))


@pytest.fixture
def response(desk):
    return desk.set_answer(TWO_PARTS, {}, question="Do you encrypt data at rest?")


def test_an_entry_is_inserted_saved_and_its_use_is_on_its_page(page, live_server, session_cookie, entry, response, acme):
    page.context.add_cookies([session_cookie])
    page.goto(f"{live_server.url}{address(response)}")
    expect(page.locator(f'[data-entry="{entry.pk}"]')).to_be_visible()
    look(page, "question-beside-library")
    page.keyboard.press("i")
    expect(page.get_by_label("Explanation")).to_have_value(TEXT)
    expect(page.get_by_role("radio", name="Yes")).to_be_checked()
    page.keyboard.press("Control+Enter")
    expect(page.get_by_text("Saved.")).to_be_visible()
    with tenant_scope(acme.pk):
        assert EntryUse.objects.get().object_id == response.pk
    page.goto(f"{live_server.url}{address(response.questionnaire)}details/")
    expect(page.get_by_role("row", name="Inserted from the library 1 ")).to_be_visible()
    look(page, "answer-origins")
    page.get_by_role("link", name="All questionnaires, last 90 days").click()
    expect(page.get_by_role("row", name="Inserted from the library 1 ")).to_be_visible()
    look(page, "answer-numbers")
    page.goto(f"{live_server.url}/t/acme/library/{entry.pk}/")
    expect(page.get_by_role("link", name=str(response.questionnaire))).to_be_visible()
    look(page, "library-entry")
    page.keyboard.press("v")
    expect(page.get_by_text("Verified. Next review")).to_be_visible()
    page.goto(f"{live_server.url}/t/acme/library/")
    expect(page.get_by_text(TEXT)).to_be_visible()
    look(page, "library")


def test_an_answer_is_kept_by_its_button(page, live_server, session_cookie, desk):
    kept = desk.set_answer(TWO_PARTS, {"p1": "No", "p2": "Not yet."}, question="Do you rotate keys?")
    page.context.add_cookies([session_cookie])
    page.goto(f"{live_server.url}{address(kept)}")
    page.get_by_role("button", name="Keep").click()
    expect(page.get_by_role("heading", name="Do you rotate keys?")).to_be_visible()
    expect(page.get_by_text("Kept in the library.")).to_be_visible()
    expect(page.get_by_text("Kept from an answer")).to_be_visible()
    look(page, "kept-answer")


@pytest.fixture
def copied(desk, acme, response) -> Entry:
    """An answer of the platform's library to the question."""
    client_for(Urgency.PERSON).answer_library.create(question=response.question, answer="AES-256.\nKeys live in hardware.")
    CallWindow.objects.all().delete()
    with tenant_scope(acme.pk):
        start_reconcile(MIRRORS)
        reconcile(MIRRORS, client_for(Urgency.PERSON), seconds=60)
        return Entry.objects.get(question=response.question)


def test_an_answer_of_the_platforms_library_is_inserted_and_copied(page, live_server, session_cookie, response, copied):
    page.context.add_cookies([session_cookie])
    page.goto(f"{live_server.url}{address(response)}")
    expect(page.locator(f'[data-entry="{copied.pk}"]')).to_be_visible()
    expect(page.locator("#memory")).to_contain_text("Platform's answer library")
    page.keyboard.press("i")
    expect(page.get_by_label("Explanation")).to_have_value("AES-256.\nKeys live in hardware.")
    page.locator("#memory").get_by_role("link", name=copied.question).click()
    expect(page.get_by_text("From the platform's answer library")).to_be_visible()
    look(page, "platform-answer")
    page.get_by_role("link", name="Copy to a new entry").click()
    expect(page.locator("#id_text")).to_have_value("AES-256.\nKeys live in hardware.")
    page.get_by_role("button", name="Add to the library").click()
    expect(page.get_by_text("Added to the library.")).to_be_visible()


def test_a_passage_of_a_document_is_inserted_and_its_document_read(page, live_server, session_cookie, response, acme):
    with tenant_scope(acme.pk):
        CallWindow.objects.all().delete()
        start_reconcile(MIRRORS)
        reconcile(MIRRORS, client_for(Urgency.PERSON), seconds=60)
        drain(MIRRORS, client_for(Urgency.PERSON))
    page.context.add_cookies([session_cookie])
    page.goto(f"{live_server.url}{address(response)}")
    passage = page.locator("[data-passage]").first
    expect(passage).to_contain_text("AES-256")
    look(page, "question-beside-document")
    page.locator(".past", has=passage).get_by_role("button", name="Insert").click()
    expect(page.get_by_label("Explanation")).to_have_value(re.compile("AES-256"))
    page.locator(".past", has=passage).get_by_role("link").click()
    expect(page.get_by_role("heading", name="Page 1")).to_be_visible()
    look(page, "knowledge-resource")
    page.get_by_role("link", name="Knowledge base").click()
    expect(page.get_by_role("row")).to_have_count(13)
    look(page, "knowledge-base")
    page.set_viewport_size(PHONE)
    page.emulate_media(color_scheme="dark")
    look(page, "knowledge-base-phone")
