"""Telling the owners that their grant has ended: once, in words, with the page of the one button to press."""

from django.db.models import Q
from django.urls import reverse

from portal.connections.models import Connection, State
from portal.notifications.kinds import CONNECTION
from portal.notifications.services import notify_once
from portal.tenants.models import Role
from portal.tenants.scope import all_tenants
from portal.tenants.turns import serve_in_turn


def tell_all() -> int:
    """Tell the owners of every tenant whose grant has ended and who were not told; return of how many."""
    with all_tenants("ended grants are found over all tenants"):
        ended = Connection.objects.filter(state=State.NEEDS_RECONNECTION, told_at=None).select_related("tenant")
        turns = [(connection.tenant_id, connection) for connection in ended.order_by("ended_at", "pk")]
    return serve_in_turn(turns, _tell, what="telling of an ended grant")


def _tell(connection: Connection) -> bool:
    return notify_once(
        connection,
        "told_at",
        Q(state=State.NEEDS_RECONNECTION),
        kind=CONNECTION,
        role=Role.OWNER,
        title=f"Reconnect {connection.tenant} to the platform",
        text=f"{connection.last_error} Everything in the portal stays.".strip(),
        url=lambda slug: reverse("connections:connection", args=[slug]),
        with_team=True,
    )
