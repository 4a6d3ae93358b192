"""A connection that only an owner can repair, as work."""

from collections.abc import Iterable

from django.db.models import QuerySet
from django.urls import reverse

from portal.connections.models import Connection, State
from portal.tenants.models import Role
from portal.work_items.kinds import Item, Kind, Source, register_kind

TO_DO = {
    State.NEEDS_RECONNECTION.value: "Reconnect to the platform",
    State.UNCONFIRMED.value: "Confirm that the right account was connected",
}


def _broken() -> QuerySet[Connection]:
    return Connection.objects.filter(state__in=TO_DO)


def build(ids: Iterable[int]) -> dict[int, Item]:
    """Make the item of a connection that waits for an owner: due since it broke, as every desk stands still."""
    rows = _broken().filter(pk__in=list(ids)).only("state", "ended_at", "connected_at", "tenant_id")
    return {
        row.pk: Item(
            title="Connection to the platform",
            to_do=TO_DO[row.state],
            url=_url,
            due_at=row.ended_at or row.connected_at,
            role=Role.OWNER,
        )
        for row in rows
    }


def _url(slug: str) -> str:
    return reverse("connections:connection", args=[slug])


def register() -> None:
    register_kind(
        Kind(
            name="connection",
            label="Connection",
            icon="plug-zap",
            desk="Connection",
            sources=(Source(model=Connection, columns=("state", "ended_at", "connected_at")),),
            build=build,
            objects=_broken,
            is_told_by_desk=True,
        )
    )
