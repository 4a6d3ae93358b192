from typing import Any

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_GET, require_POST

from portal.sync.readiness import readiness
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role
from portal.trust_center import selectors, services
from portal.trust_center.forms import CategoryForm
from portal.trust_center.kinds import CONTROL_CATEGORY
from portal.trust_center.models import ControlCategory
from portal.trust_center.views.rendering import act_and_return, name_and_return

LIST = "trust_center:control_categories"
MAX_CATEGORIES = 200
"""They are one page: an order cannot be seen in parts."""


@require_GET
@tenant_view(Role.VIEWER)
def control_category_list(request: TenantRequest) -> HttpResponse:
    """The categories of controls in the order of the Trust Center, each with what can be done with it."""
    rows = list(ControlCategory.objects.present()[:MAX_CATEGORIES])
    context = {
        "rows": [category_row(row, place, len(rows)) for place, row in enumerate(rows)],
        "new_form": CategoryForm(auto_id="new-category-%s"),
        "readiness": readiness(CONTROL_CATEGORY, needs_trust_center=True),
        "is_analyst": request.membership.may(Role.ANALYST),
    }
    return render(request, "trust_center/control_categories.html", context)


def category_row(category: ControlCategory, place: int, total: int) -> dict[str, Any]:
    """Return a category with its figure and the dialogs that change it."""
    number, only_here = selectors.controls_per_category().get(category.platform_id, (0, 0))
    return {
        "category": category,
        "number": number,
        "warning": f"{leaving(number, only_here)} The category can't be brought back.",
        "form": CategoryForm(row=category, auto_id=f"rename-{category.pk}-%s"),
        "rename_id": f"rename-{category.pk}",
        "delete_id": f"delete-{category.pk}",
        "is_first": place == 0,
        "is_last": place == total - 1,
    }


def leaving(number: int, only_here: int) -> str:
    """Say what becomes of the controls of a category that is deleted."""
    if not number:
        return "It has no controls."
    stays = number - only_here
    taken = f"{only_here} control{'' if only_here == 1 else 's'} will be removed from the Trust Center." if only_here else ""
    rest = f"{stays} {'is' if stays == 1 else 'are'} also in other categories." if stays else ""
    return " ".join(filter(None, (taken, rest)))


@require_POST
@tenant_view(Role.ANALYST)
def add_control_category(request: TenantRequest) -> HttpResponse:
    return name_and_return(
        request, LIST, "Category added.", lambda name: services.add_control_category(name, member=request.membership)
    )


@require_POST
@tenant_view(Role.ANALYST)
def rename_control_category(request: TenantRequest, platform_id: str) -> HttpResponse:
    found = get_object_or_404(ControlCategory.objects.present(), platform_id=platform_id)
    return name_and_return(
        request,
        LIST,
        "Category renamed.",
        lambda name: services.rename_control_category(found, name, member=request.membership),
    )


@require_POST
@tenant_view(Role.ANALYST)
def move_control_category(request: TenantRequest, platform_id: str) -> HttpResponse:
    """Move a category one place up or down."""
    found = get_object_or_404(ControlCategory.objects.present(), platform_id=platform_id)
    is_up = request.POST.get("to") == "up"
    return act_and_return(
        request, LIST, "Order saved.", lambda: services.move_control_category(found, up=is_up, member=request.membership)
    )


@require_POST
@tenant_view(Role.ANALYST)
def delete_control_category(request: TenantRequest, platform_id: str) -> HttpResponse:
    found = get_object_or_404(ControlCategory.objects.present(), platform_id=platform_id)
    return act_and_return(
        request, LIST, "Category deleted.", lambda: services.delete_control_category(found, member=request.membership)
    )
