from collections.abc import Mapping

from portal.audit.services import record
from portal.deletion_requests.models import DeletionRequest
from portal.page_refresh.services import touch_areas
from portal.users.models import User

AREA = "deletion_requests"


def record_change(
    row: DeletionRequest, action: str, summary: str, details: Mapping[str, object], *, actor: User | None = None
) -> None:
    """Add an audit row, which nobody can erase: never with the address, only with the reference and the masked form."""
    target = ("deletion_request", row.reference)
    record(f"deletion_request.{action}", target=target, summary=summary, details=details, actor=actor)
    touch_areas(AREA)
