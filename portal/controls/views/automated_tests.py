from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_GET

from portal.controls import selectors
from portal.controls.filters import TestFilters
from portal.controls.kinds import TEST
from portal.controls.models import Test
from portal.controls.views.rendering import show, unchanged
from portal.lib.keyset import keyset_page
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role


@require_GET
@tenant_view(Role.VIEWER)
def test_list(request: TenantRequest) -> HttpResponse:
    """The automated tests, what needs somebody first. The list on the page polls this same address while it is open."""
    if answer := unchanged(request):
        return answer
    filters = TestFilters.read(request.GET)
    rows = filters.rows().defer("search", "description")
    page = keyset_page(rows, order_by=filters.order_by, cursor=request.GET.get("cursor"))
    numbers = selectors.test_figures(filters)
    labels = filters.state_tabs(numbers)
    tabs = filters.tabs(labels, {each: numbers.get(each, 0) for each in labels}, name="status")
    return show(request, "tests", TEST, fragment="list", filters=filters, page=page, tabs=tabs)


@require_GET
@tenant_view(Role.VIEWER)
def test_page(request: TenantRequest, platform_id: str) -> HttpResponse:
    """One test with the controls that it is known to prove. Polls this same address while it is open."""
    found = get_object_or_404(Test, platform_id=platform_id)
    if answer := unchanged(request):
        return answer
    controls = selectors.controls_of_test(found, request.tenant.slug)
    return show(request, "test", TEST, fragment="test", test=found, controls=controls)
