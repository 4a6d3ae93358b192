"""Telling the owners that their grant has ended: once, by mail, in words, with the address of the one button to press."""

from django.utils import timezone

from portal.connections.models import Connection, State
from portal.members.mail import mail_members
from portal.tenants.models import Role
from portal.tenants.scope import all_tenants


def tell_all() -> int:
    """Tell the owners of every tenant whose grant has ended and who were not told; return of how many."""
    with all_tenants("ended grants are found over all tenants"):
        ended = Connection.objects.filter(state=State.NEEDS_RECONNECTION, told_at=None).select_related("tenant")
        return sum(_tell(connection) for connection in ended[:50])


def _tell(connection: Connection) -> bool:
    """Claim first, so that two sweeps do not both write; a mail server that is down is tried again."""
    untold = Connection.objects.filter(pk=connection.pk, told_at=None, state=State.NEEDS_RECONNECTION)
    if not untold.update(told_at=timezone.now()):
        return False
    is_told = mail_members(
        connection.tenant,
        role=Role.OWNER,
        subject=f"{connection.tenant} has to be connected again",
        template="connections/ended.txt",
        page="connections:connection",
        connection=connection,
    )
    if not is_told:
        Connection.objects.filter(pk=connection.pk).update(told_at=None)
    return is_told
