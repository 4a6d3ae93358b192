from django.core.exceptions import PermissionDenied

from portal.audit.services import record
from portal.tenants.models import Membership, Role


def record_export(query: str, *, member: Membership) -> None:
    """Write down who took the customers as a file (guarantee S8)."""
    if not member.may(Role.ANALYST):
        raise PermissionDenied
    record(
        "customer.export",
        target=("customers", "list"),
        summary="Exported the customers as CSV.",
        actor=member.user,
        # Not the filters themselves: what is searched for may be anything.
        details={"is_filtered": bool(query)},
    )
