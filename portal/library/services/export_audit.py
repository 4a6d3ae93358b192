from django.core.exceptions import PermissionDenied

from portal.audit.services import record
from portal.tenants.models import Membership, Role


def record_export(query: str, *, member: Membership, what: str = "library") -> None:
    """Write down who took the library, or the knowledge base, as a file (guarantee S8)."""
    if not member.may(Role.ANALYST):
        raise PermissionDenied
    record(
        "library.export",
        target=("library", "entries"),
        summary=f"Exported the {what} as CSV.",
        actor=member.user,
        # Not the filters themselves: what is searched for may be anything.
        details={"is_filtered": bool(query)},
    )
