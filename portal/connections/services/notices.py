"""Telling the owners that their grant has ended: once, by mail, in words, with the address of the one button to press."""

from django.db.models import Q

from portal.connections.models import Connection, State
from portal.members.mail import mail_once
from portal.tenants.models import Role
from portal.tenants.scope import all_tenants


def tell_all() -> int:
    """Tell the owners of every tenant whose grant has ended and who were not told; return of how many."""
    with all_tenants("ended grants are found over all tenants"):
        ended = Connection.objects.filter(state=State.NEEDS_RECONNECTION, told_at=None).select_related("tenant")
        return sum(_tell(connection) for connection in ended[:50])


def _tell(connection: Connection) -> bool:
    return mail_once(
        connection,
        "told_at",
        Q(state=State.NEEDS_RECONNECTION),
        role=Role.OWNER,
        subject=f"{connection.tenant} has to be connected again",
        template="connections/ended.txt",
        page="connections:connection",
        connection=connection,
    )
