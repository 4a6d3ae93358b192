"""What an event states is applied at once; the rest is fetched. An event is a hint: neither its order nor its time counts."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from django.utils import timezone

from portal.platform_api.webhooks import VendorDecisionCreated
from portal.sync.copies import locked_in_order
from portal.sync.services import Effects
from portal.vendors.kinds import AREA, PARTS, VENDOR
from portal.vendors.models import Vendor
from portal.vendors.services.store import tell_decision


def sync_decisions(events: Sequence[VendorDecisionCreated], effects: Effects) -> None:
    """Show the decisions at once, and fetch the vendors and the reviews that ended with them."""
    stated: dict[str, list[VendorDecisionCreated]] = defaultdict(list)
    for event in events:
        stated[event.vendor_id].append(event)
    effects.show(AREA, partial(show_decisions, stated))
    effects.fetch(VENDOR, stated)
    effects.fetch(PARTS, stated)


def show_decisions(stated: Mapping[str, Sequence[VendorDecisionCreated]]) -> bool:
    """Write the decisions down and show the latest one, provisionally; the fetch confirms it."""
    shown = False
    _make_unknown(stated)
    # Locked in one order, so that two batches with the same vendors wait for each other; a page of the list too.
    rows = Vendor.objects.filter(platform_id__in=stated).defer("payload", "search")
    for row in locked_in_order(rows):
        for event in stated[row.platform_id]:
            told = tell_decision(row, status=event.status, decided_at=event.decided_at, comments=event.comments)
            shown = told or shown
            row.refresh_from_db(fields=["decision_status", "decided_at"])
    return shown


def _make_unknown(platform_ids: Iterable[str]) -> None:
    """Give vendors that were never fetched a row that counts as gone: only the event tells the comments of their decision."""
    known = set(Vendor.objects.filter(platform_id__in=platform_ids).values_list("platform_id", flat=True))
    now = timezone.now()
    rows = [Vendor(platform_id=each, gone_at=now) for each in sorted(set(platform_ids) - known)]
    Vendor.objects.bulk_create(rows, ignore_conflicts=True)


ROUTES: dict[type, Callable[[Sequence[Any], Effects], None]] = {VendorDecisionCreated: sync_decisions}
