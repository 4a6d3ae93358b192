from portal.audit.services import record
from portal.engagements.services.writes import check
from portal.tenants.models import Membership


def record_export(*, member: Membership) -> None:
    """Write down who took the filtered audits as a file."""
    check(member)
    record("engagement.export", target=("engagements", "list"), summary="Exported audits as CSV.", actor=member.user)
