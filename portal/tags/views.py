from django.contrib import messages
from django.http import Http404, HttpResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST

from portal.lib.keyset import keyset_page
from portal.lib.spreadsheets import csv_answer
from portal.page_refresh.services import area_version, is_unchanged, version_at
from portal.platform_api.identifiers import is_identifier
from portal.sync.readiness import readiness
from portal.tags import selectors, services
from portal.tags.filters import ORDER, MatrixFilters
from portal.tags.models import CATEGORY, CONTEXT, Category, SwitchChange
from portal.tags.refusals import REFUSALS, refusal_message
from portal.tags.services.store import AREA
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role
from portal.ui.list_export import Line, list_lines
from portal.ui.toasts import toast

AREAS = (AREA, "connection", "sync")


@require_GET
@tenant_view(Role.VIEWER)
def matrix(request: TenantRequest) -> HttpResponse:
    """Categories by contexts, with switches. Polls this same address while it is open."""
    if request.htmx and is_unchanged(request, page_version(request)):
        return HttpResponse(status=204)
    return show(request)


def address_of(request: TenantRequest) -> str:
    """Where the matrix stands with the search and filters of this request, whichever of the addresses it came to."""
    return reverse("tags:matrix", args=[request.tenant.slug]) + query_of(request)


def query_of(request: TenantRequest) -> str:
    query = request.META.get("QUERY_STRING", "")
    return f"?{query}" if query else ""


def page_version(request: TenantRequest) -> str:
    return version_at(area_version(*AREAS), address_of(request))


def show(request: TenantRequest) -> HttpResponse:
    seen, filters, columns = page_version(request), MatrixFilters.read(request.GET), selectors.columns()
    page = keyset_page(filters.rows().defer("payload", "search"), order_by=ORDER, cursor=request.GET.get("cursor"))
    context = {
        "filters": filters,
        "address": address_of(request),
        "switch_url": reverse("tags:switch", args=[request.tenant.slug]) + query_of(request),
        "page": page,
        "columns": columns,
        "rows": selectors.matrix_rows(page.rows, columns),
        "readiness": readiness(CATEGORY, CONTEXT),
        "is_admin": request.membership.may(Role.ADMIN),
        "page_version": seen,
    }
    return render(request, f"tags/matrix.html{'#matrix' if request.htmx else ''}", context)


@require_POST
@tenant_view(Role.ANALYST)
def export(request: TenantRequest) -> StreamingHttpResponse:
    """Exactly the filtered categories as a file. A POST: that it was taken is written down (guarantee S8)."""
    services.record_export(member=request.membership)
    filters, columns = MatrixFilters.read(request.GET), selectors.columns()
    lines = list_lines(
        ("Id", "Category", "Tags", *(column.title for column in columns)),
        lambda: filters.rows().defer("payload", "search"),
        lambda page: map(cells, selectors.matrix_rows(page, columns)),
        tenant_id=request.tenant.pk,
        order_by=ORDER,
    )
    return csv_answer(lines, "tags")


def cells(row: selectors.MatrixRow) -> Line:
    is_read = row.tags or row.category.tags_read_at
    names = "; ".join(name for name, _ in row.tags) if is_read else selectors.NOT_CHECKED
    return (row.category.platform_id, row.category.name, names, *(cell.in_words for cell in row.cells))


@require_POST
@tenant_view(Role.ADMIN)
def switch(request: TenantRequest) -> HttpResponse:
    """Press one switch, and show the matrix as it stands then. The address carries the search, as the matrix' own does."""
    context, wanted, platform_id = _pressed(request)
    category = get_object_or_404(Category, platform_id=platform_id)
    try:
        tone, text = _outcome_of(services.switch(category, context, is_on=wanted, member=request.membership))
    except REFUSALS as error:
        tone, text = "warn", refusal_message(error)
    if request.htmx:
        return toast(show(request), text, tone=tone)
    messages.add_message(request, messages.SUCCESS if tone == "good" else messages.WARNING, text)
    return redirect(address_of(request))


def _outcome_of(change: SwitchChange) -> tuple[str, str]:
    if change.is_on_its_way:
        return "warn", f"{change}: we could not confirm it and are checking. The matrix will show the result."
    return "good", f"{change} is {change.wanted}."


def _pressed(request: TenantRequest) -> tuple[str, bool, str]:
    """Read what a switch says: context, on or off, and the category's id, which may hold anything."""
    pressed = request.POST.get("press", "")
    context, _, rest = pressed.partition("|")
    wanted, _, platform_id = rest.partition("|")
    if wanted not in ("on", "off") or not context or not is_identifier(platform_id) or not context.isprintable():
        raise Http404("no such switch")
    return context, wanted == "on", platform_id
