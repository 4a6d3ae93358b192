"""The facts that the steps of the set-up are ticked off by."""

from django.db.models import Count, Exists, OuterRef, Subquery

from portal.calendars.models import OfficeHours
from portal.connections.services import connection_of_tenant
from portal.first_hour.models import Dismissal
from portal.first_hour.steps import Facts, FirstHour, first_hour_of
from portal.inbox.models import Delivery, Endpoint
from portal.members.models import Invitation
from portal.page_refresh.services import cached_by_version
from portal.questionnaires.models import Questionnaire
from portal.tenants.models import Membership, Tenant
from portal.tenants.scope import current_tenant_id


def first_hour() -> FirstHour:
    """Return how far the tenant in scope is set up: three queries, and a count that is kept."""
    invitations = Invitation.objects.filter(tenant=OuterRef("pk")).order_by().values("tenant").annotate(number=Count("pk"))
    members = Membership.objects.order_by().values("tenant").annotate(number=Count("pk"))
    found = (
        Tenant.objects.filter(pk=current_tenant_id())
        .annotate(
            members_count=Subquery(members.values("number")),
            invitations_count=Subquery(invitations.values("number")),
            has_secret=Exists(Endpoint.objects.exclude(secret_entered_at=None)),
            has_delivery=Exists(Delivery.objects.all()),
            hours_zone=Subquery(OfficeHours.objects.values("zone")[:1]),
            is_dismissed=Exists(Dismissal.objects.all()),
        )
        .get()
    )
    return first_hour_of(
        Facts(
            connection=connection_of_tenant(),
            has_secret=found.has_secret,
            has_delivery=found.has_delivery,
            teammates=max((found.members_count or 0) - 1, 0) + (found.invitations_count or 0),
            hours_zone=found.hours_zone or "",
            is_dismissed=found.is_dismissed,
            questionnaires=cached_by_version("questionnaires", "first_hour", Questionnaire.objects.present().count),
        )
    )
