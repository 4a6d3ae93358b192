from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.views.decorators.http import require_GET

from portal.documents import selectors, services
from portal.documents.filters import RENEWAL, TABS, DocumentFilters
from portal.documents.kinds import DOCUMENT
from portal.documents.models import Document, UploadState
from portal.documents.services.writes import REMOVER
from portal.documents.views.rendering import page_version, unchanged
from portal.lib.keyset import keyset_page
from portal.sync.readiness import readiness
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role


@require_GET
@tenant_view(Role.VIEWER)
def document_list(request: TenantRequest) -> HttpResponse:
    """The documents that the compliance programme asks for. The list on the page polls this same address while it is open."""
    if answer := unchanged(request):
        return answer
    filters, today = DocumentFilters.read(request.GET), timezone.localdate()
    rows = filters.rows(today).defer("payload", "search")
    page = keyset_page(rows, order_by=filters.order_by, cursor=request.GET.get("cursor"))
    context = {
        "filters": filters,
        "tabs": filters.tabs(TABS, selectors.figures(filters, today)),
        "page": page,
        "rows": [(row, row.renewal_label(today)) for row in page.rows],
        "readiness": readiness(DOCUMENT),
        "has_unread_days": not page and filters.tab == RENEWAL and selectors.has_unread_days(filters, today),
        "page_version": page_version(request),
    }
    return render(request, f"documents/list.html{'#list' if request.htmx else ''}", context)


@require_GET
@tenant_view(Role.VIEWER)
def document_page(request: TenantRequest, platform_id: str) -> HttpResponse:
    """One document with its files, links and controls. Polls this same address while it is open."""
    found = get_object_or_404(Document, platform_id=platform_id)
    if answer := unchanged(request):
        return answer
    is_ready = readiness(DOCUMENT)
    if is_ready.is_connected and not found.gone_at:
        services.ask_for_evidence(found)
    files = list(found.uploads.all())
    present = [file for file in files if file.deleted_at is None]
    context = {
        "document": found,
        "renewal": found.renewal_label(timezone.localdate()),
        "files": [(file, f"delete-file-{file.pk}", f"Delete “{file}”?") for file in present],
        "deleted": len(files) - len(present),
        "links": [(link, f"remove-link-{link.pk}", f"Remove “{link}”?") for link in found.links.all()],
        "controls": selectors.controls_of(found),
        "attempts": list(found.attempts.exclude(state=UploadState.SENDING)),
        "trouble": selectors.evidence_trouble(found),
        "events": selectors.events_of(found),
        "readiness": is_ready,
        "is_analyst": request.membership.may(Role.ANALYST),
        "is_remover": request.membership.may(REMOVER),
        "may_download": request.membership.may(services.role_to_download(found)),
        "page_version": page_version(request),
    }
    return render(request, f"documents/document.html{'#document' if request.htmx else ''}", context)
