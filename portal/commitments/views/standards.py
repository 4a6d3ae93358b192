from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from portal.commitments import services
from portal.commitments.forms import StandardForm
from portal.commitments.models import Standard, Term
from portal.commitments.selectors import deviations_by_term
from portal.commitments.selectors import standards as our_standards
from portal.commitments.views.tabs import tabs_of
from portal.page_refresh.services import area_version, is_unchanged, version_at
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role


@require_GET
@tenant_view(Role.VIEWER)
def standards(request: TenantRequest) -> HttpResponse:
    """Our standard of every term, and how many promises deviate. Polls this same address while it is open."""
    seen = version_at(area_version(services.AREA), request.get_full_path())
    if request.htmx and is_unchanged(request, seen):
        return HttpResponse(status=204)
    ours, deviating = our_standards(), deviations_by_term()
    context = {
        "tabs": tabs_of(request, "standards"),
        "rows": [(term, ours.get(term), deviating.get(term.value, 0)) for term in Term],
        "may_change": request.membership.may(Role.ADMIN),
        "page_version": seen,
    }
    return render(request, f"commitments/standards.html{'#standards' if request.htmx else ''}", context)


@require_http_methods(["GET", "HEAD", "POST"])
@tenant_view(Role.ADMIN)
def standard(request: TenantRequest, term: str) -> HttpResponse:
    """Change our standard of one term."""
    chosen = _term(term)
    form = StandardForm(request.POST or None, term=chosen, standard=Standard.objects.filter(term=chosen).first())
    if request.method == "POST" and form.is_valid():
        try:
            services.set_standard(chosen, form.promise, seen=form.cleaned_data["seen"], member=request.membership)
        except services.StandardChanged as conflict:
            messages.warning(request, f"Nothing was saved. {conflict} Check it, then save again.")
            return redirect("commitments:standard", slug=request.tenant.slug, term=term)
        messages.success(request, f"Saved our standard for “{chosen.label}”. Every commitment is compared with it.")
        return redirect("commitments:standards", slug=request.tenant.slug)
    context = {"form": form, "term": chosen}
    return render(request, "commitments/standard.html", context, status=422 if form.is_bound else 200)


@require_POST
@tenant_view(Role.ADMIN)
def remove_standard(request: TenantRequest, term: str) -> HttpResponse:
    chosen = _term(term)
    try:
        services.remove_standard(chosen, seen=request.POST.get("seen", ""), member=request.membership)
        messages.success(request, f"Removed our standard for “{chosen.label}”.")
    except services.StandardChanged as conflict:
        messages.warning(request, f"Nothing was removed. {conflict}")
    return redirect("commitments:standards", slug=request.tenant.slug)


def _term(term: str) -> Term:
    try:
        return Term(term)
    except ValueError:
        raise Http404("no such term") from None
