"""What only a browser can show: the Trust Center as visitors see it, what there is to check, and a file on its way."""

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from portal.access_requests.models import NEVER, Viewer
from portal.page_refresh.services import touch_areas
from portal.trust_center import services
from portal.trust_center.models import ContentCheck, Resource
from tests.support.page_checks import look
from tests.trust_center.conftest import PAGE

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.xdist_group("trust-center-browser")]


def test_visitors_checks_and_uploads_from_one_to_the_next(page, live_server, session_cookie, desk):
    page.context.add_cookies([session_cookie])
    private = Resource.objects.filter(is_public=False).order_by("title_sort")[0]
    now = timezone.now()
    Viewer.objects.create(
        platform_id="v1",
        email="jo@customer.example",
        folded_email="jo@customer.example",
        name="Jo",
        access_level="PARTIAL_ACCESS",
        resource_ids=[private.platform_id],
        created_at=now,
        updated_at=now,
        expires_sort=NEVER,
    )
    Resource.objects.filter(pk=private.pk).update(renew_on=timezone.localdate())
    services.check_content(seconds=60)
    touch_areas("trust_center", "access_requests")

    page.goto(f"{live_server.url}{PAGE}")
    page.get_by_role("link", name="View as a visitor").click()
    row = page.locator("#seen-documents tr", has_text=private.title)
    for number, (level, sight) in enumerate(
        (("Public visitor", "locked"), ("Partial access", "granted"), ("Full access", "shown"))
    ):
        page.get_by_role("navigation", name="Access level").get_by_role("link", name=level).click()
        expect(row).to_have_attribute("data-sight", sight)
        look(page, f"trust-center-visitor-{number}")
    page.get_by_role("link", name="Show all").first.click()
    expect(page.get_by_role("link", name="Show every part")).to_be_visible()

    page.goto(f"{live_server.url}/t/acme/access-requests/viewers/v1/")
    page.get_by_role("link", name="What they see").click()
    expect(row).to_have_attribute("data-sight", "shown")
    look(page, "trust-center-visitor-viewer")

    page.goto(f"{live_server.url}{PAGE}to-check/")
    expect(page.locator("#list tbody tr")).to_have_count(ContentCheck.objects.open().count())
    look(page, "trust-center-checks-1-list")
    page.get_by_role("link", name=f"Dismiss {private.title}").click()
    page.get_by_label("Why it is correct as is").fill("The new one comes next week.")
    look(page, "trust-center-checks-2-dismiss")
    page.get_by_label("Why it is correct as is").press("Control+Enter")
    expect(page.get_by_role("link", name=f"Dismiss {private.title}")).to_have_count(0)
    page.get_by_role("navigation", name="To check or dismissed").get_by_role("link", name="Dismissed").click()
    expect(page.get_by_text("The new one comes next week.")).to_be_visible()
    look(page, "trust-center-checks-3-dismissed")
    page.get_by_role("link", name=private.title).click()
    page.get_by_role("button", name="Bring back").click()
    expect(page.get_by_role("navigation", name="To check or dismissed")).to_be_visible()
    assert ContentCheck.objects.open().filter(object_key=private.pk).exists()

    page.goto(f"{live_server.url}{PAGE}resources/{private.platform_id}/")
    look(page, "trust-center-upload-1-document")
    page.get_by_role("link", name="Upload a new version").click()
    expect(page.get_by_label("Title")).to_have_value(private.title)
    page.get_by_label("File").set_input_files({"name": "new.pdf", "mimeType": "application/pdf", "buffer": b"%PDF-1.7 new"})
    look(page, "trust-center-upload-2-form")
    page.get_by_role("button", name="Upload", exact=True).press("Enter")
    expect(page.get_by_text("new.pdf")).to_be_visible()
    page.get_by_role("button", name="Delete…").click()
    look(page, "trust-center-upload-3-delete")
    page.get_by_role("button", name="Delete", exact=True).click()
    expect(page.get_by_role("heading", name="Trust Center content")).to_be_visible()
    assert [each["fileName"] for each in desk.there("resources").values() if each["title"] == private.title] != ["new.pdf"]
