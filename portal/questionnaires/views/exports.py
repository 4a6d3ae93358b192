from django.contrib import messages
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_GET, require_POST

from portal.lib.fetched_files import file_to_save
from portal.lib.keyset import keyset_page
from portal.page_refresh.services import area_version, is_unchanged, own_version, version_at
from portal.questionnaires import services
from portal.questionnaires.models import Export, Questionnaire
from portal.questionnaires.models.export import FORMATS, formats_of
from portal.questionnaires.refusals import REFUSALS, Refusal, refusal_for
from portal.questionnaires.services.export_outcomes import EXPORTS
from portal.questionnaires.views.rendering import find, summary
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role
from portal.ui.toasts import toast


@require_GET
@tenant_view(Role.VIEWER)
def exports(request: TenantRequest, platform_id: str) -> HttpResponse:
    """The exports of a questionnaire, newest first."""
    found = find(platform_id)
    if request.htmx and is_unchanged(request, _page_version(found, request.get_full_path())):
        return HttpResponse(status=204)
    return show_exports(request, found)


@require_POST
@tenant_view(Role.ANALYST)
def request_export(request: TenantRequest, platform_id: str) -> HttpResponse:
    """Ask for an export; when one of that kind runs already, the page shows that one."""
    found = find(platform_id)
    try:
        export, is_new = services.request_export(found, member=request.membership, export_format=request.POST.get("format", ""))
    except REFUSALS as error:
        refusal = refusal_for(error, slug=request.tenant.slug)
        if request.htmx:
            return show_exports(request, find(platform_id), refusal=refusal, status=422)
        return _back(request, platform_id, refusal)
    words = f"{export}: the platform is creating it." if is_new else f"{export}: already in progress."
    if request.htmx:
        return toast(show_exports(request, found), words, tone="good" if is_new else "info")
    messages.success(request, words)
    return redirect("questionnaires:exports", slug=request.tenant.slug, platform_id=platform_id)


@require_POST
@tenant_view(Role.VIEWER)
def download_export(request: TenantRequest, platform_id: str, export_id: int) -> HttpResponseBase:
    """The file of an export. By POST: it spends a call of the tenant's minute and leaves a line in the history."""
    rows = Export.objects.select_related("questionnaire").filter(questionnaire__platform_id=platform_id)
    export = get_object_or_404(rows, pk=export_id)
    try:
        file = services.fetch_file(export, member=request.membership)
    except REFUSALS as error:
        return _back(request, platform_id, refusal_for(error, slug=request.tenant.slug))
    return file_to_save(file.content, file.name)


def show_exports(
    request: TenantRequest, questionnaire: Questionnaire, *, refusal: Refusal | None = None, status: int = 200
) -> HttpResponse:
    context = summary(request, questionnaire)
    is_own_address = request.method == "GET"
    address = request.get_full_path() if is_own_address else f"{context['url']}exports/"
    rows = Export.objects.filter(questionnaire=questionnaire)
    cursor = request.GET.get("cursor", "") if is_own_address else ""
    context |= {
        "address": address,
        "formats": [(key, FORMATS[key]) for key in formats_of(questionnaire)],
        "page": keyset_page(rows, order_by=("-asked_at", "-id"), cursor=cursor),
        "pages_url": f"{context['url']}exports/",
        "exports_refusal": refusal,
        "exports_version": _page_version(questionnaire, address),
    }
    return render(request, f"questionnaires/exports.html{'#exports' if request.htmx else ''}", context, status=status)


def _page_version(questionnaire: Questionnaire, address: str) -> str:
    return version_at(
        own_version(f"{area_version(EXPORTS)}.{questionnaire.version}", EXPORTS, "questionnaires"), address, "exports"
    )


def _back(request: TenantRequest, platform_id: str, refusal: Refusal) -> HttpResponse:
    messages.error(request, f"{refusal.title}. {refusal.text}")
    return redirect("questionnaires:exports", slug=request.tenant.slug, platform_id=platform_id)
