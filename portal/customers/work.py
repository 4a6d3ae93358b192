"""Customers that did not arrive at the platform, and imports that left some out, as work."""

from collections.abc import Iterable

from django.db.models import QuerySet
from django.urls import reverse

from portal.customers.models import SHOWN_FOR, NewCustomer, Step
from portal.customers.services.imports import IMPORTS
from portal.platform_writes.failed_runs import register_failed_runs
from portal.work_items.kinds import Item, Kind, Source, register_kind
from portal.work_items.services import members_among


def _absent() -> QuerySet[NewCustomer]:
    return NewCustomer.objects.filter(state=Step.ABSENT, settled_at__isnull=False)


def build(ids: Iterable[int]) -> dict[int, Item]:
    """Make the items of those that the platform does not have after all; after some days nobody expects them anymore."""
    rows = list(_absent().filter(pk__in=list(ids)).select_related("begun_by"))
    members = members_among((row.tenant_id, row.begun_by_id) for row in rows)
    return {
        row.pk: Item(
            title=row.name,
            to_do="Not created on the platform: try again or dismiss",
            url=_url,
            visible_until=row.settled_at + SHOWN_FOR if row.settled_at else None,
            owner_id=row.begun_by_id if (row.tenant_id, row.begun_by_id) in members else None,
            owner_name=str(row.begun_by) if (row.tenant_id, row.begun_by_id) in members else "",
        )
        for row in rows
    }


def _url(slug: str) -> str:
    return reverse("customers:list", args=[slug])


def _url_of_import(run_id: int, slug: str) -> str:
    return reverse("customers:import_run", args=[slug, run_id])


def register() -> None:
    register_failed_runs(IMPORTS, desk="Customers", url=_url_of_import)
    register_kind(
        Kind(
            name="new_customer",
            label="New customer",
            icon="triangle-alert",
            desk="Customers",
            sources=(Source(model=NewCustomer, columns=("state", "settled_at", "begun_by")),),
            build=build,
            objects=_absent,
            has_owners=True,
        )
    )
