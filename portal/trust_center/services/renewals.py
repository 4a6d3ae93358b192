"""When a document has to be renewed: kept here, the platform has no such day."""

from datetime import date

from django.db import transaction

from portal.audit.services import record
from portal.page_refresh.services import touch_areas
from portal.tenants.models import Membership
from portal.trust_center.kinds import AREA, RESOURCE
from portal.trust_center.models import Renewal, RenewalRule, Resource, renewal_day
from portal.trust_center.services.checks import check_document
from portal.trust_center.services.writes import check


@transaction.atomic
def set_renewal(resource: Resource, rule: RenewalRule, *, renew_on: date | None, member: Membership) -> Resource:
    """Decide when a document has to be renewed; `renew_on` goes with the rule DAY. Raises PermissionDenied."""
    check(member)
    resource = Resource.objects.select_for_update().get(pk=resource.pk)
    renewal, _ = Renewal.objects.update_or_create(
        resource_id=resource.platform_id,
        defaults={"rule": rule, "renew_on": renew_on if rule == RenewalRule.DAY else None},
    )
    created_on = resource.created_at.date() if resource.created_at else None
    resource.renew_on = renewal_day(resource.title, created_on, renewal)
    resource.save(update_fields=["renew_on"])
    when = f"by {resource.renew_on.isoformat()}" if resource.has_renewal else "never"
    summary = f"Set the renewal of the document “{str(resource)[:150]}”: {when}."
    record("resource.renewal", target=(RESOURCE, resource.platform_id), summary=summary, actor=member.user)
    check_document(resource)
    touch_areas(AREA)
    return resource
