"""How vendors, what belongs to each, and the names in them are fetched, stored and found gone."""

from dataclasses import replace
from datetime import UTC
from typing import Any

from django.utils import timezone

from portal.platform_api import Platform
from portal.platform_api.errors import NotFound
from portal.platform_api.models import vendors as remote
from portal.platform_api.paging import Collected, collect_each, collect_granted
from portal.sync.copies import mirror_of_copies
from portal.sync.mirrors import Mirror
from portal.vendors.kinds import ALL_OF_THEM, AREA, LABELS, PARTS, VENDOR
from portal.vendors.models import PartKind, Vendor
from portal.vendors.models.parts import REVIEWS_WITH_DOCUMENTS
from portal.vendors.services.labels import fetch_labels, mark_labels, store_labels
from portal.vendors.services.store import store_vendor
from portal.vendors.services.store_parts import FetchedParts, store_parts


def fetch_parts(client: Platform, vendor_id: str) -> FetchedParts:
    """Read all that belongs to a vendor: four lists, and the documents of its latest reviews."""
    vendors, asked_at = client.vendors, timezone.now()
    lists = collect_each(
        {
            PartKind.REVIEW: lambda cursor: vendors.security_reviews.all.page(cursor, vendor_id),
            PartKind.ASSESSMENT: lambda cursor: vendors.assessments.all.page(cursor, vendor_id),
            PartKind.FINDING: lambda cursor: vendors.findings.all.page(cursor, vendor_id),
            PartKind.DOCUMENT: lambda cursor: vendors.documents.all.page(cursor, vendor_id),
        }
    )
    latest = sorted(lists[PartKind.REVIEW].items, key=when, reverse=True)[:REVIEWS_WITH_DOCUMENTS]
    documents = {each.id: documents_of(client, vendor_id, each.id) for each in latest}
    return FetchedParts(vendor_id, asked_at, lists, {key: found for key, found in documents.items() if found is not None})


def when(review: remote.SecurityReview) -> str:
    """Return what tells which review is later."""
    at = review.start_date or review.due_date or review.completion_date
    # Texts sort like the moments they tell where all are of one zone.
    return at.astimezone(UTC).isoformat() if at else ""


def documents_of(client: Platform, vendor_id: str, review_id: str) -> Collected[Any] | None:
    """Read the documents of one review; None where the platform has no such review (any more), which its next list tells."""
    documents = client.vendors.security_reviews.documents
    found = collect_granted(lambda cursor: documents.all.page(cursor, vendor_id, review_id))
    # A 404 may pass (guarantee Q15); the vendor is still there.
    return None if isinstance(found.refusal, NotFound) else found


VENDORS = replace(
    mirror_of_copies(
        VENDOR,
        Vendor,
        area=AREA,
        unread=("payload", "search"),
        title="Vendors",
        fetch=lambda client, vendor_id: client.vendors.get(vendor_id),
        page=lambda client, cursor: client.vendors.all.page(cursor),
        before_save=mark_labels,
        save=store_vendor,
    ),
    # An example message names a vendor, too, and its row was never fetched.
    has=lambda vendor_id: Vendor.objects.filter(platform_id=vendor_id).exclude(payload={}).exists(),
)
MIRRORS = (
    VENDORS,
    Mirror(
        kind=PARTS,
        names=VENDORS.names,
        title="Reviews, assessments and findings of vendors",
        area=AREA,
        is_bulk=True,
        fetch=fetch_parts,
        save=store_parts,
        # The platform knows none of its lists, so it knows no such vendor either.
        mark_gone=VENDORS.mark_gone,
        has=VENDORS.has,
        identify=lambda fetched: fetched.vendor_id,
        problem=lambda fetched: fetched.problem,
    ),
    Mirror(
        kind=LABELS,
        title="Names of owners and risk attributes of vendors",
        area=AREA,
        fetch=fetch_labels,
        save=store_labels,
        mark_gone=lambda _: False,
        identify=lambda _: ALL_OF_THEM,
    ),
)
