from django.core.exceptions import PermissionDenied
from django.db import transaction

from portal.audit.services import record
from portal.first_hour.models import Dismissal
from portal.first_hour.selectors import first_hour
from portal.tenants.models import Membership, Role


class NotConnected(Exception):
    """The set-up cannot be dismissed yet: without a connection there is nothing to work with."""


@transaction.atomic
def dismiss(member: Membership) -> None:
    """Hide what is left of the set-up, for everybody in the tenant. Raises NotConnected."""
    if not member.may(Role.ADMIN):
        raise PermissionDenied
    if not first_hour().may_dismiss:
        raise NotConnected
    _, is_new = Dismissal.objects.get_or_create()
    if is_new:
        summary = "Dismissed the rest of the setup."
        record("first_hour.dismiss", target=("tenant", str(member.tenant_id)), summary=summary, actor=member.user)
