"""What only a browser can show: both desks on a desk and on a phone, and the way to a control by mouse and keys."""

import pytest
from playwright.sync_api import expect

from portal.controls import search_hits as controls
from portal.controls.mirror import MIRRORS as CONTROLS
from portal.risks.models import Issue, RiskControl, RiskScenario
from portal.trust_center.models import Control
from tests.risks.conftest import ISSUES, SCENARIOS
from tests.support.comparisons import compare_whole
from tests.support.page_checks import look

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.xdist_group("risks-browser")]


def test_a_risk_scenario_is_opened_and_given_a_control(page, live_server, session_cookie, desk):
    page.context.add_cookies([session_cookie])
    page.goto(f"{live_server.url}{ISSUES}")
    expect(page.locator("#list tbody tr")).to_have_count(Issue.objects.open().count())
    look(page, "risks-1-issues")
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    expect(page.locator("#issue h1")).to_be_visible()
    look(page, "risks-2-issue")
    page.goto(f"{live_server.url}{SCENARIOS}")
    look(page, "risks-3-scenarios")
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    expect(page.locator("#scenario h1")).to_be_visible()
    desk.drain()
    expect(page.get_by_role("button", name="Remove").first).to_be_visible()
    look(page, "risks-4-scenario")
    scenario = RiskScenario.objects.exclude(controls_read_at=None).get()
    before = RiskControl.objects.filter(scenario=scenario).count()
    page.keyboard.press("n")
    expect(page.get_by_role("heading", level=1)).to_have_text("Add a control")
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    page.locator("#id_control_type").select_option("Treatment plan")
    look(page, "risks-5-add")
    page.get_by_role("button", name="Add to the risk scenario").click()
    expect(page.get_by_role("button", name="Remove ")).to_have_count(before + 1)
    page.get_by_role("button", name="Type of ").first.click()
    look(page, "risks-6-type")
    page.keyboard.press("Escape")
    compare_whole(CONTROLS)
    for number, path in enumerate(("controls/", "controls/?tab=deactivated", "frameworks/", "tests/"), start=7):
        page.goto(f"{live_server.url}/t/acme/{path}")
        look(page, f"risks-{number}")
    page.goto(f"{live_server.url}{controls.control_url('acme', Control.objects.all()[0].platform_id)}")
    expect(page.get_by_text("No questions or library entries are about it yet.")).to_be_visible()
    look(page, "risks-11-control")
