from portal.audit.services import record
from portal.tenants.models import Membership
from portal.vendors.services.writes import check


def record_export(*, member: Membership) -> None:
    """Write down who took the filtered vendors as a file."""
    check(member)
    record("vendor.export", target=("vendors", "list"), summary="Exported vendors as CSV.", actor=member.user)
