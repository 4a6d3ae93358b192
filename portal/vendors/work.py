"""Security reviews that come near, as work of who owns the vendor's security."""

from collections.abc import Iterable
from functools import partial

from portal.calendars.models import OfficeHours
from portal.calendars.selectors import ends_of_due_dates
from portal.vendors.models import REVIEW_SOON, Label, LabelKind, Vendor, VendorQuerySet
from portal.vendors.search_hits import vendor_url
from portal.work_items.kinds import EVERY, Item, Kind, Searched, Source, register_kind
from portal.work_items.services import members_named, owner_of


def _to_review() -> VendorQuerySet:
    rows: VendorQuerySet = Vendor.objects.to_review()
    return rows


def build(ids: Iterable[int]) -> dict[int, Item]:
    """Make the items of vendors that have a day; each shows from a month before until the day moves."""
    rows = list(_to_review().filter(pk__in=list(ids)).defer("payload", "search"))
    owners = {row.security_owner_id for row in rows}
    labels = Label.objects.filter(kind=LabelKind.USER, tenant__in={row.tenant_id for row in rows}, platform_id__in=owners)
    names = {(tenant_id, key): name for tenant_id, key, name in labels.values_list("tenant_id", "platform_id", "name")}
    members = members_named((tenant_id, name) for (tenant_id, _), name in names.items())
    end_of = ends_of_due_dates({row.tenant_id for row in rows})
    items = {}
    for row in rows:
        owner_name = names.get((row.tenant_id, row.security_owner_id), "")
        items[row.pk] = Item(
            title=str(row),
            to_do="Complete the security review",
            url=partial(_url, row.platform_id),
            due_at=row.review_due_at and end_of(row.tenant_id, row.review_due_at),
            visible_from=row.review_due_at - REVIEW_SOON if row.review_due_at else None,
            owner_id=owner_of(members, row.tenant_id, owner_name),
            owner_name=owner_name,
        )
    return items


def _url(platform_id: str, slug: str) -> str:
    return vendor_url(slug, platform_id)


def register() -> None:
    columns = ("name", "status", "review_due_at", "security_owner_id", "gone_at")
    register_kind(
        Kind(
            name="vendor_review",
            label="Vendor to review",
            icon="shield-check",
            desk="Vendors",
            sources=(
                Source(model=Vendor, columns=columns),
                # Owners are few, and their names are read once a day.
                Source(model=Label, columns=("name",), key=EVERY),
                Source(model=OfficeHours, columns=("zone",), key=EVERY),
            ),
            build=build,
            searched=Searched(Vendor),
            objects=_to_review,
            has_owners=True,
        )
    )
