from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from portal.lib.fetched_files import file_to_save
from portal.lib.keyset import keyset_page
from portal.sync.readiness import readiness
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role
from portal.trust_center import selectors, services
from portal.trust_center.filters import ResourceFilters
from portal.trust_center.forms import RenewalForm, ResourceForm
from portal.trust_center.kinds import RESOURCE
from portal.trust_center.models import RenewalRule, Resource
from portal.trust_center.refusals import REFUSALS, Refusal, refusal_for
from portal.trust_center.views.checks import check_context
from portal.trust_center.views.rendering import page_version, refusal_on, row_to_edit, say_refusal, show_list, unchanged


@require_GET
@tenant_view(Role.VIEWER)
def resource_list(request: TenantRequest) -> HttpResponse:
    """The documents of the Trust Center. The list on the page polls this same address while it is open."""
    if answer := unchanged(request):
        return answer
    filters, today = ResourceFilters.read(request.GET), timezone.localdate()
    rows = filters.rows(today).defer("payload", "search")
    page = keyset_page(rows, order_by=filters.order_by, cursor=request.GET.get("cursor"))
    context = {
        "filters": filters,
        "page": page,
        "rows": [(row, row.renewal_label(today)) for row in page.rows],
        "access": selectors.access_figures(),
    }
    return show_list(request, "resources", RESOURCE, **context)


@require_GET
@tenant_view(Role.VIEWER)
def resource_page(request: TenantRequest, platform_id: str) -> HttpResponse:
    """One document: who sees it, when it has to be renewed, what was done with it. Polls this same address while it is open."""
    found = get_object_or_404(Resource, platform_id=platform_id)
    return unchanged(request) or show_resource(request, found, RenewalForm(resource=found))


def show_resource(request: TenantRequest, found: Resource, renewal_form: RenewalForm) -> HttpResponse:
    context = {
        "resource": found,
        "renewal": found.renewal_label(timezone.localdate()),
        "renewal_form": renewal_form,
        "events": selectors.events_of(RESOURCE, found.platform_id),
        **check_context(request, selectors.check_of(RESOURCE, found.pk)),
        "readiness": readiness(RESOURCE, needs_trust_center=True),
        "is_analyst": request.membership.may(Role.ANALYST),
        "is_admin": request.membership.may(Role.ADMIN),
        "page_version": page_version(request),
    }
    template = f"trust_center/resource.html{'#resource' if request.htmx else ''}"
    return render(request, template, context, status=422 if renewal_form.errors else 200)


@require_http_methods(["GET", "HEAD", "POST"])
@tenant_view(Role.ANALYST)
def edit_resource(request: TenantRequest, platform_id: str) -> HttpResponse:
    """Change a document. What was refused is said on the page, with everything that was typed."""
    found = row_to_edit(request, Resource, platform_id)
    data = request.POST if request.method == "POST" else None
    form = ResourceForm(data, resource=found, may_set_access=request.membership.may(Role.ADMIN))
    if not form.is_valid():
        return show_form(request, form)
    if not set(form.changed_data) - {"seen"}:
        messages.info(request, "No changes, so nothing was sent.")
        return redirect("trust_center:resource", slug=request.tenant.slug, platform_id=platform_id)
    try:
        changed = services.change_resource(found, form.change, seen=form.cleaned_data["seen"], member=request.membership)
    except services.ChangedMeanwhile as error:
        return show_changed(request, found, refusal_for(error, slug=request.tenant.slug))
    except REFUSALS as error:
        return show_form(request, form, refusal=refusal_on(form, error, slug=request.tenant.slug))
    messages.success(request, f"Saved on the platform: {changed}")
    return redirect("trust_center:resource", slug=request.tenant.slug, platform_id=platform_id)


def show_changed(request: TenantRequest, resource: Resource, refusal: Refusal) -> HttpResponse:
    """Show what somebody else has made of a document above what the person typed; saved again, that replaces it."""
    resource.refresh_from_db()
    data = request.POST.copy()
    data["seen"] = services.resource_version(resource)
    form = ResourceForm(data, resource=resource, may_set_access=request.membership.may(Role.ADMIN))
    return show_form(request, form, refusal=refusal, has_changed=True)


def show_form(
    request: TenantRequest, form: ResourceForm, *, refusal: Refusal | None = None, has_changed: bool = False
) -> HttpResponse:
    context: dict[str, Any] = {
        "form": form,
        "resource": form.resource,
        "refusal": refusal,
        "has_changed": has_changed,
        "is_connected": readiness(RESOURCE).is_connected,
    }
    return render(request, "trust_center/edit_resource.html", context, status=422 if form.is_bound else 200)


@require_POST
@tenant_view(Role.ANALYST)
def renew(request: TenantRequest, platform_id: str) -> HttpResponse:
    """Decide when a document has to be renewed."""
    found = get_object_or_404(Resource.objects.present(), platform_id=platform_id)
    form = RenewalForm(request.POST, resource=found)
    if not form.is_valid():
        return show_resource(request, found, form)
    said = form.cleaned_data
    services.set_renewal(found, RenewalRule(said["rule"]), renew_on=said["renew_on"], member=request.membership)
    messages.success(request, "Renewal saved.")
    return redirect("trust_center:resource", slug=request.tenant.slug, platform_id=platform_id)


@require_POST
@tenant_view(Role.VIEWER)
def download(request: TenantRequest, platform_id: str) -> HttpResponseBase:
    """The file of a document. By POST: it spends a call of the tenant's minute and leaves a line in the history."""
    found = get_object_or_404(Resource.objects.present(), platform_id=platform_id)
    try:
        file = services.fetch_file(found, member=request.membership)
    except REFUSALS as error:
        say_refusal(request, error)
        return redirect("trust_center:resource", slug=request.tenant.slug, platform_id=platform_id)
    return file_to_save(file.content, file.name)
