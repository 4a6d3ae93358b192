from django.core.exceptions import PermissionDenied

from portal.audit.services import record
from portal.tenants.models import Membership, Role


def record_export(*, member: Membership) -> None:
    """Write down who took the ledger as a file. Whom it was narrowed to stays out."""
    if not member.may(Role.ANALYST):
        raise PermissionDenied
    target, summary = ("deletion_requests", "list"), "Exported the deletion requests as CSV."
    record("deletion_request.export", target=target, summary=summary, actor=member.user)
