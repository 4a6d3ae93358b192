"""What the writes of this desk have in common (guarantee W1)."""

from collections.abc import Iterable

from django.core.exceptions import PermissionDenied
from django.db import transaction

from portal.sync.services import mark_stale
from portal.sync.wake import wake_drain
from portal.tenants.models import Membership, Role

EDITOR = Role.ADMIN
"""Who changes groups: they decide which tasks the platform gives to whom, far beyond this portal."""


def check(member: Membership, role: Role = EDITOR) -> None:
    if not member.may(role):
        raise PermissionDenied


@transaction.atomic
def read_again(kind: str, ids: Iterable[str]) -> None:
    """Have objects fetched now: the mirror shows the truth as soon as it is known."""
    for each in ids:
        mark_stale(kind, each, urgent=True)
    wake_drain()
