from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_GET, require_http_methods

from portal.connections.error_messages import Refusal
from portal.lib.counted import counted
from portal.lib.keyset import keyset_page
from portal.lib.row_keys import row_keys
from portal.people import selectors, services
from portal.people.filters import BY_NAME, GroupFilters, IdpGroupFilters, PersonFilters
from portal.people.forms import GroupForm
from portal.people.kinds import GROUP, IDP_GROUP, PERSON
from portal.people.models import Group, IdpGroup
from portal.people.refusals import REFUSALS, refusal_for
from portal.people.services.imports import MAX_GROUPS
from portal.people.services.writes import EDITOR
from portal.people.views.rendering import desk_tabs, say_refusal, show, unchanged
from portal.platform_api.errors import ValidationFailed
from portal.sync.readiness import readiness
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role


@require_GET
@tenant_view(Role.VIEWER)
def group_list(request: TenantRequest) -> HttpResponse:
    """The groups of the tenant. The list on the page polls this same address while it is open."""
    if answer := unchanged(request):
        return answer
    filters = GroupFilters.read(request.GET)
    context = {
        "tabs": desk_tabs(request),
        "filters": filters,
        "page": keyset_page(filters.rows().defer("search"), order_by=BY_NAME, cursor=request.GET.get("cursor")),
        "to_import": selectors.number_to_import(),
    }
    return show(request, "groups", GROUP, fragment="list", **context)


@require_GET
@tenant_view(Role.VIEWER)
def group_page(request: TenantRequest, platform_id: str) -> HttpResponse:
    """One group with its people. Polls this same address while it is open."""
    found = get_object_or_404(Group, platform_id=platform_id)
    if answer := unchanged(request):
        return answer
    filters = PersonFilters(group=platform_id, q=PersonFilters.read(request.GET).q)
    rows = filters.rows().defer("payload", "search")
    context = {
        "group": found,
        "filters": filters,
        "query": filters.query(),
        "page": keyset_page(rows, order_by=BY_NAME, cursor=request.GET.get("cursor")),
        "runs": selectors.runs_of(found),
        "events": selectors.events_of(GROUP, found.platform_id),
        "readiness": readiness(GROUP, PERSON),
        "choose_url": PersonFilters(into=platform_id).query(),
    }
    return show(request, "group", GROUP, fragment="group", **context)


@require_http_methods(["GET", "HEAD", "POST"])
@tenant_view(EDITOR)
def new_group(request: TenantRequest) -> HttpResponse:
    """Create a group. What was refused is said on the page, with everything that was typed."""
    form = GroupForm(request.POST if request.method == "POST" else None)
    if not form.is_valid():
        return show_form(request, form)
    try:
        made = services.create_group(form.text, member=request.membership)
    except REFUSALS as error:
        is_shown = isinstance(error, ValidationFailed) and form.show_objections(error)
        return show_form(request, form, refusal=None if is_shown else refusal_for(error, slug=request.tenant.slug))
    messages.success(request, f"Group created: {made}")
    return redirect("people:group", slug=request.tenant.slug, platform_id=made.platform_id)


def show_form(request: TenantRequest, form: GroupForm, *, refusal: Refusal | None = None) -> HttpResponse:
    context = {"form": form, "refusal": refusal, "is_connected": readiness(GROUP).is_connected}
    return render(request, "people/group_form.html", context, status=422 if form.is_bound else 200)


@require_http_methods(["GET", "HEAD", "POST"])
@tenant_view(EDITOR)
def import_groups(request: TenantRequest) -> HttpResponse:
    """Offer the groups of identity providers, and import those that were chosen."""
    if request.method == "POST":
        return import_chosen(request)
    if answer := unchanged(request):
        return answer
    filters = IdpGroupFilters.read(request.GET)
    page = keyset_page(filters.rows().defer("payload", "search"), order_by=BY_NAME, cursor=request.GET.get("cursor"))
    return show(request, "import", IDP_GROUP, fragment="list", filters=filters, page=page)


def import_chosen(request: TenantRequest) -> HttpResponse:
    keys = row_keys(request.POST.getlist("chosen")[:MAX_GROUPS])
    chosen = list(IdpGroup.objects.present().filter(pk__in=keys).order_by(*BY_NAME))
    if not chosen:
        messages.warning(request, "Nothing was imported: no group is selected.")
        return redirect("people:import_groups", slug=request.tenant.slug)
    try:
        found = services.import_groups(chosen, member=request.membership)
    except REFUSALS as error:
        say_refusal(request, error)
        return redirect("people:import_groups", slug=request.tenant.slug)
    if found.imported:
        messages.success(request, f"Imported {counted(len(found.imported), 'group', 'groups')}: {', '.join(found.imported)}")
    for name, reason in found.refused.items():
        messages.warning(request, f"{name} was not imported. {reason}")
    if found.without_id:
        number, them = counted(found.without_id, "group", "groups"), "it" if found.without_id == 1 else "them"
        messages.warning(request, f"Left out: {number} that the platform offers without an id. Import {them} on the platform.")
    return redirect("people:import_groups" if found.refused else "people:groups", slug=request.tenant.slug)
