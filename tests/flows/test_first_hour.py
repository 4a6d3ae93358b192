"""A new person with nothing but the screen: from signing up, by keys alone, to the questionnaires and through every step."""

import pytest
from playwright.sync_api import Page, expect

from tests.flows.first_hour import SYNC_MILLISECONDS, FirstHour
from tests.support.demo import ON_SERVICES, Demo
from tests.support.hands import Keyboard
from tests.support.page_checks import look

pytestmark = [
    pytest.mark.browser,
    pytest.mark.processes,
    pytest.mark.long,
    pytest.mark.xdist_group("demo" if ON_SERVICES else "demo-first-hour"),
]
ROOT = "/t/new-co/"
MAX_STEPS = 5
"""Sign up, prove the address, name the tenant, connect, allow."""


def test_a_new_person_is_led_from_sign_up_to_the_synced_questionnaire_by_keys_alone(page: Page, demo: Demo):
    page.context.set_default_timeout(30_000)
    walk, root = FirstHour(demo, Keyboard(page)), f"{demo.url}{ROOT}"
    walk.sign_up()
    expect(page).to_have_url(f"{demo.url}/tenants/new/")
    look(page, "first-hour-0-tenant")
    walk.create_tenant()
    expect(page).to_have_url(f"{root}first-hour/connect/")
    look(page, "first-hour-1-connect")
    walk.connect()
    expect(page).to_have_url(f"{root}first-hour/trust-center/")
    walk.wait_for_the_first_questionnaire()
    assert len(walk.steps) <= MAX_STEPS
    look(page, "first-hour-2-trust-center")
    walk.add_trust_center()
    expect(page).to_have_url(f"{root}first-hour/webhooks/")
    look(page, "first-hour-3-webhooks")
    walk.point_webhooks()
    expect(page).to_have_url(f"{root}first-hour/invite/")
    walk.page.goto(f"{root}first-hour/webhooks/")
    look(page, "first-hour-3-webhooks-done")
    page.goto(f"{root}first-hour/invite/")
    walk.invite()
    expect(page).to_have_url(f"{root}first-hour/hours/")
    look(page, "first-hour-5-hours")
    page.goto(f"{root}first-hour/invite/")
    look(page, "first-hour-4-invite-done")
    page.goto(root)
    look(page, "first-hour-6-strip")
    walk.follow("Next: Set office hours")
    walk.set_hours()
    expect(page).to_have_url(root)
    expect(page.get_by_role("heading", name="Set up New Co")).to_have_count(0)
    page.goto(f"{root}questionnaires/")
    expect(page.get_by_role("main").get_by_role("row").nth(1)).to_be_visible(timeout=SYNC_MILLISECONDS)
    expect(page.get_by_role("link", name="All tenants")).to_have_count(0)
    page.goto(f"{demo.url}/")
    expect(page).to_have_url(root)
