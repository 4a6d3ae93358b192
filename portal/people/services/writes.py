"""What the writes of this desk have in common (guarantee W1)."""

from django.core.exceptions import PermissionDenied

from portal.tenants.models import Membership, Role

EDITOR = Role.ADMIN
"""Who changes groups: they decide which tasks the platform gives to whom, far beyond this portal."""


def check(member: Membership, role: Role = EDITOR) -> None:
    if not member.may(role):
        raise PermissionDenied
