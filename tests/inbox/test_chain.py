"""A person can follow one delivery: received, understood, marked, fetched, and what came of it."""

import pytest
from django.test import Client

from portal.inbox.models import Delivery
from portal.inbox.routes import MIRRORS, ROUTES
from portal.inbox.selectors import chain
from portal.inbox.services import note_outcomes, process
from portal.sync.services import drain_tenant
from portal.tenants.scope import tenant_scope
from tests.sync.desk import two_minutes_pass


@pytest.fixture
def steps(acme):
    """The way of the latest delivery, as (state, title, detail)."""

    def look() -> list[tuple[str, str, str]]:
        with tenant_scope(acme.pk):
            return [(step["state"], step["title"], step["detail"]) for step in chain(Delivery.objects.first())]

    return look


def work(acme, *, fetch: bool = False) -> None:
    with tenant_scope(acme.pk):
        process(ROUTES)
        if fetch:
            note_outcomes(drain_tenant(MIRRORS))
            two_minutes_pass()
            note_outcomes(drain_tenant(MIRRORS))


def test_each_link_of_the_chain_is_shown_as_it_comes(connected, acme, deliver, steps, sandbox, platform_tenant):
    object_id = sandbox.objects(platform_tenant["tenant_id"], "questionnaires")[0]["id"]
    deliver({"questionnaire": {"id": object_id, "status": "IN_REVIEW"}})
    assert [state for state, _, _ in steps()] == ["done", "now"]
    work(acme)
    _, understood, fetch = steps()
    assert understood[1] == "Recognized as v1.questionnaire.status-changed"
    assert object_id in understood[2]
    assert fetch[:2] == ("now", "To be fetched")
    work(acme, fetch=True)
    assert steps()[-1] == ("done", "Asked the platform", "Fetched; the copy was brought up to date.")


def test_an_event_that_is_not_ours_ends_where_it_was_understood(connected, acme, deliver, steps):
    deliver({"something": "else"})
    work(acme)
    assert [title for _, title, _ in steps()] == ["Received and verified", "Recognized as Unknown event"]


def test_an_example_is_said_to_be_one(connected, acme, deliver, steps, client: Client, alice):
    deliver({"questionnaire": {"id": "65f1b2c3d4e5f6a7b8c9d0ff"}})
    work(acme, fetch=True)
    assert "Example" in steps()[-1][2]
    client.force_login(alice)
    with tenant_scope(acme.pk):
        page = f"/t/acme/settings/webhooks/deliveries/{Delivery.objects.first().pk}/"
    assert b"Example, nothing to fetch" in client.get(page).content


def test_what_waits_for_a_token_says_so(connected, acme, deliver, steps, sandbox):
    deliver({"questionnaire": {"id": "65f1b2c3d4e5f6a7b8c9d0ff"}})
    sandbox.fail("status", path="/v1/customer-trust/questionnaires", value=503)
    work(acme, fetch=True)
    assert steps()[-1] == ("now", "To be fetched", "The platform failed (503).")
