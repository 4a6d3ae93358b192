import json

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from portal.customers import services
from portal.customers.import_forms import ImportForm
from portal.customers.import_rows import ImportRow, validated
from portal.customers.models import ImportItem, ImportRun
from portal.customers.services.outcomes import AREA
from portal.page_refresh.services import area_version, is_unchanged, version_at
from portal.platform_writes.run_pages import run_context, say_tried_again
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role


@require_http_methods(["GET", "HEAD", "POST"])
@tenant_view(Role.ANALYST)
def import_file(request: TenantRequest) -> HttpResponse:
    """Take a file of customers and show what would come of each line. Nothing is sent by that."""
    form = ImportForm(request.POST, request.FILES) if request.method == "POST" else ImportForm()
    if not form.is_valid():
        return render(request, "customers/import.html", {"form": form}, status=422 if form.is_bound else 200)
    lines = validated(form.lines)
    good = [line for line in lines if not line.problem]
    context = {
        "filename": form.cleaned_data["file"].name,
        "lines": lines,
        "good": good,
        "bad": len(lines) - len(good),
        "confirmed": json.dumps([[line.name, line.domain] for line in good]),
    }
    return render(request, "customers/import_ask.html", context)


@require_POST
@tenant_view(Role.ANALYST)
def start_import(request: TenantRequest) -> HttpResponse:
    """Begin with what was shown; every line is looked at again, since time has passed."""
    good = [line for line in validated(_confirmed(request.POST.get("lines", ""))) if not line.problem]
    try:
        lines = [(line.name, line.domain) for line in good]
        run = services.start_import(lines, filename=request.POST.get("filename", "a file"), member=request.membership)
    except services.NotPossible as refusal:
        messages.warning(request, f"Nothing was created. {refusal}")
        return redirect("customers:import", slug=request.tenant.slug)
    return redirect("customers:import_run", slug=request.tenant.slug, run_id=run.pk)


def _confirmed(text: str) -> list[ImportRow]:
    try:
        pairs = json.loads(text)
        return [ImportRow(number, str(name), str(domain)) for number, (name, domain) in enumerate(pairs)]
    except (ValueError, TypeError, RecursionError):
        return []


@require_GET
@tenant_view(Role.VIEWER)
def import_run(request: TenantRequest, run_id: int) -> HttpResponse:
    """How far an import is, what was not created and why. Polls this same address while it is open."""
    run = get_object_or_404(ImportRun, pk=run_id)
    seen = version_at(area_version(AREA), request.get_full_path(), "run")
    if request.htmx and is_unchanged(request, seen):
        return HttpResponse(status=204)
    context = run_context(request, ImportItem.objects.filter(run=run), done="Created", failed="Not created") | {
        "run": run,
        "is_analyst": request.membership.may(Role.ANALYST),
        "page_version": seen,
    }
    return render(request, f"customers/import_run.html{'#run' if request.htmx else ''}", context)


@require_POST
@tenant_view(Role.ANALYST)
def retry_import(request: TenantRequest, run_id: int) -> HttpResponse:
    run = get_object_or_404(ImportRun, pk=run_id)
    number = services.retry_import(run, member=request.membership)
    say_tried_again(request, run, number)
    return redirect("customers:import_run", slug=request.tenant.slug, run_id=run_id)
