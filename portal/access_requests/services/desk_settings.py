"""How a tenant wants its requests decided."""

from django.core.exceptions import PermissionDenied
from django.db import transaction

from portal.access_requests.models import DeskSettings
from portal.access_requests.services.outcomes import AREA
from portal.audit.services import record
from portal.page_refresh.services import touch_areas
from portal.tenants.models import Membership, Role


@transaction.atomic
def set_desk_settings(*, needs_two_for_approval: bool, deadline_hours: int | None, member: Membership) -> DeskSettings:
    """Set whether approvals need a second approval, and how long a request may wait.

    What is scheduled already is sent as it was decided.
    """
    if not member.may(Role.ADMIN):
        raise PermissionDenied
    values = {"needs_two_for_approval": needs_two_for_approval, "deadline_hours": deadline_hours}
    before = DeskSettings.objects.first() or DeskSettings()
    settings, _ = DeskSettings.objects.update_or_create(tenant=member.tenant, defaults=values)
    approval = "a second approval" if needs_two_for_approval else "one approval"
    deadline = "no deadline" if deadline_hours is None else f"a deadline of {deadline_hours} office hours"
    record(
        "access_request.settings",
        target=("access_request", "settings"),
        summary=f"Access requests now need {approval} and have {deadline}.",
        actor=member.user,
        details={"before": {name: getattr(before, name) for name in values}, "after": values},
    )
    touch_areas(AREA)
    return settings
