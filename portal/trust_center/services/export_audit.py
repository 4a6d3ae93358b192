from portal.audit.services import record
from portal.tenants.models import Membership, Role
from portal.trust_center.services.writes import check


def record_export_of_checks(*, member: Membership) -> None:
    """Write down who took the filtered checks as a file. The search stays out: it may be somebody's name."""
    check(member)
    summary = "Exported Trust Center content to check as CSV."
    record("content_check.export", target=("content_check", "list"), summary=summary, actor=member.user)


def record_export(what: str, *, member: Membership, role: Role = Role.ANALYST) -> None:
    """Write down the same of one of the lists of what the Trust Center shows."""
    check(member, role)
    summary = f"Exported {what} of the Trust Center as CSV."
    record("trust_center.export", target=("trust_center", "list"), summary=summary, actor=member.user)
