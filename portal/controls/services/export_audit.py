from django.core.exceptions import PermissionDenied

from portal.audit.services import record
from portal.tenants.models import Membership, Role


def record_export(what: str, *, member: Membership) -> None:
    """Write down who took a filtered list as a file. Raises PermissionDenied."""
    if not member.may(Role.ANALYST):
        raise PermissionDenied
    record("controls.export", target=("controls", "list"), summary=f"Exported {what} as CSV.", actor=member.user)
