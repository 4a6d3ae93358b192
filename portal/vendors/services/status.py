"""Changing the status of a vendor on the platform."""

from django.db import transaction

from portal.audit.services import record
from portal.connections.services import Urgency, client_for
from portal.page_refresh.services import touch_areas
from portal.platform_api.models import vendors as remote
from portal.platform_writes.outcomes import write_and_verify
from portal.tenants.models import Membership
from portal.vendors.kinds import AREA, VENDOR
from portal.vendors.models import Vendor
from portal.vendors.services.store import store_vendor
from portal.vendors.services.writes import DECIDER, about, check


def set_status(vendor: Vendor, status: str, *, member: Membership) -> Vendor:
    """Give a vendor another status on the platform (platform-api 4.7).

    Raises PermissionDenied, Gone, OutcomeUnknown, NotConnected or a PlatformError.
    """
    check(member, DECIDER)
    vendors = client_for(Urgency.PERSON).vendors

    def send() -> remote.Vendor:
        return write_and_verify(
            write=lambda: vendors.set_status(vendor.platform_id, status),
            fetch=lambda: vendors.get(vendor.platform_id),
            is_done=lambda found: found.status == status,
            of=(VENDOR, [vendor.platform_id]),
            must_show=True,
        )

    found, before = about(vendor.platform_id, send), vendor.status_pill[0]
    with transaction.atomic():
        store_vendor(found)
        vendor = Vendor.objects.get(pk=vendor.pk)
        summary = f"Changed the status of the vendor “{str(vendor)[:150]}” from {before} to {vendor.status_pill[0]}."
        record("vendor.status", target=(VENDOR, vendor.platform_id), summary=summary, actor=member.user)
        touch_areas(AREA)
    return vendor
