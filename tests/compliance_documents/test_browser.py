"""What only a browser can show: the pages on a desk and on a phone, and the way by mouse and keys."""

import pytest
from playwright.sync_api import expect

from portal.connections.models import CallWindow
from portal.documents.models import Document, Upload
from tests.compliance_documents.conftest import PAGE, PDF, page_of
from tests.support.page_checks import look

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.xdist_group("documents-browser")]


def test_a_file_is_uploaded_and_deleted(page, live_server, session_cookie, desk):
    page.context.add_cookies([session_cookie])
    page.goto(f"{live_server.url}{PAGE}")
    expect(page.locator("#list tbody tr")).to_have_count(Document.objects.count())
    look(page, "documents-1-list")
    row = Document.objects.filter(status="OK", is_sensitive=False).order_by("pk")[0]
    page.goto(f"{live_server.url}{page_of(row)}")
    expect(page.get_by_text("Fetching files and links")).to_be_visible()
    desk.drain()
    expect(page.get_by_role("table", name="Files of this document").locator("tbody tr")).to_have_count(2)
    look(page, "documents-2-document")
    page.keyboard.press("n")
    expect(page.get_by_role("heading", level=1)).to_have_text("Upload a file")
    look(page, "documents-3-upload")
    page.locator("[name=file]").set_input_files({"name": "new.pdf", "mimeType": "application/pdf", "buffer": PDF})
    CallWindow.objects.all().delete()
    page.get_by_role("button", name="Upload").click()
    expect(page.get_by_role("table", name="Files of this document")).to_contain_text("new.pdf")
    page.get_by_role("button", name="Delete new.pdf").click()
    look(page, "documents-4-ask")
    CallWindow.objects.all().delete()
    page.get_by_role("dialog").get_by_role("button", name="Delete", exact=True).click()
    expect(page.get_by_text("File deleted: new.pdf")).to_be_visible()
    assert Upload.objects.get(file_name="new.pdf").deleted_at
    page.goto(f"{live_server.url}{page_of(row)}links/new/")
    look(page, "documents-5-link")
