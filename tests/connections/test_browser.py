"""The connection page in each of its states: axe, a phone's width, light and dark, the keyboard, no script."""

from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from portal.connections.models import Answer, Capability, Connection, GrantType, State, Suspension
from portal.connections.services import Urgency, disconnect, probes
from portal.tenants.scope import tenant_scope
from tests.support.page_checks import look

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.xdist_group("connection-browser")]

PAGE = "/t/acme/settings/connection/"
DOUBT = "This account on the platform is connected to another tenant of this portal already. Confirm that this is meant."


def covered(alice) -> None:
    probes.probe(Urgency.PERSON)
    Capability.objects.filter(area__in=["contracts", "vendors"]).update(
        answer=Answer.NO, detail="The token does not have the scope that this operation asks for (svc-api.all:read)."
    )
    Connection.objects.update(last_error="The platform failed to answer (503).", last_error_at=timezone.now())


def ended(alice) -> None:
    words = "The platform has ended the grant."
    Connection.objects.update(state=State.NEEDS_RECONNECTION, last_error=words, ended_at=timezone.now())


def doubtful(alice) -> None:
    Connection.objects.update(state=State.UNCONFIRMED, last_error=DOUBT)


def own(alice) -> None:
    ended(alice)
    Connection.objects.update(grant_type=GrantType.CLIENT_CREDENTIALS, client_id="app_0123456789abcdef0123456789abcdef")


def left(alice) -> None:
    disconnect(Connection.objects.get(), actor=alice, purge_at=timezone.now() + timedelta(days=30))
    Suspension.objects.update(last_error="The platform failed to answer (503).")


STATES = {"covered": covered, "ended": ended, "doubtful": doubtful, "own": own, "left": left}


def test_every_state_is_sound(page, live_server, session_cookie, connected, acme, alice):
    page.context.add_cookies([session_cookie])
    for name, make in STATES.items():
        with tenant_scope(acme.pk):
            before = Connection.objects.values().get()
            make(alice)
        page.goto(f"{live_server.url}{PAGE}")
        for summary in page.locator("main details > summary").all():
            summary.click()
        look(page, f"connection-{name}")
        with tenant_scope(acme.pk):
            del before["id"], before["tenant_id"]
            if name != "left":
                Connection.objects.update(**before)
    page.get_by_role("link", name="Exit of").click()
    expect(page).not_to_have_url(f"{live_server.url}{PAGE}")
    look(page, "connection-record")


def test_a_grant_that_ends_shows_its_one_button_by_itself_and_the_keyboard_presses_it(
    page, live_server, session_cookie, connected, acme, alice
):
    page.context.add_cookies([session_cookie])
    page.goto(f"{live_server.url}{PAGE}")
    expect(page.get_by_role("heading", name="Connected", exact=True)).to_be_visible()
    with tenant_scope(acme.pk):
        ended(alice)
        from portal.page_refresh.services import touch_areas

        touch_areas("connection")
    button = page.get_by_role("button", name="Reconnect to the platform")
    expect(button).to_be_visible()
    button.focus()
    with page.expect_request(lambda request: "/connect/" in request.url and request.method == "POST"):
        page.keyboard.press("Enter")


def test_leaving_needs_neither_a_mouse_nor_a_script(browser, live_server, session_cookie, connected, acme):
    context = browser.new_context(java_script_enabled=False)
    context.add_cookies([session_cookie])
    page = context.new_page()
    page.goto(f"{live_server.url}{PAGE}")
    with page.expect_download() as taken:
        page.get_by_role("button", name="Export everything").click()
    assert taken.value.suggested_filename.startswith("acme-")
    page.get_by_label("Remove it on a date").check()
    name = page.get_by_label("Type the tenant's name to confirm").first
    name.fill("Acme")
    name.press("Enter")
    expect(page.get_by_text("Choose a date.")).to_be_visible()
    page.locator("[name=purge_on]").fill((timezone.localdate() + timedelta(days=7)).isoformat())
    page.get_by_label("Type the tenant's name to confirm").first.press("Enter")
    expect(page.get_by_role("heading", name="Disconnected")).to_be_visible()
    expect(page.get_by_text("The copy of your data will be removed")).to_be_visible()
    context.close()
