from django.core.exceptions import PermissionDenied

from portal.audit.services import record
from portal.tenants.models import Membership, Role


def record_export(*, member: Membership) -> None:
    """Write down who took the filtered event log as a file. The search stays out: it may be somebody's name."""
    if not member.may(Role.ADMIN):
        raise PermissionDenied
    record("event_log.export", target=("event_log", "list"), summary="Exported the event log as CSV.", actor=member.user)
