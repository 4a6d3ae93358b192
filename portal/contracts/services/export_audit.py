from portal.audit.services import record
from portal.contracts.services.checks import check
from portal.tenants.models import Membership


def record_export(query: str, *, member: Membership) -> None:
    """Write down who took the contracts as a file (guarantee S8)."""
    check(member)
    record(
        "contract.export",
        target=("contracts", "list"),
        summary="Exported the contracts as CSV.",
        actor=member.user,
        # Not the filters themselves: what is searched for may be anything.
        details={"is_filtered": bool(query)},
    )
