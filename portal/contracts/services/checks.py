from django.core.exceptions import PermissionDenied

from portal.tenants.models import Membership, Role


def check(member: Membership, role: Role = Role.ANALYST) -> None:
    """Raise PermissionDenied for a member whose role does not reach this one."""
    if not member.may(role):
        raise PermissionDenied
