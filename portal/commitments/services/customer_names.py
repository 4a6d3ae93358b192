"""Commitments know their customer's name, so that the register finds them by it; when that changes, they follow."""

from django.db import transaction
from django.db.models import F, OuterRef, QuerySet, Subquery

from portal.accounts.models import Account
from portal.commitments.models import Commitment
from portal.commitments.selectors import AREA
from portal.commitments.services.commitments import searched
from portal.page_refresh.services import touch_areas
from portal.tenants.scope import all_tenants
from portal.tenants.turns import serve_in_turn

BATCH = 500


def follow_names() -> None:
    """Give the commitments of renamed customers the new name, tenant by tenant."""
    with all_tenants("the sweep finds the renamed customers of every tenant"):
        renamed = _renamed().filter(tenant__closed_at=None).order_by("tenant_id").values_list("tenant_id")
        turns = list(renamed.distinct())
    serve_in_turn(turns, _follow_all, what="following renamed customers")


def _follow_all() -> None:
    while _follow_some():
        pass


def _renamed() -> "QuerySet[Commitment]":
    name = Account.objects.filter(tenant=OuterRef("tenant"), platform_id=OuterRef("account_id")).values("name")[:1]
    return Commitment.objects.annotate(new=Subquery(name)).exclude(new=F("account_name")).filter(new__isnull=False)


@transaction.atomic
def _follow_some() -> bool:
    batch = list(_renamed().select_related("contract").order_by("pk")[:BATCH])
    for commitment in batch:
        commitment.account_name = commitment.new[:300]  # type: ignore[attr-defined]
        commitment.search = searched(commitment)
    Commitment.objects.bulk_update(batch, ["account_name", "search"])
    if batch:
        touch_areas(AREA)
    return len(batch) == BATCH
