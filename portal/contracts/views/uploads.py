from collections import Counter
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from portal.contracts import services
from portal.contracts.forms import UploadForm
from portal.contracts.views.customer_choice import FRAGMENT, offered_customers
from portal.sync.readiness import readiness
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role


@require_http_methods(["GET", "HEAD", "POST"])
@tenant_view(Role.ANALYST)
def upload(request: TenantRequest) -> HttpResponse:
    """Hand documents in. What cannot be taken is said on the page, with everything but the files still in it."""
    if request.method != "POST":
        form = UploadForm(initial={"account_id": request.GET.get("account") or request.GET.get("account_id", "")})
        template = f"{FRAGMENT}#customers-found" if request.htmx else "contracts/upload.html"
        return render(request, template, _context(request, form))
    form = UploadForm(request.POST, request.FILES)
    if not form.is_valid():
        return render(request, "contracts/upload.html", _context(request, form), status=422)
    documents, results = form.sorted_out()
    results += services.accept_uploads(documents, member=request.membership)
    if len(results) == 1:
        return _one(request, results[0])
    counts = Counter(result.outcome.name for result in results)
    if counts["TAKEN"] == len(results):
        messages.success(request, f"All {len(results)} documents are on their way.")
        return redirect("contracts:queue", slug=request.tenant.slug)
    context = {"results": _worst_first(results), "total": len(results)}
    context |= {name: counts[name.upper()] for name in ("taken", "on_its_way", "there", "undecided", "refused")}
    return render(request, "contracts/upload_results.html", context, status=200 if counts["TAKEN"] else 422)


def _one(request: TenantRequest, result: services.Result) -> HttpResponse:
    match result.outcome:
        case services.Outcome.THERE if result.contract:
            messages.info(request, "This document was already uploaded as this contract. Nothing was uploaded.")
            return redirect("contracts:detail", slug=request.tenant.slug, platform_id=result.contract.platform_id)
        case services.Outcome.UNDECIDED if result.upload:
            return redirect("contracts:decide", slug=request.tenant.slug, upload_id=result.upload.pk)
        case services.Outcome.ON_ITS_WAY:
            words = "This document is already on its way. Nothing was uploaded a second time."
            messages.info(request, words)
        case services.Outcome.TAKEN:
            messages.success(request, f"{result.name} is on its way.")
        case _:
            messages.warning(request, f"{result.name} was not accepted. {result.description}")
    return redirect("contracts:list", slug=request.tenant.slug)


def _worst_first(results: list[services.Result]) -> list[services.Result]:
    kinds = services.Outcome
    order = [kinds.REFUSED, kinds.UNDECIDED, services.Outcome.ON_ITS_WAY, services.Outcome.THERE, services.Outcome.TAKEN]
    return sorted(results, key=lambda result: order.index(result.outcome))


def _context(request: TenantRequest, form: UploadForm) -> dict[str, Any]:
    """The form, and the customers that were searched for to choose from."""
    offered = offered_customers(request, form["account_id"].value() or "")
    return {"form": form, "none_label": "No customer", "readiness": readiness("contract"), **offered}
