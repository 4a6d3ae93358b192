from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_GET, require_POST

from portal.lib.counted import counted
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role
from portal.trust_center import selectors, services
from portal.trust_center.kinds import FAQ_CATEGORY
from portal.trust_center.models import FaqCategory
from portal.trust_center.views.group_pages import Grouping, show_groups
from portal.trust_center.views.rendering import act_and_return, name_and_return

LIST = "trust_center:faq_categories"


def _remainder(number: int) -> str:
    if not number:
        return "It has no FAQs."
    return f"Its {counted(number, 'FAQ')} {'stays and becomes' if number == 1 else 'stay and become'} uncategorized."


CATEGORIES = Grouping(
    kind=FAQ_CATEGORY,
    model=FaqCategory,
    changer=Role.ANALYST,
    title="FAQ categories",
    lead="How FAQs are grouped on your Trust Center.",
    label="category",
    of_name="trust_center:faqs",
    of_title="FAQs",
    of_parameter="category",
    counts=selectors.faqs_per_category,
    remainder=_remainder,
    add_name="trust_center:add_category",
    rename_name="trust_center:rename_category",
    rename_text="Visitors see the new name immediately.",
    delete_name="trust_center:delete_category",
    empty_text="Group FAQs so visitors find them faster.",
)


@require_GET
@tenant_view(Role.VIEWER)
def category_list(request: TenantRequest) -> HttpResponse:
    """The categories of FAQs, each with what can be done with it."""
    return show_groups(request, CATEGORIES)


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
