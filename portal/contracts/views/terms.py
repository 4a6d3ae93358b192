from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods

from portal.contracts import selectors, services
from portal.contracts.forms import TermsForm
from portal.contracts.models import Contract, Terms
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role


@require_http_methods(["GET", "HEAD", "POST"])
@tenant_view(Role.ANALYST)
def edit_terms(request: TenantRequest, platform_id: str) -> HttpResponse:
    """Note when a contract ends and who looks after it. Where somebody was faster, both are shown before one is kept."""
    contract = get_object_or_404(Contract, platform_id=platform_id)
    terms = services.terms_of(contract)
    known: dict[str, Any] = {"contract": contract, "terms": terms}
    suggested = selectors.suggested_terms(contract, terms)
    used = selectors.chosen_values(suggested, request.GET.getlist("use"))
    form = TermsForm(request.POST, **known) if request.method == "POST" else TermsForm(**known, suggested=used)
    if not form.is_valid():
        offered = {"suggested": suggested, "is_filled_in": bool(used)}
        return _show(request, contract, form, status=422 if form.is_bound else 200, **offered)
    try:
        version = form.cleaned_data["version"]
        is_changed = services.change_terms(contract, form.values(), member=request.membership, version=version)
    except services.Overtaken as overtaken:
        # The form comes again with what was typed and with the present version: saving it then means it.
        data = request.POST.copy()
        data["version"] = str(overtaken.now.version)
        again = TermsForm(data, **{**known, "terms": overtaken.now})
        again.is_valid()
        return _show(request, contract, again, status=409, now=overtaken.now, differences=differences(again, overtaken.now))
    if is_changed:
        messages.success(request, f"Saved dates and owner of {contract}.")
    else:
        messages.info(request, "No changes to save.")
    return redirect("contracts:detail", slug=request.tenant.slug, platform_id=platform_id)


def differences(form: TermsForm, now: Terms) -> list[tuple[str, str, str]]:
    """Label, what somebody else saved, and what was typed here, of every field in which the two differ."""
    found = []
    typed = form.values() if form.is_valid() else {}
    for name, value in typed.items():
        saved = getattr(now, name)
        if saved != value:
            found.append((str(form.fields[name].label), _words(saved), _words(value)))
    return found


def _words(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "" if value is None else str(value)


def _show(request: TenantRequest, contract: Contract, form: TermsForm, *, status: int, **more: Any) -> HttpResponse:
    return render(request, "contracts/terms.html", {"contract": contract, "form": form, **more}, status=status)
