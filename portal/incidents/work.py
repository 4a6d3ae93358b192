"""The customers who have yet to be notified of an open incident, as work."""

from collections.abc import Iterable
from functools import partial

from django.db.models import QuerySet
from django.urls import reverse

from portal.incidents.models import NEVER, Incident, Notice
from portal.tenants.models import Role
from portal.work_items.kinds import Item, Kind, Source, register_kind


def _open() -> QuerySet[Notice]:
    return Notice.objects.to_tell().filter(incident__closed_at=None)


def build(ids: Iterable[int]) -> dict[int, Item]:
    """Make the items of those notices that are still to be given, in the order of the plan."""
    rows = _open().filter(pk__in=list(ids)).select_related("incident").defer("promises", "search")
    return {
        row.pk: Item(
            title=str(row.incident),
            to_do="Notify the customer immediately" if row.is_at_once else "Notify the customer",
            url=partial(_url, row.incident_id, row.pk),
            customer=row.customer,
            account_id=row.account_id,
            due_at=None if row.tell_by == NEVER else row.tell_by,
            role=Role.ANALYST,
        )
        for row in rows
    }


def _url(incident_id: int, notice_id: int, slug: str) -> str:
    return reverse("incidents:notice", args=[slug, incident_id, notice_id])


def register() -> None:
    register_kind(
        Kind(
            name="incident_notice",
            label="Incident",
            icon="siren",
            desk="Incidents",
            sources=(
                Source(model=Notice, columns=("state", "left_at", "tell_by")),
                Source(model=Incident, columns=("closed_at",), children=(Notice, "incident")),
            ),
            build=build,
            objects=_open,
        )
    )
