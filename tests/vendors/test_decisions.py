"""The one event about vendors: shown at once, confirmed by the fetch, and to be seen on the vendor's page."""

import json
from datetime import datetime, timedelta

import pytest
from django.utils import timezone

from portal.inbox import tasks
from portal.inbox.models import Delivery, DeliveryState
from portal.inbox.routes import ROUTES
from portal.inbox.services.parsing import EXAMPLE
from portal.platform_api.webhooks import parse
from portal.sandbox.webhooks.catalogue import EXAMPLES
from portal.sync.models import StaleMark
from portal.tenants.scope import tenant_scope
from portal.vendors.models import Decision, Part, PartKind, Vendor
from portal.vendors.search_hits import vendor_url

ABOUT_VENDORS = [name for name in EXAMPLES if name.startswith("v1.vendor")]
WORDS = "Backups are not encrypted."


def told(vendor: Vendor, status: str, at: datetime, comments: str = "") -> dict:
    decision = {"status": status, "lastUpdatedAt": at.isoformat()} | ({"comments": comments} if comments else {})
    return {"vendor": {"id": vendor.platform_id, "decision": decision}}


@pytest.mark.parametrize("event_type", ABOUT_VENDORS)
def test_every_event_about_vendors_has_its_route(event_type):
    assert type(parse(json.dumps(EXAMPLES[event_type]).encode(), event_type=event_type)) in ROUTES


@pytest.mark.both
def test_a_decision_shows_at_once_and_is_confirmed_by_the_fetch(client, owner, desk, vendor, deliver):
    page = vendor_url("acme", vendor.platform_id)
    before = Decision.objects.filter(vendor=vendor).count()
    desk.decide(vendor, "NOT_APPROVED", WORDS)
    latest = desk.there("vendors")[vendor.platform_id]["latestDecision"]
    payload = {"vendor": {"id": vendor.platform_id, "decision": latest | {"comments": WORDS}}}
    assert deliver(payload).status_code == 204
    tasks.process_deliveries(vendor.tenant_id)
    row = Vendor.objects.get(pk=vendor.pk)
    assert (row.decision_status, row.is_provisional) == ("NOT_APPROVED", True)
    shown = client.get(page).content.decode()
    assert WORDS in shown
    assert "Received by webhook, confirming" in shown
    marks = set(StaleMark.objects.due().values_list("kind", "object_id"))
    assert marks == {("vendor", vendor.platform_id), ("vendor_parts", vendor.platform_id)}
    desk.drain()
    row.refresh_from_db()
    assert (row.decision_status, row.is_provisional) == ("NOT_APPROVED", False)
    assert Decision.objects.filter(vendor=vendor).count() == before + 1, "told and fetched, it is one decision"
    assert "Received by webhook, confirmed by the platform" in client.get(page).content.decode()
    reviews = Part.objects.filter(vendor=vendor, kind=PartKind.REVIEW)
    assert WORDS in [each.payload["decisionNotes"] for each in reviews], "the review that ended with it was fetched"
    assert Delivery.objects.get().state == DeliveryState.DONE


def test_the_decision_on_a_vendor_that_was_never_fetched_keeps_its_comments(client, owner, desk, vendor, deliver):
    """Only the event tells them: by the time the vendor is fetched, the delivery is long done."""
    there, pk = vendor.platform_id, vendor.pk
    Vendor.objects.filter(pk=pk).delete()
    desk.decide(vendor, "NOT_APPROVED", WORDS)
    latest = desk.there("vendors")[there]["latestDecision"]
    deliver({"vendor": {"id": there, "decision": latest | {"comments": WORDS}}})
    tasks.process_deliveries(vendor.tenant_id)
    assert not Vendor.objects.present().filter(platform_id=there).exists(), "nothing is shown of it until it is fetched"
    desk.drain()
    row = Vendor.objects.present().get(platform_id=there)
    assert row.name == vendor.name
    assert WORDS in client.get(vendor_url("acme", there)).content.decode()


def test_the_comments_of_a_decision_are_kept_to_their_end(desk, vendor, deliver):
    comments = "Line of a long explanation. " * 400
    deliver(told(vendor, "NOT_APPROVED", timezone.now(), comments))
    tasks.process_deliveries(vendor.tenant_id)
    assert Decision.objects.get(vendor=vendor, status="NOT_APPROVED").comments == comments.strip()


def test_q11_an_older_decision_that_arrives_last_is_kept_and_not_shown(client, owner, desk, vendor, deliver):
    now = timezone.now()
    deliver(told(vendor, "NOT_APPROVED", now - timedelta(hours=1)))
    deliver(told(vendor, "BRAND_NEW", now - timedelta(minutes=1)))
    deliver(told(vendor, "BRAND_NEW", now - timedelta(minutes=1)))
    deliver(told(vendor, "CONDITIONALLY_APPROVED", now - timedelta(hours=2), "Until the audit."))
    tasks.process_deliveries(vendor.tenant_id)
    vendor.refresh_from_db()
    assert vendor.decision_status == "BRAND_NEW"
    shown = client.get(vendor_url("acme", vendor.platform_id)).content.decode()
    assert all(each in shown for each in ("Not approved", "Approved with conditions", "Until the audit.", "Brand new"))
    assert Decision.objects.filter(vendor=vendor, told_at__isnull=False).count() == 3
    # The fetched object decides: none of it was so.
    desk.drain()
    vendor.refresh_from_db()
    there = desk.there("vendors")[vendor.platform_id]["latestDecision"]["status"]
    assert (vendor.decision_status, vendor.is_provisional) == (there, False)
    assert not Decision.objects.filter(vendor=vendor, told_at__isnull=False).exclude(confirmed_at=None).exists()
    shown = client.get(vendor_url("acme", vendor.platform_id)).content.decode()
    assert ("Received by webhook" in shown, "Received by webhook, confirming" in shown) == (True, False)


def test_what_the_platform_leaves_out_does_not_take_a_told_decision_away(desk, vendor, deliver):
    deliver(told(vendor, "NOT_APPROVED", timezone.now()))
    tasks.process_deliveries(vendor.tenant_id)
    body = desk.there("vendors")[vendor.platform_id]
    del body["latestDecision"]
    desk.objects.save(desk.tenant_id, "vendors", body)
    desk.drain()
    vendor.refresh_from_db()
    assert "latestDecision" not in vendor.payload
    assert (vendor.decision_status, vendor.is_provisional) == ("NOT_APPROVED", False)


def test_an_event_of_another_tenant_changes_nothing_here(desk, vendor, deliver, globex):
    before = Vendor.objects.get(pk=vendor.pk).decision_status
    with tenant_scope(globex.pk):
        strange = Vendor.objects.create(platform_id=vendor.platform_id, name="Theirs", decision_status="APPROVED")
    deliver(told(vendor, "NOT_APPROVED", timezone.now()))
    tasks.process_deliveries(vendor.tenant_id)
    assert Vendor.objects.get(pk=vendor.pk).decision_status == "NOT_APPROVED" != before
    with tenant_scope(globex.pk):
        assert Vendor.objects.get(pk=strange.pk).decision_status == "APPROVED"
        assert not StaleMark.objects.exists()


def test_an_example_of_the_dashboard_is_said_to_be_one(desk, deliver):
    for event_type in ABOUT_VENDORS:
        deliver(EXAMPLES[event_type])
    row = Delivery.objects.get()
    tasks.process_deliveries(row.tenant_id)
    tasks.drain_tenant(row.tenant_id)
    row.refresh_from_db()
    assert row.outcome.startswith(EXAMPLE)
    assert not Vendor.objects.present().filter(platform_id="123").exists(), "nothing is shown of it"
