from django.core.exceptions import PermissionDenied

from portal.audit.services import record
from portal.tenants.models import Membership, Role


def record_export(what: str, query: str, *, member: Membership) -> None:
    """Write down who took the register, the matrix or the suggestions as a file (guarantee S8)."""
    if not member.may(Role.ANALYST):
        raise PermissionDenied
    record(
        "commitment.export",
        target=("commitments", what),
        summary=f"Exported the {what} of commitments as CSV.",
        actor=member.user,
        # Not the filters themselves: what is searched for may be anything.
        details={"is_filtered": bool(query)},
    )
