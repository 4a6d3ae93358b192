from django.core.exceptions import PermissionDenied

from portal.audit.services import record
from portal.tenants.models import Membership, Role


def record_export(tab: str, *, member: Membership) -> None:
    """Write down who took the filtered requests as a file. The search stays out: it may be somebody's name."""
    if not member.may(Role.ANALYST):
        raise PermissionDenied
    record(
        "access_request.export",
        target=("access_requests", "list"),
        summary="Exported access requests as CSV.",
        actor=member.user,
        details={"tab": tab},
    )
