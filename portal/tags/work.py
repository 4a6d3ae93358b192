"""Switches that were pressed and did not move on the platform, as work."""

from collections.abc import Iterable, Mapping

from django.db.models import QuerySet
from django.urls import reverse

from portal.tags.models import Category, SwitchChange
from portal.tags.models.switches import FAILED, SHOWN_FOR
from portal.tags.refusals import REFUSALS, refusal_message
from portal.tags.services import switch
from portal.tenants.models import Membership, Role
from portal.work_items.kinds import Action, Item, Key, Kind, Source, register_kind
from portal.work_items.services import members_among


def _failed() -> QuerySet[SwitchChange]:
    return SwitchChange.objects.filter(state__in=FAILED, category__gone_at=None)


def build(ids: Iterable[int]) -> dict[int, Item]:
    """Make the items of those that failed and were not pressed again, as long as the matrix tells of them."""
    rows = list(_failed().filter(pk__in=list(ids)).select_related("category", "begun_by"))
    members = members_among((row.tenant_id, row.begun_by_id) for row in rows)
    return {
        row.pk: Item(
            title=str(row),
            to_do=f"Not switched {row.wanted}",
            url=_url,
            visible_until=row.settled_at + SHOWN_FOR if row.settled_at else None,
            owner_id=row.begun_by_id if (row.tenant_id, row.begun_by_id) in members else None,
            owner_name=str(row.begun_by) if (row.tenant_id, row.begun_by_id) in members else "",
            role=Role.ADMIN,
            actions=("switch_again",),
        )
        for row in rows
    }


def _url(slug: str) -> str:
    return reverse("tags:matrix", args=[slug])


def _switch_again(object_id: int, member: Membership, choice: Mapping[str, str]) -> str:
    row = SwitchChange.objects.select_related("category").get(pk=object_id)
    change = switch(row.category, row.context, is_on=row.is_on, member=member)
    return f"Being checked: {change}" if change.is_on_its_way else f"{change} is {change.wanted}"


def register() -> None:
    register_kind(
        Kind(
            name="tag_switch",
            label="Tags",
            icon="triangle-alert",
            desk="Tags",
            sources=(
                Source(model=SwitchChange, columns=("state", "settled_at", "begun_by")),
                Source(model=Category, columns=("gone_at",), children=(SwitchChange, "category")),
            ),
            build=build,
            objects=_failed,
            has_owners=True,
            actions={"switch_again": Action(label="Try again", key=Key.ACCEPT, role=Role.ADMIN, run=_switch_again)},
            refusals=REFUSALS,
            error_message=lambda error, slug: refusal_message(error),
        )
    )
