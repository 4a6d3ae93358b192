"""Commitments know their customer's name, so that the register finds them by it; when that changes, they follow."""

from django.db import transaction
from django.db.models import F, OuterRef, Subquery

from portal.accounts.models import Account
from portal.commitments.models import Commitment
from portal.commitments.selectors import AREA
from portal.commitments.services.registering import searched
from portal.page_refresh.services import touch_areas
from portal.tenants.models import Tenant
from portal.tenants.scope import tenant_scope

BATCH = 500


def follow_names() -> None:
    """Give the commitments of renamed customers the new name, tenant by tenant."""
    for tenant_id in Tenant.objects.filter(closed_at=None).values_list("pk", flat=True):
        with tenant_scope(tenant_id):
            while _follow_some():
                pass


@transaction.atomic
def _follow_some() -> bool:
    name = Account.objects.filter(platform_id=OuterRef("account_id")).values("name")[:1]
    renamed = Commitment.objects.annotate(new=Subquery(name)).exclude(new=F("account_name")).filter(new__isnull=False)
    batch = list(renamed.select_related("contract").order_by("pk")[:BATCH])
    for commitment in batch:
        commitment.account_name = commitment.new[:300]  # type: ignore[attr-defined]
        commitment.search = searched(commitment)
    Commitment.objects.bulk_update(batch, ["account_name", "search"])
    if batch:
        touch_areas(AREA)
    return len(batch) == BATCH
