"""What only a browser can show: the lists on a desk and on a phone, and the keys."""

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from portal.page_refresh.services import touch_areas
from portal.trust_center.models import Control, ControlCategory, Faq, Resource, ShownControl
from tests.support.looking import DESK, PHONE, look
from tests.trust_center.conftest import PAGE

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.xdist_group("trust-center-browser")]
LONG = "Internationale Beteiligungs- und Vermögensverwaltungsgesellschaften nach Aufsichtsrecht, Rechtsraum und Vertragsart"


@pytest.mark.parametrize(("size", "theme"), [(DESK, "light"), (PHONE, "dark")], ids=["desk", "phone"])
def test_the_lists_are_sound_and_work_by_key(page, live_server, session_cookie, desk, size, theme):
    page.set_viewport_size(size)
    page.emulate_media(color_scheme=theme, reduced_motion="reduce")
    page.context.add_cookies([session_cookie])
    rows = list(Resource.objects.all())
    Resource.objects.filter(pk=rows[0].pk).update(renew_on=timezone.localdate().replace(year=2025), title=LONG)
    Resource.objects.filter(pk=rows[1].pk).update(renew_on=timezone.localdate())
    touch_areas("trust_center")
    page.goto(f"{live_server.url}{PAGE}")
    expect(page.locator("#list tbody tr")).to_have_count(len(rows))
    look(page, f"trust-center-{theme}-1-documents")
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Set renewal…").click()
    look(page, f"trust-center-{theme}-2-renewal")
    page.keyboard.press("Escape")
    page.keyboard.press("e")
    expect(page.get_by_role("heading", name="Edit the document")).to_be_visible()
    look(page, f"trust-center-{theme}-3-edit")
    for number, path in enumerate(("faqs/", "faqs/categories/", "faqs/new/", "subprocessors/", "frameworks/"), start=4):
        page.goto(f"{live_server.url}{PAGE}{path}")
        look(page, f"trust-center-{theme}-{number}")
    page.goto(f"{live_server.url}{PAGE}faqs/{Faq.objects.all()[0].platform_id}/")
    page.get_by_role("button", name="Delete…").click()
    look(page, f"trust-center-{theme}-9-delete")


@pytest.mark.parametrize(("size", "theme"), [(DESK, "light"), (PHONE, "dark")], ids=["desk", "phone"])
def test_a_control_is_shown_and_taken_off_by_key(page, live_server, session_cookie, desk, size, theme):
    page.set_viewport_size(size)
    page.emulate_media(color_scheme=theme, reduced_motion="reduce")
    page.context.add_cookies([session_cookie])
    control, category = Control.objects.not_shown()[0], ControlCategory.objects.present()[0]
    page.goto(f"{live_server.url}{PAGE}controls/")
    expect(page.locator("#list tbody tr:not(.group)")).to_have_count(ShownControl.objects.present().count())
    look(page, f"trust-center-{theme}-controls-1")
    page.keyboard.press("n")
    expect(page.get_by_role("heading", name="Add a control")).to_be_visible()
    look(page, f"trust-center-{theme}-controls-2-add")
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    page.get_by_role("checkbox", name=category.name).check()
    look(page, f"trust-center-{theme}-controls-3-place")
    page.get_by_role("button", name="Add to the Trust Center").click()
    expect(page.get_by_role("heading", name=control.name)).to_be_visible()
    assert control.platform_id in desk.there("trust-center-controls")
    look(page, f"trust-center-{theme}-controls-4-page")
    page.get_by_role("button", name="Take off…").click()
    look(page, f"trust-center-{theme}-controls-5-remove")
    page.get_by_role("button", name="Take off", exact=True).click()
    expect(page.get_by_role("heading", name="Trust Center content")).to_be_visible()
    assert control.platform_id not in desk.there("trust-center-controls")
    page.goto(f"{live_server.url}{PAGE}controls/categories/")
    page.get_by_role("button", name=f"Move {category.name} down").click()
    expect(page.locator("tbody tr").nth(1)).to_contain_text(category.name)
    look(page, f"trust-center-{theme}-controls-6-categories")
