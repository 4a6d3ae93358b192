"""What only a browser can show: the lists on a desk and on a phone, and the keys."""

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from portal.page_refresh.services import touch_areas
from portal.trust_center.models import Control, ControlCategory, Faq, Resource, ShownControl, Subscriber, Update
from tests.support.page_checks import look
from tests.trust_center.conftest import PAGE

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.xdist_group("trust-center-browser")]
LONG = "Internationale Beteiligungs- und Vermögensverwaltungsgesellschaften nach Aufsichtsrecht, Rechtsraum und Vertragsart"


def test_the_lists_are_sound_and_work_by_key(page, live_server, session_cookie, desk):
    page.context.add_cookies([session_cookie])
    rows = list(Resource.objects.all())
    Resource.objects.filter(pk=rows[0].pk).update(renew_on=timezone.localdate().replace(year=2025), title=LONG)
    Resource.objects.filter(pk=rows[1].pk).update(renew_on=timezone.localdate())
    touch_areas("trust_center")
    page.goto(f"{live_server.url}{PAGE}")
    expect(page.locator("#list tbody tr")).to_have_count(len(rows))
    look(page, "trust-center-1-documents")
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Set renewal…").click()
    look(page, "trust-center-2-renewal")
    page.keyboard.press("Escape")
    page.keyboard.press("e")
    expect(page.get_by_role("heading", name="Edit document")).to_be_visible()
    look(page, "trust-center-3-edit")
    for number, path in enumerate(("faqs/", "faqs/categories/", "faqs/new/", "subprocessors/", "frameworks/"), start=4):
        page.goto(f"{live_server.url}{PAGE}{path}")
        look(page, f"trust-center-{number}")
    page.goto(f"{live_server.url}{PAGE}faqs/{Faq.objects.all()[0].platform_id}/")
    page.get_by_role("button", name="Delete…").click()
    look(page, "trust-center-9-delete")


def test_a_control_is_shown_and_taken_off_by_key(page, live_server, session_cookie, desk):
    page.context.add_cookies([session_cookie])
    control, category = Control.objects.not_shown()[0], ControlCategory.objects.present()[0]
    page.goto(f"{live_server.url}{PAGE}controls/")
    expect(page.locator("#list tbody tr:not(.group)")).to_have_count(ShownControl.objects.present().count())
    look(page, "trust-center-controls-1")
    page.keyboard.press("n")
    expect(page.get_by_role("heading", name="Add a control")).to_be_visible()
    look(page, "trust-center-controls-2-add")
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    page.get_by_role("checkbox", name=category.name).check()
    look(page, "trust-center-controls-3-place")
    page.get_by_role("button", name="Add to the Trust Center").click()
    expect(page.get_by_role("heading", name=control.name)).to_be_visible()
    assert control.platform_id in desk.there("trust-center-controls")
    look(page, "trust-center-controls-4-page")
    page.get_by_role("button", name="Remove…").click()
    look(page, "trust-center-controls-5-remove")
    page.get_by_role("button", name="Remove", exact=True).click()
    expect(page.get_by_role("heading", name="Trust Center content")).to_be_visible()
    assert control.platform_id not in desk.there("trust-center-controls")
    page.goto(f"{live_server.url}{PAGE}controls/categories/")
    page.get_by_role("button", name=f"Move {category.name} down").click()
    expect(page.locator("tbody tr").nth(1)).to_contain_text(category.name)
    look(page, "trust-center-controls-6-categories")


def test_an_update_is_published_and_undone_by_key(page, live_server, session_cookie, desk):
    page.context.add_cookies([session_cookie])
    page.goto(f"{live_server.url}{PAGE}updates/")
    expect(page.locator("#list tbody tr")).to_have_count(Update.objects.present().count())
    look(page, "trust-center-updates-1-list")
    page.keyboard.press("n")
    page.get_by_label("Title").fill(LONG)
    page.get_by_label("Text").fill("It is on the Trust Center.\n\nAsk for it there.")
    page.get_by_role("radio", name="All subscribers").check()
    look(page, "trust-center-updates-2-new")
    page.get_by_label("Text").press("Control+Enter")
    expect(page.get_by_role("heading", name="Publish this update?")).to_be_visible()
    look(page, "trust-center-updates-3-preview")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_text("Nothing has been sent yet")).to_be_visible()
    look(page, "trust-center-updates-4-held")
    page.keyboard.press("u")
    expect(page.locator("main").get_by_text("Nothing was sent.")).to_be_visible()
    look(page, "trust-center-updates-5-undone")
    page.keyboard.press("e")
    expect(page.get_by_label("Title")).to_have_value(LONG)
    assert not desk.calls("POST", "/updates")
    page.goto(f"{live_server.url}{PAGE}updates/{Update.objects.present()[0].platform_id}/")
    look(page, "trust-center-updates-6-page")
    page.get_by_role("link", name="Send by email…").click()
    page.get_by_role("radio", name="Groups of subscribers").check()
    page.get_by_role("checkbox").first.check()
    look(page, "trust-center-updates-8-send")
    page.get_by_role("button", name="Preview").press("Enter")
    expect(page.get_by_role("heading", name="Send this update?")).to_be_visible()
    look(page, "trust-center-updates-9-send-preview")
    page.get_by_role("button", name="Back").press("Enter")
    page.get_by_role("link", name="Cancel").press("Enter")
    # A key that is pressed at once meets the page before.
    page.wait_for_url("**/updates/*/")
    page.wait_for_load_state()
    page.keyboard.press("e")
    expect(page.get_by_role("heading", name="Edit update")).to_be_visible()
    look(page, "trust-center-updates-7-edit")


def test_a_subscriber_is_added_and_removed(page, live_server, session_cookie, desk):
    page.context.add_cookies([session_cookie])
    page.goto(f"{live_server.url}{PAGE}subscribers/groups/")
    look(page, "trust-center-subscribers-1-groups")
    page.goto(f"{live_server.url}{PAGE}subscribers/")
    number = Subscriber.objects.present().count()
    expect(page.locator("#list tbody tr")).to_have_count(number)
    page.keyboard.press("n")
    page.get_by_label("Email").fill("reader@customer.example")
    look(page, "trust-center-subscribers-2-new")
    page.get_by_label("Email").press("Control+Enter")
    expect(page.locator("#list tbody tr")).to_have_count(number + 1)
    look(page, "trust-center-subscribers-3-list")
    page.get_by_role("link", name="Groups of reader@customer.example").click()
    look(page, "trust-center-subscribers-4-groups-of")
    page.get_by_role("button", name="Save").press("Enter")
    page.get_by_role("button", name="Remove reader@customer.example").click()
    look(page, "trust-center-subscribers-5-remove")
    page.get_by_role("button", name="Remove", exact=True).click()
    expect(page.locator("#list tbody tr")).to_have_count(number)
    assert "reader@customer.example" not in {each["email"] for each in desk.there("subscribers").values()}
