"""Files that people take out are written down (guarantee S8)."""

from django.core.exceptions import PermissionDenied

from portal.audit.services import record
from portal.lib.counted import counted
from portal.tenants.models import Membership, Role


def note_dry_run(version: int, number: int, *, member: Membership) -> None:
    """Write down that somebody took a dry run as a file."""
    if not member.may(Role.ANALYST):
        raise PermissionDenied
    summary = f"Exported the dry run of the rules, version {version}, as CSV: {counted(number, 'request')}."
    record("access_rules.export", target=("access_rules", "book"), summary=summary, actor=member.user)
