"""The webhooks page and what it leads to, in each of its states: axe, a phone's width, light and dark, the keyboard."""

from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone
from playwright.sync_api import expect

from portal.inbox import tasks
from portal.inbox.models import Delivery, DeliveryState, Endpoint, Rhythm
from portal.inbox.services import enter_secret
from portal.page_refresh.services import touch_areas
from portal.sync.models import Finding, MissedChange, Run
from portal.tenants.scope import tenant_scope
from tests.inbox.conftest import send
from tests.support.page_checks import look

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.xdist_group("inbox-browser")]

PAGE = "/t/acme/settings/webhooks/"
NEW = "whsec_" + "Qk5X" * 11
LONG = "v1.trust-center.access-request.approved"


def nothing(catch_all, alice) -> None:
    Endpoint.objects.update(secret=b"", secret_entered_at=None)


def one(catch_all, alice) -> None:
    make(catch_all, 1)


def many(catch_all, alice) -> None:
    make(catch_all, 120)


def troubled(catch_all, alice) -> None:
    make(catch_all, 9)
    failed = {"error": f"ValidationError: {'x' * 250}", "attempts": 12}
    Delivery.objects.filter(hook_id__endswith="1").update(state=DeliveryState.DEAD, **failed)
    Delivery.objects.filter(hook_id__endswith="2").update(
        state=DeliveryState.PENDING, attempts=3, error="OperationalError: locked"
    )
    pauses = [[timezone.now().timestamp() - 9000, 5 * 3600.0]]
    Rhythm.objects.create(silent_since=timezone.now() - timedelta(hours=9), pauses=pauses)
    Run.objects.create(kind="other", title="Questionnaires", missed=3, next_due_at=timezone.now())
    MissedChange.objects.create(kind="questionnaire", title="Questionnaires", object_id="65a0" * 6, finding=Finding.values[0])
    MissedChange.objects.create(kind="questionnaire", title="Questionnaires", object_id="q" * 200, finding=Finding.values[-1])
    Endpoint.objects.filter(pk=catch_all.pk).update(late_at=timezone.now() - timedelta(minutes=3), late_count=12)


def changing(catch_all, alice) -> None:
    make(catch_all, 3)
    enter_secret(catch_all, NEW, actor=alice)


def seen(catch_all, alice) -> None:
    make(catch_all, 3)
    enter_secret(catch_all, NEW, actor=alice)
    Endpoint.objects.filter(pk=catch_all.pk).update(confirmed_at=timezone.now())


STATES = {"nothing": nothing, "one": one, "many": many, "troubled": troubled, "changing": changing, "seen": seen}


def make(endpoint: Endpoint, count: int) -> None:
    now = timezone.now()
    Delivery.objects.bulk_create(
        Delivery(
            endpoint=endpoint,
            hook_id=f"msg_{'2abcDEF' * 4}{number}",
            body=b'{"questionnaire": {"id": "65a0ffffffffffffffffffff", "name": "' + b"Long " * 40 + b'"}}',
            event_type=LONG if number % 3 else "v1.questionnaire.status-changed",
            object_id="65a0ffffffffffffffffffff" if number % 2 else "",
            state=DeliveryState.DONE if number % 4 else DeliveryState.IGNORED,
            outcome="Fetched; the copy was brought up to date."
            if number % 4
            else "An event of an area that this portal does not keep.",
            attempts=1,
            received_at=now - timedelta(minutes=7 * (count - number)),
            processed_at=now,
        )
        for number in range(count)
    )


def test_every_state_is_sound(page, live_server, session_cookie, connected, catch_all, alice, acme):
    page.context.add_cookies([session_cookie])
    kept = snapshot(acme)
    for state, prepare in STATES.items():
        with tenant_scope(acme.pk):
            put_back(kept)
            prepare(catch_all, alice)
        page.goto(f"{live_server.url}{PAGE}")
        look(page, f"webhooks-{state}")
    page.evaluate("document.querySelectorAll('main details').forEach((details) => { details.open = true })")
    look(page, "webhooks-open")
    page.goto(f"{live_server.url}{PAGE}?q=nowhere")
    look(page, "webhooks-not-found")
    with tenant_scope(acme.pk):
        put_back(kept)
        troubled(catch_all, alice)
        rows = list(Delivery.objects.filter(state__in=["dead", "done"]).order_by("state", "-id"))
    for row in {row.state: row for row in rows}.values():
        page.goto(f"{live_server.url}{PAGE}deliveries/{row.pk}/")
        look(page, f"webhooks-delivery-{row.state}")


def snapshot(acme) -> list[dict]:
    with tenant_scope(acme.pk):
        return list(Endpoint.objects.values())


def put_back(endpoints: list[dict]) -> None:
    Run.objects.filter(kind="other").delete()
    for model in (Delivery, Rhythm, MissedChange):
        model.objects.all().delete()
    for values in endpoints:
        Endpoint.objects.filter(pk=values["id"]).update(
            **{key: value for key, value in values.items() if key not in ("id", "tenant_id")}
        )


def test_h9_a_secret_is_changed_by_keyboard_and_the_tick_comes_by_itself(
    page, live_server, session_cookie, connected, catch_all, acme
):
    page.context.add_cookies([session_cookie])
    page.goto(f"{live_server.url}{PAGE}")
    summary = page.locator(f"#endpoint-{catch_all.pk} summary")
    summary.focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.type(NEW)
    page.keyboard.press("Enter")
    expect(page.get_by_text("Waiting for the first delivery signed with the new secret")).to_be_visible()
    connection.close()
    with tenant_scope(acme.pk):
        endpoint = Endpoint.objects.get(pk=catch_all.pk)
    assert send(endpoint, {"questionnaire": {"id": "q1"}}, secret=NEW).status_code == 204
    tasks.process_deliveries(acme.pk)
    expect(page.get_by_text("A delivery signed with the new secret has arrived")).to_be_visible()
    page.get_by_role("button", name="Revoke the old secret now").focus()
    page.keyboard.press("Enter")
    page.get_by_role("dialog").get_by_role("button", name="Revoke").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_text("Old secret of “All events” revoked")).to_be_visible()
    with tenant_scope(acme.pk):
        assert not Endpoint.objects.get(pk=catch_all.pk).accepts_previous(timezone.now())


def test_q9_what_failed_is_found_read_and_replayed_by_keyboard(
    page, live_server, session_cookie, connected, catch_all, acme, alice
):
    with tenant_scope(acme.pk):
        troubled(catch_all, alice)
        touch_areas("inbox")
    page.context.add_cookies([session_cookie])
    page.goto(f"{live_server.url}{PAGE}")
    page.get_by_role("link", name="Failed").focus()
    page.keyboard.press("Enter")
    expect(page).to_have_url(f"{live_server.url}{PAGE}?state=dead")
    delivery = page.locator("#deliveries tbody a").first
    delivery.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Outcome")).to_be_visible()
    page.get_by_role("link", name="Webhooks").last.focus()
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Replay all failed").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_text("1 delivery queued for replay.")).to_be_visible()
