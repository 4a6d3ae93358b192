"""Have the parts of one vendor read, because somebody opens it: the comparison of all vendors does not."""

from datetime import timedelta

from django.utils import timezone

from portal.connections.services import connection_of_tenant
from portal.lib.page_cache import cache
from portal.sync.freshness import ask_for
from portal.tenants.scope import current_tenant_id
from portal.vendors.kinds import PARTS
from portal.vendors.models import Vendor

READ_EVERY = timedelta(hours=1)
ASKED_AGAIN = 300
"""Seconds until an open page asks again for what has not come: it asks for itself every few seconds."""


def ask_for_parts(vendor: Vendor) -> None:
    """Have the parts read when they were never read or are old. Nothing is asked for while nobody could answer."""
    if vendor.gone_at or (vendor.parts_read_at and vendor.parts_read_at > timezone.now() - READ_EVERY):
        return
    connection = connection_of_tenant()
    if connection is None or not connection.is_active:
        return
    if cache.add(f"vendor-parts:{current_tenant_id()}:{vendor.pk}", True, ASKED_AGAIN):
        ask_for(PARTS, vendor.platform_id)
