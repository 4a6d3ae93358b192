from typing import Any

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_GET, require_POST

from portal.lib.keyset import keyset_page
from portal.sync.readiness import readiness
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role
from portal.trust_center import selectors, services
from portal.trust_center.filters import BY_NAME
from portal.trust_center.forms import CategoryForm
from portal.trust_center.kinds import FAQ_CATEGORY
from portal.trust_center.models import FaqCategory
from portal.trust_center.views.rendering import act_and_return, name_and_return

LIST = "trust_center:faq_categories"


@require_GET
@tenant_view(Role.VIEWER)
def category_list(request: TenantRequest) -> HttpResponse:
    """The categories of FAQs, each with what can be done with it."""
    page = keyset_page(FaqCategory.objects.present().defer("payload"), order_by=BY_NAME, cursor=request.GET.get("cursor"))
    context = {
        "page": page,
        "rows": [category_row(row) for row in page.rows],
        "new_form": CategoryForm(auto_id="new-category-%s"),
        "readiness": readiness(FAQ_CATEGORY, needs_trust_center=True),
        "is_analyst": request.membership.may(Role.ANALYST),
    }
    return render(request, "trust_center/faq_categories.html", context)


def category_row(category: FaqCategory) -> dict[str, Any]:
    """Return a category with its figure and the dialogs that change it."""
    number = selectors.faqs_per_category().get(category.platform_id, 0)
    moved = f"Its {number} FAQ{'' if number == 1 else 's'} stay and become uncategorized." if number else "It has no FAQs."
    return {
        "category": category,
        "number": number,
        "form": CategoryForm(initial={"name": category.name}, auto_id=f"rename-{category.pk}-%s"),
        "rename_id": f"rename-{category.pk}",
        "delete_id": f"delete-{category.pk}",
        "warning": f"{moved} The category can't be brought back.",
    }


@require_POST
@tenant_view(Role.ANALYST)
def add_category(request: TenantRequest) -> HttpResponse:
    return name_and_return(
        request, LIST, "Category added.", lambda name: services.add_category(name, member=request.membership)
    )


@require_POST
@tenant_view(Role.ANALYST)
def rename_category(request: TenantRequest, platform_id: str) -> HttpResponse:
    found = get_object_or_404(FaqCategory.objects.present(), platform_id=platform_id)
    return name_and_return(
        request, LIST, "Category renamed.", lambda name: services.rename_category(found, name, member=request.membership)
    )


@require_POST
@tenant_view(Role.ANALYST)
def delete_category(request: TenantRequest, platform_id: str) -> HttpResponse:
    found = get_object_or_404(FaqCategory.objects.present(), platform_id=platform_id)
    return act_and_return(
        request, LIST, "Category deleted.", lambda: services.delete_category(found, member=request.membership)
    )
