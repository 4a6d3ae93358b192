from portal.audit.services import record
from portal.tenants.models import Membership
from portal.trust_center.services.writes import check


def record_export_of_checks(*, member: Membership) -> None:
    """Write down who took the filtered checks as a file. The search stays out: it may be somebody's name."""
    check(member)
    summary = "Exported Trust Center content to check as CSV."
    record("content_check.export", target=("content_check", "list"), summary=summary, actor=member.user)
