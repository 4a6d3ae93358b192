from portal.audit.services import record
from portal.risks.services.writes import check
from portal.tenants.models import Membership, Role


def record_export(what: str, *, member: Membership) -> None:
    """Write down who took a filtered list as a file. The search stays out: it may be somebody's name."""
    check(member, Role.ANALYST)
    record("risks.export", target=("risks", "list"), summary=f"Exported {what} as CSV.", actor=member.user)
