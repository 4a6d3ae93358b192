from django.core.exceptions import PermissionDenied
from django.db import transaction

from portal.audit.services import record
from portal.deletion_requests.models import DeskSettings
from portal.deletion_requests.services.request_audit import AREA
from portal.page_refresh.services import touch_areas
from portal.tenants.models import Membership, Role


@transaction.atomic
def set_desk_settings(*, regulation: str, own_days: int, recheck_days: int, member: Membership) -> DeskSettings:
    """Say which clock runs by default and when the desk looks again. What is under way keeps its dates."""
    if not member.may(Role.ADMIN):
        raise PermissionDenied
    values = {"regulation": regulation, "own_days": own_days, "recheck_days": recheck_days}
    before = DeskSettings.objects.values(*values).first()
    settings, _ = DeskSettings.objects.update_or_create(tenant=member.tenant, defaults=values)
    summary = "Changed the settings of deletion requests."
    target = ("deletion_desk", "settings")
    details = {"before": before or {}, "after": values}
    record("deletion_request.settings", target=target, summary=summary, actor=member.user, details=details)
    touch_areas(AREA)
    return settings
