from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_GET, require_POST

from portal.saved_views import services
from portal.saved_views.forms import ViewForm
from portal.saved_views.lists import list_page
from portal.saved_views.models import SavedView
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role

NO_NAME = "Enter a name of at most 60 characters."


@require_GET
@tenant_view(Role.VIEWER)
def views(request: TenantRequest) -> HttpResponse:
    """Show the views that a person sees, of all lists, to open, rename and delete them."""
    found = SavedView.objects.seen_by(request.user).order_by("list_key", "name", "id")
    rows = [
        (view, page, page.url(request.tenant.slug, view.query), services.may_change(view, request.membership))
        for view in found
        if (page := list_page(view.list_key)) and request.membership.may(page.role)
    ]
    return render(request, "saved_views/list.html", {"rows": rows})


@require_POST
@tenant_view(Role.ANALYST)
def save_view(request: TenantRequest, key: str) -> HttpResponse:
    """Keep the filters in the query of this address, and return to the list as it was."""
    page = list_page(key)
    if page is None:
        raise Http404("no such list")
    form, query = ViewForm(request.POST), request.GET.urlencode()
    if not form.is_valid():
        messages.error(request, f"The view was not saved. {NO_NAME}")
    else:
        name, is_shared = form.cleaned_data["name"], form.cleaned_data["is_shared"]
        try:
            view = services.save_view(page, name, query=query, is_shared=is_shared, member=request.membership)
            messages.success(request, f"Saved: {view}.")
        except services.NotSaved as refusal:
            messages.error(request, str(refusal))
    return redirect(page.url(request.tenant.slug, page.normalized(query)))


@require_POST
@tenant_view(Role.ANALYST)
def rename_view(request: TenantRequest, view_id: int) -> HttpResponse:
    view, form = find(request, view_id), ViewForm(request.POST)
    if not form.is_valid():
        messages.error(request, f"Nothing was renamed. {NO_NAME}")
    else:
        try:
            services.rename_view(view, name=form.cleaned_data["name"], member=request.membership)
            messages.success(request, f"Renamed: {view}.")
        except services.NotSaved as refusal:
            messages.error(request, str(refusal))
    return redirect("saved_views:list", slug=request.tenant.slug)


@require_POST
@tenant_view(Role.ANALYST)
def delete_view(request: TenantRequest, view_id: int) -> HttpResponse:
    view = find(request, view_id)
    services.delete_view(view, member=request.membership)
    messages.success(request, f"Deleted: {view}.")
    return redirect("saved_views:list", slug=request.tenant.slug)


def find(request: TenantRequest, view_id: int) -> SavedView:
    """Another person's own view is nobody else's business: it is not there."""
    return get_object_or_404(SavedView.objects.seen_by(request.user), pk=view_id)
