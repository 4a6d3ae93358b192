"""What the writes of this desk have in common (guarantee W1)."""

from django.core.exceptions import PermissionDenied

from portal.tenants.models import Membership, Role

EDITOR = Role.APPROVER
"""Who says which controls answer a risk: auditors read that as the company's own decision."""


def check(member: Membership, role: Role = EDITOR) -> None:
    if not member.may(role):
        raise PermissionDenied
