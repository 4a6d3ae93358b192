from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods

from portal.accounts.selectors import account_names, accounts_by_id
from portal.contracts import services
from portal.contracts.forms import CustomerForm
from portal.contracts.models import Contract, Terms
from portal.contracts.views.customer_choice import FRAGMENT, offered_customers
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role


@require_http_methods(["GET", "HEAD", "POST"])
@tenant_view(Role.ANALYST)
def set_customer(request: TenantRequest, platform_id: str) -> HttpResponse:
    """Say whose contract it is. Where somebody was faster, theirs is shown before it is replaced."""
    contract = get_object_or_404(Contract, platform_id=platform_id)
    terms = services.terms_of(contract)
    if request.method != "POST":
        return _show(request, contract, terms, request.GET.get("account_id", terms.account_id))
    form = CustomerForm(request.POST, before=terms.account_id)
    if not form.is_valid():
        return _show(request, contract, terms, terms.account_id, form=form, status=422)
    account_id, version = form.cleaned_data["account_id"], form.cleaned_data["version"]
    try:
        is_changed = services.change_terms(contract, {"account_id": account_id}, member=request.membership, version=version)
    except services.Overtaken as overtaken:
        return _show(request, contract, overtaken.now, account_id, is_overtaken=True, status=409)
    contract.refresh_from_db()
    name = account_names([contract.account_id]).get(contract.account_id, "no customer")
    if is_changed:
        messages.success(request, f"Customer of {contract}: {name}.")
    else:
        messages.info(request, "No changes to save.")
    return redirect("contracts:detail", slug=request.tenant.slug, platform_id=platform_id)


def _show(
    request: TenantRequest,
    contract: Contract,
    terms: Terms,
    chosen: str,
    *,
    form: CustomerForm | None = None,
    is_overtaken: bool = False,
    status: int = 200,
) -> HttpResponse:
    names = accounts_by_id([contract.platform_account_id, terms.account_id])
    context = {
        "contract": contract,
        "terms": terms,
        "form": form,
        "on_platform": names.get(contract.platform_account_id),
        "now": names.get(terms.account_id) if is_overtaken else None,
        "is_overtaken": is_overtaken,
        "none_label": "Same as on the platform",
        **offered_customers(request, chosen),
    }
    return render(request, f"{FRAGMENT}#customers-found" if request.htmx else "contracts/customer.html", context, status=status)
