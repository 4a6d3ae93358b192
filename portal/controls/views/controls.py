from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from portal.controls import selectors, services
from portal.controls.asked import asked_about
from portal.controls.filters import ACTIVE, BY_NAME, TABS, CompanyControlFilters
from portal.controls.kinds import DEACTIVATED_CONTROL, TEST
from portal.controls.models import DeactivatedControl
from portal.controls.views.rendering import show, unchanged
from portal.lib.keyset import keyset_page
from portal.sync.readiness import readiness
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role
from portal.trust_center.kinds import CONTROL
from portal.trust_center.models import Control


@require_GET
@tenant_view(Role.VIEWER)
def control_list(request: TenantRequest) -> HttpResponse:
    """What the tenant does for security, and what it has put out of use. The list polls this same address while it is open."""
    if answer := unchanged(request):
        return answer
    filters = CompanyControlFilters.read(request.GET)
    page = keyset_page(filters.rows().defer("search"), order_by=BY_NAME, cursor=request.GET.get("cursor"))
    context = {
        "filters": filters,
        "tabs": filters.tabs(TABS, selectors.figures(filters)),
        "page": page,
        "is_in_use": filters.tab == ACTIVE,
    }
    # The tabs count both.
    return show(request, "list", CONTROL, DEACTIVATED_CONTROL, fragment="list", **context)


@require_GET
@tenant_view(Role.VIEWER)
def control_page(request: TenantRequest, platform_id: str) -> HttpResponse:
    """One control. Its evidence is asked for once somebody opens it. Polls this same address while it is open."""
    found = control_there(platform_id)
    if answer := unchanged(request):
        return answer
    is_in_use = isinstance(found, Control) and found.gone_at is None
    evidence = selectors.evidence_of(platform_id) if is_in_use else None
    if isinstance(found, Control) and is_in_use and not request.htmx and readiness(CONTROL).is_connected:
        services.ask_for_evidence(found, evidence)
    context = {
        "control": found,
        "is_in_use": is_in_use,
        "evidence": evidence,
        "tests": selectors.tests_of(evidence) if evidence else [],
        "are_tests_known": evidence is not None and readiness(TEST).is_known,
        "codes": selectors.codes_of(platform_id) if is_in_use else [],
        "has_unread_frameworks": selectors.has_unread_frameworks(),
    }
    kind = DEACTIVATED_CONTROL if isinstance(found, DeactivatedControl) else CONTROL
    return show(request, "control", kind, fragment="control", **context)


@require_GET
@tenant_view(Role.VIEWER)
def asked(request: TenantRequest, platform_id: str) -> HttpResponse:
    """What customers ask about a control: looked for once its page is there; a page of its own where no script runs."""
    found = control_there(platform_id)
    context = {"control": found, "asked": asked_about(found.name, found.description, request.tenant.slug)}
    return render(request, f"controls/asked.html{'#asked' if request.htmx else ''}", context)


def control_there(platform_id: str) -> Control | DeactivatedControl:
    found = selectors.control_named(platform_id)
    if found is None:
        raise Http404("no such control")
    return found
