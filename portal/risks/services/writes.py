"""What the writes of this desk have in common (guarantee W1)."""

from django.core.exceptions import PermissionDenied
from django.db import transaction

from portal.sync.services import mark_stale
from portal.sync.wake import wake_drain
from portal.tenants.models import Membership, Role

EDITOR = Role.APPROVER
"""Who says which controls answer a risk: auditors read that as the company's own decision."""


def check(member: Membership, role: Role = EDITOR) -> None:
    if not member.may(role):
        raise PermissionDenied


@transaction.atomic
def read_again(kind: str, platform_id: str) -> None:
    """Have an object fetched now: the mirror shows the truth as soon as it is known."""
    mark_stale(kind, platform_id, urgent=True)
    wake_drain()
