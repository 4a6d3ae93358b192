from portal.audit.services import record
from portal.documents.services.writes import check
from portal.tenants.models import Membership


def record_export(*, member: Membership) -> None:
    """Write down who took the filtered documents as a file. The search stays out: it may be somebody's name."""
    check(member)
    record("document.export", target=("document", "list"), summary="Exported documents as CSV.", actor=member.user)
