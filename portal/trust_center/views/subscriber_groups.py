from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_GET, require_POST

from portal.lib.counted import counted
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role
from portal.trust_center import selectors, services
from portal.trust_center.kinds import SUBSCRIBER_GROUP
from portal.trust_center.models import SubscriberGroup
from portal.trust_center.services.writes import PUBLISHER
from portal.trust_center.views.group_pages import Grouping, show_groups
from portal.trust_center.views.rendering import act_and_return, name_and_return

LIST = "trust_center:subscriber_groups"


def _remainder(number: int) -> str:
    return f"Its {counted(number, 'subscriber')} {'stays' if number == 1 else 'stay'}." if number else "It has no subscribers."


GROUPS = Grouping(
    kind=SUBSCRIBER_GROUP,
    model=SubscriberGroup,
    changer=PUBLISHER,
    title="Subscriber groups",
    lead="You can send an update to specific groups only.",
    label="group",
    of_name="trust_center:subscribers",
    of_title="Subscribers",
    of_parameter="group",
    counts=selectors.subscribers_per_group,
    remainder=_remainder,
    add_name="trust_center:add_subscriber_group",
    rename_name="trust_center:rename_subscriber_group",
    rename_text="Only you and the platform see the name.",
    delete_name="trust_center:delete_subscriber_group",
    empty_text="With groups, an update reaches only the people it is for.",
)


@require_GET
@tenant_view(Role.VIEWER)
def subscriber_group_list(request: TenantRequest) -> HttpResponse:
    """The groups of subscribers, each with what can be done with it."""
    return show_groups(request, GROUPS)


@require_POST
@tenant_view(PUBLISHER)
def add_subscriber_group(request: TenantRequest) -> HttpResponse:
    return name_and_return(
        request, LIST, "Group added.", lambda name: services.add_subscriber_group(name, member=request.membership)
    )


@require_POST
@tenant_view(PUBLISHER)
def rename_subscriber_group(request: TenantRequest, platform_id: str) -> HttpResponse:
    found = get_object_or_404(SubscriberGroup.objects.present(), platform_id=platform_id)
    return name_and_return(
        request, LIST, "Group renamed.", lambda name: services.rename_subscriber_group(found, name, member=request.membership)
    )


@require_POST
@tenant_view(PUBLISHER)
def delete_subscriber_group(request: TenantRequest, platform_id: str) -> HttpResponse:
    found = get_object_or_404(SubscriberGroup.objects.present(), platform_id=platform_id)
    return act_and_return(
        request, LIST, "Group deleted.", lambda: services.delete_subscriber_group(found, member=request.membership)
    )
