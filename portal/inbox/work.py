"""A feed of events that has fallen silent, as work."""

from collections.abc import Iterable

from django.db.models import QuerySet
from django.urls import reverse

from portal.inbox.models import Rhythm
from portal.tenants.models import Role
from portal.work_items.kinds import Item, Kind, Source, register_kind


def _silent() -> QuerySet[Rhythm]:
    return Rhythm.objects.exclude(silent_since=None)


def build(ids: Iterable[int]) -> dict[int, Item]:
    """Make the item of a tenant whose events have stopped coming: due since they stopped."""
    rows = _silent().filter(pk__in=list(ids)).only("silent_since", "tenant_id")
    return {
        row.pk: Item(
            title="Events from the platform",
            to_do="Check the webhook: no events",
            url=_url,
            due_at=row.silent_since,
            role=Role.ADMIN,
        )
        for row in rows
    }


def _url(slug: str) -> str:
    return reverse("inbox:webhooks", args=[slug])


def register() -> None:
    register_kind(
        Kind(
            name="silent_feed",
            label="Webhooks",
            icon="webhook",
            desk="Connection",
            sources=(Source(model=Rhythm, columns=("silent_since",)),),
            build=build,
            objects=_silent,
            is_told_by_desk=True,
        )
    )
