from django.core.exceptions import PermissionDenied

from portal.audit.services import record
from portal.tenants.models import Membership, Role


def record_export(*, member: Membership) -> None:
    """Write down who took the filtered categories as a file. Raises PermissionDenied."""
    if not member.may(Role.ANALYST):
        raise PermissionDenied
    record("tags.export", target=("tags", "list"), summary="Exported tags as CSV.", actor=member.user)
