from portal.audit.services import record
from portal.people.services.writes import check
from portal.tenants.models import Membership, Role


def record_export(what: str, *, member: Membership) -> None:
    """Write down who took the filtered people, or groups, as a file. The search stays out: it may be somebody's name."""
    check(member, Role.ANALYST)
    record("person.export", target=("people", "list"), summary=f"Exported {what} as CSV.", actor=member.user)
