from collections import Counter
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from portal.accounts.models import Account
from portal.accounts.selectors import accounts_by_id
from portal.contracts import selectors, services
from portal.contracts.filters import LONGEST_SEARCH
from portal.contracts.forms import UploadForm
from portal.lib.storable import storable_text
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role

MOST_OFFERED = 12


@require_http_methods(["GET", "HEAD", "POST"])
@tenant_view(Role.ANALYST)
def upload(request: TenantRequest) -> HttpResponse:
    """Hand documents in. What cannot be taken is said on the page, with everything but the files still in it."""
    if request.method != "POST":
        form = UploadForm(initial={"account_id": request.GET.get("account") or request.GET.get("account_id", "")})
        piece = "#customers-found" if request.htmx else ""
        return render(request, f"contracts/upload.html{piece}", _context(request, form))
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
    context |= {name: counts[name.upper()] for name in ("taken", "on_its_way", "there", "refused")}
    return render(request, "contracts/upload_results.html", context, status=200 if counts["TAKEN"] else 422)


def _one(request: TenantRequest, result: services.Result) -> HttpResponse:
    match result.outcome:
        case services.Outcome.THERE if result.contract:
            messages.info(request, "There was a contract with this external id already: this one. Nothing was uploaded.")
            return redirect("contracts:detail", slug=request.tenant.slug, platform_id=result.contract.platform_id)
        case services.Outcome.ON_ITS_WAY:
            words = "A document with this external id is on its way already. Nothing was uploaded a second time."
            messages.info(request, words)
        case services.Outcome.TAKEN:
            messages.success(request, f"{result.name} is on its way.")
        case _:
            messages.warning(request, f"{result.name} was not taken. {result.words}")
    return redirect("contracts:list", slug=request.tenant.slug)


def _worst_first(results: list[services.Result]) -> list[services.Result]:
    order = [services.Outcome.REFUSED, services.Outcome.ON_ITS_WAY, services.Outcome.THERE, services.Outcome.TAKEN]
    return sorted(results, key=lambda result: order.index(result.outcome))


def _context(request: TenantRequest, form: UploadForm) -> dict[str, Any]:
    """The form, and the customers that were searched for to choose from."""
    chosen = form["account_id"].value() or ""
    words = storable_text(request.GET.get("customer", "").strip())[:LONGEST_SEARCH]
    there = Account.objects.present().defer("payload", "search").order_by("name_sort", "id")
    found = list(there.matching(words)[: MOST_OFFERED + 1]) if words else []
    return {
        "form": form,
        "words": words,
        "chosen": accounts_by_id([chosen]).get(chosen),
        "accounts": [account for account in found[:MOST_OFFERED] if account.platform_id != chosen],
        "has_more": len(found) > MOST_OFFERED,
        "readiness": selectors.readiness(),
    }
