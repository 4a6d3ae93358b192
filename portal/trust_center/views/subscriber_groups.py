from typing import Any

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_GET, require_POST

from portal.lib.counted import counted
from portal.lib.keyset import keyset_page
from portal.sync.readiness import readiness
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role
from portal.trust_center import selectors, services
from portal.trust_center.filters import BY_NAME
from portal.trust_center.forms import CategoryForm
from portal.trust_center.kinds import SUBSCRIBER_GROUP
from portal.trust_center.models import SubscriberGroup
from portal.trust_center.services.writing import PUBLISHER
from portal.trust_center.views.rendering import act_and_return, name_and_return

LIST = "trust_center:subscriber_groups"


@require_GET
@tenant_view(Role.VIEWER)
def subscriber_group_list(request: TenantRequest) -> HttpResponse:
    """The groups of subscribers, each with what can be done with it."""
    page = keyset_page(SubscriberGroup.objects.present().defer("payload"), order_by=BY_NAME, cursor=request.GET.get("cursor"))
    context = {
        "page": page,
        "rows": [group_row(row) for row in page.rows],
        "new_form": CategoryForm(auto_id="new-group-%s"),
        "readiness": readiness(SUBSCRIBER_GROUP, needs_trust_center=True),
        "is_publisher": request.membership.may(PUBLISHER),
    }
    return render(request, "trust_center/subscriber_groups.html", context)


def group_row(group: SubscriberGroup) -> dict[str, Any]:
    """Return a group with its figure and the dialogs that change it."""
    number = selectors.subscribers_per_group().get(group.platform_id, 0)
    stay = f"Its {counted(number, 'subscriber')} {'stays' if number == 1 else 'stay'}." if number else "It has no subscribers."
    return {
        "group": group,
        "number": number,
        "form": CategoryForm(initial={"name": group.name}, auto_id=f"rename-{group.pk}-%s"),
        "rename_id": f"rename-{group.pk}",
        "delete_id": f"delete-{group.pk}",
        "warning": f"{stay} The group can't be brought back.",
    }


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
