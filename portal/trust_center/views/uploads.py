from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from portal.platform_api.identifiers import MAX_ID_LENGTH
from portal.sync.readiness import readiness
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role
from portal.trust_center import services
from portal.trust_center.forms import NewResourceForm
from portal.trust_center.kinds import RESOURCE
from portal.trust_center.models import Resource
from portal.trust_center.refusals import REFUSALS, Refusal
from portal.trust_center.views.rendering import refusal_on, say_refusal
from portal.ui.list_filters import clean_text


@require_http_methods(["GET", "HEAD", "POST"])
@tenant_view(Role.ANALYST)
def new_resource(request: TenantRequest) -> HttpResponse:
    """Add a document. `like` names the one that it is a new version of."""
    like_id = clean_text(request.GET.get("like", ""), max_length=MAX_ID_LENGTH)
    like = Resource.objects.present().filter(platform_id=like_id).first()
    data = (request.POST, request.FILES) if request.method == "POST" else ()
    form = NewResourceForm(*data, may_set_access=request.membership.may(Role.ADMIN), like=like)
    if not form.is_valid():
        return show_form(request, form)
    try:
        added = services.add_resource(form.new_resource, member=request.membership)
    except REFUSALS as error:
        return show_form(request, form, refusal=refusal_on(form, error, slug=request.tenant.slug))
    messages.success(request, f"Uploaded to the Trust Center: {added}")
    return redirect("trust_center:resource", slug=request.tenant.slug, platform_id=added.platform_id)


def show_form(request: TenantRequest, form: NewResourceForm, *, refusal: Refusal | None = None) -> HttpResponse:
    context: dict[str, Any] = {
        "form": form,
        "like": form.like,
        "refusal": refusal,
        "is_connected": readiness(RESOURCE).is_connected,
    }
    return render(request, "trust_center/new_resource.html", context, status=422 if form.is_bound else 200)


@require_POST
@tenant_view(Role.ADMIN)
def delete_resource(request: TenantRequest, platform_id: str) -> HttpResponse:
    found = get_object_or_404(Resource.objects.present(), platform_id=platform_id)
    try:
        services.delete_resource(found, member=request.membership)
    except REFUSALS as error:
        say_refusal(request, error)
        return redirect("trust_center:resource", slug=request.tenant.slug, platform_id=platform_id)
    messages.success(request, f"Deleted from the Trust Center: {found}")
    return redirect("trust_center:resources", slug=request.tenant.slug)
