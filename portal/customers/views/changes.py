from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods

from portal.accounts.models import Account
from portal.customers import selectors, services
from portal.customers.forms import EditForm
from portal.customers.refusals import REFUSALS, Refusal, refusal_for
from portal.platform_api.errors import ValidationFailed
from portal.sync.readiness import readiness
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role


@require_http_methods(["GET", "HEAD", "POST"])
@tenant_view(Role.ANALYST)
def edit(request: TenantRequest, platform_id: str) -> HttpResponse:
    """Change a customer. What was refused is said on the page, with everything that was typed."""
    account = get_object_or_404(Account.objects.present(), platform_id=platform_id)
    if request.method != "POST":
        return show_form(request, EditForm(account=account))
    form = EditForm(request.POST, account=account)
    if not form.is_valid():
        return show_form(request, form)
    change = form.change()
    if change is None:
        messages.info(request, "No changes, so nothing was sent.")
        return redirect("customers:customer", slug=request.tenant.slug, platform_id=platform_id)
    try:
        changed = services.change_customer(account, change=change, member=request.membership)
    except REFUSALS as error:
        is_shown = isinstance(error, ValidationFailed) and form.show_objections(error)
        return show_form(request, form, refusal=None if is_shown else refusal_for(error, slug=request.tenant.slug))
    messages.success(request, f"Saved {changed} on the platform.")
    return redirect("customers:customer", slug=request.tenant.slug, platform_id=platform_id)


def show_form(request: TenantRequest, form: EditForm, *, refusal: Refusal | None = None) -> HttpResponse:
    context = {
        "form": form,
        "account": form.account,
        "refusal": refusal,
        "is_connected": readiness("account").is_connected,
    }
    return render(request, "customers/edit.html", context, status=422 if form.is_bound else 200)


@require_http_methods(["GET", "HEAD", "POST"])
@tenant_view(Role.APPROVER)
def delete(request: TenantRequest, platform_id: str) -> HttpResponse:
    """Say what goes and what stays, and delete a customer once that is confirmed."""
    account = get_object_or_404(Account.objects.present(), platform_id=platform_id)
    refusal = None
    if request.method == "POST":
        try:
            services.delete_customer(account, member=request.membership)
        except REFUSALS as error:
            refusal = refusal_for(error, slug=request.tenant.slug)
        else:
            messages.success(request, f"{account} was deleted on the platform.")
            return redirect("customers:list", slug=request.tenant.slug)
    context = {
        "account": account,
        "figures": selectors.figures_of(account, slug=request.tenant.slug),
        "refusal": refusal,
        "is_connected": readiness("account").is_connected,
    }
    return render(request, "customers/delete.html", context, status=422 if refusal else 200)
