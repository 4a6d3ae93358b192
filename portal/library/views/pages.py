from django.db.models.functions import Left
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.views.decorators.http import require_GET

from portal.lib.keyset import keyset_page
from portal.library.entry_pages import events_of, similar_entries, tag_links
from portal.library.filters import EntryFilters
from portal.library.forms import ReviewForm
from portal.library.models import Entry, labels_of
from portal.library.uses import MAX_USES, uses_of
from portal.library.views.page_version import page_version
from portal.library.views.tabs import pages_of
from portal.page_refresh.services import is_unchanged
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role

EXCERPT = 160
"""So many letters of an answer stand in the list."""


@require_GET
@tenant_view(Role.VIEWER)
def entry_list(request: TenantRequest) -> HttpResponse:
    """The entries of the library. The list on the page polls this same address while it is open."""
    seen = page_version(request)
    if request.htmx and is_unchanged(request, seen):
        return HttpResponse(status=204)
    filters, today, user_id = EntryFilters.read(request.GET), timezone.localdate(), request.membership.user_id
    rows = filters.rows(user_id, today).annotate(excerpt=Left("text", EXCERPT)).defer("search", "text").select_related("owner")
    page = keyset_page(rows, order_by=filters.order_by, cursor=request.GET.get("cursor"))
    context = {
        "pages": pages_of(request, "list"),
        "filters": filters,
        "tabs": filters.counted_tabs(user_id, today),
        "query": filters.query(),
        "page": page,
        "rows": tag_links(page.rows, filters),
        "has_any": bool(page) or Entry.objects.exists(),
        "is_analyst": request.membership.may(Role.ANALYST),
        "page_version": seen,
    }
    return render(request, f"library/list.html{'#entries' if request.htmx else ''}", context)


@require_GET
@tenant_view(Role.VIEWER)
def entry(request: TenantRequest, entry_id: int) -> HttpResponse:
    """One entry: what it says, how it is asked, where it was used. Polls this same address while it is open."""
    today = timezone.localdate()
    rows = Entry.objects.with_state(today).select_related("owner", "verified_by")
    found = get_object_or_404(rows, pk=entry_id)
    seen = page_version(request)
    if request.htmx and is_unchanged(request, seen):
        return HttpResponse(status=204)
    context = {
        "entry": found,
        **labels_of(found),
        "variants": found.variants.all(),
        "similar": similar_entries(found, today=today),
        "uses": uses_of(found, slug=request.tenant.slug),
        "most_uses": MAX_USES,
        "events": events_of(found),
        "review_form": ReviewForm(entry=found),
        "is_analyst": request.membership.may(Role.ANALYST),
        "page_version": seen,
    }
    return render(request, f"library/entry.html{'#entry' if request.htmx else ''}", context)
