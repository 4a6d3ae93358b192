"""What the writes of this desk have in common (guarantee W1)."""

from collections.abc import Callable

from django.core.exceptions import PermissionDenied

from portal.platform_writes.outcomes import refetching
from portal.sync.freshness import fetch_now
from portal.tenants.models import Membership, Role
from portal.vendors.errors import Gone
from portal.vendors.kinds import PARTS, VENDOR

DECIDER = Role.APPROVER
"""Who changes the status of a vendor and accepts risks: that is decided for the whole company."""


def check(member: Membership, role: Role = Role.ANALYST) -> None:
    if not member.may(role):
        raise PermissionDenied


def about[T](platform_id: str, call: Callable[[], T]) -> T:
    """Make calls about one vendor. Raises Gone where the platform does not have it or its finding.

    Whenever it is not known what became of a write, or our copy was wrong about it, the vendor is looked at again.
    """
    with refetching(lambda: read_again(platform_id), gone=Gone):
        return call()


def read_again(platform_id: str) -> None:
    """Have a vendor and its parts fetched now: the mirror shows the truth as soon as it is known."""
    fetch_now((VENDOR, platform_id), (PARTS, platform_id))
