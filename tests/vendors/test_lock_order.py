"""Whoever stores a part of a vendor, or what an event tells, waits for who stores the list, and neither stops the other."""

import pytest
from django.db import transaction
from django.utils import timezone

from portal.platform_api.models import vendors as remote
from portal.platform_api.paging import Collected
from portal.platform_api.webhooks import VendorDecisionCreated
from portal.vendors.handlers import show_decisions
from portal.vendors.models import Part, PartKind, Vendor
from portal.vendors.services.store_parts import FetchedParts, store_part, store_parts
from tests.support.beside import Beside, beside_a_page

pytestmark = pytest.mark.django_db(transaction=True)


def test_q6_a_new_finding_and_the_list_that_has_it_do_not_meet_in_a_deadlock(acme, vendor):
    payload = Part.objects.filter(vendor=vendor, kind=PartKind.FINDING)[0].payload
    new = remote.Finding.read({**payload, "id": "new"})
    listed = FetchedParts(vendor.platform_id, timezone.now(), {PartKind.FINDING: Collected([new])}, {})
    with transaction.atomic():
        # As who stores the lists begins.
        Vendor.objects.select_for_update().get(pk=vendor.pk)
        beside = Beside(acme.pk, lambda: transaction.atomic(store_part)(vendor, PartKind.FINDING, new, asked_at=timezone.now()))
        store_parts(listed)
    beside.wait()
    assert Part.objects.filter(vendor=vendor, platform_id="new").count() == 1


def test_q6_decisions_that_events_tell_and_a_page_of_vendors_do_not_meet_in_a_deadlock(scoped):
    rows = [
        Vendor.objects.create(platform_id=each, name=name, name_sort=name) for name, each in {"a": "zeta", "b": "alpha"}.items()
    ]
    told = {row.platform_id: [VendorDecisionCreated(vendor_id=row.platform_id, status="APPROVED")] for row in rows}
    beside_a_page(rows, lambda: transaction.atomic(show_decisions)(told))
    assert Vendor.objects.filter(decision_status="APPROVED").count() == 2
