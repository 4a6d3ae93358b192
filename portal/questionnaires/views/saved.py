from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST

from portal.questionnaires import services
from portal.questionnaires.forms import ViewForm
from portal.questionnaires.models import SavedView
from portal.questionnaires.services.saving_views import may_change
from portal.questionnaires.views.listing import filters_in
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role


@require_http_methods(["GET", "HEAD", "POST"])
@tenant_view(Role.ANALYST)
def saved_views(request: TenantRequest) -> HttpResponse:
    """The views that a person sees, to rename and delete them; posting saves another one."""
    if request.method != "POST":
        rows = [(view, may_change(view, request.membership)) for view in SavedView.objects.of(request.user)]
        return render(request, "questionnaires/saved_views.html", {"rows": rows})
    form, query = ViewForm(request.POST), filters_in(request.GET.urlencode()).query()
    if not form.is_valid():
        messages.error(request, "The view was not saved. Give it a name of at most 60 characters.")
    else:
        name, is_shared = form.cleaned_data["name"], form.cleaned_data["is_shared"]
        try:
            view = services.save_view(name, query=query[1:], is_shared=is_shared, member=request.membership)
            messages.success(request, f"Saved: {view}.")
        except services.NotAllowed as refusal:
            messages.error(request, str(refusal))
    return redirect(reverse("questionnaires:list", args=[request.tenant.slug]) + query)


@require_POST
@tenant_view(Role.ANALYST)
def rename_view(request: TenantRequest, view_id: int) -> HttpResponse:
    view, form = find(request, view_id), ViewForm(request.POST)
    if not form.is_valid():
        messages.error(request, "Nothing was renamed. Enter a name of at most 60 characters.")
    else:
        try:
            services.rename_view(view, name=form.cleaned_data["name"], member=request.membership)
            messages.success(request, f"Renamed: {view}.")
        except services.NotAllowed as refusal:
            messages.error(request, str(refusal))
    return redirect("questionnaires:saved_views", slug=request.tenant.slug)


@require_POST
@tenant_view(Role.ANALYST)
def delete_view(request: TenantRequest, view_id: int) -> HttpResponse:
    view = find(request, view_id)
    services.delete_view(view, member=request.membership)
    messages.success(request, f"Deleted: {view}.")
    return redirect("questionnaires:saved_views", slug=request.tenant.slug)


def find(request: TenantRequest, view_id: int) -> SavedView:
    """Another person's own view is nobody else's business: it is not there."""
    return get_object_or_404(SavedView.objects.of(request.user), pk=view_id)
