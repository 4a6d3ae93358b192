from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from portal.customers import services
from portal.customers.forms import NewCustomerForm, typed_before
from portal.customers.models import NewCustomer, Step
from portal.customers.refusals import REFUSALS, Refusal, refusal_for
from portal.lib.row_keys import row_key
from portal.platform_api.errors import ValidationFailed
from portal.sync.readiness import readiness
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role
from portal.ui.list_filters import clean_text


@require_http_methods(["GET", "HEAD", "POST"])
@tenant_view(Role.ANALYST)
def new(request: TenantRequest) -> HttpResponse:
    """Create a customer on the platform. What cannot be taken is said on the page, with everything that was typed."""
    again = _named(request.GET.get("again", ""))
    if request.method != "POST":
        return show_form(request, NewCustomerForm(initial=_initial(request, again)), again=again)
    form = NewCustomerForm(request.POST)
    if not form.is_valid():
        return show_form(request, form, again=again)
    try:
        creation = services.create_customer(form.new_account(), member=request.membership, again=again)
    except REFUSALS as error:
        is_shown = isinstance(error, ValidationFailed) and form.show_objections(error)
        return show_form(request, form, again=again, refusal=None if is_shown else refusal_for(error, slug=request.tenant.slug))
    if creation.state == Step.CREATED:
        messages.success(request, f"Created {creation} on the platform.")
        return redirect("customers:customer", slug=request.tenant.slug, platform_id=creation.account_id)
    messages.warning(
        request, f"The platform did not confirm {creation}. We are checking whether it exists; nothing is sent twice."
    )
    return redirect("customers:list", slug=request.tenant.slug)


def show_form(
    request: TenantRequest, form: NewCustomerForm, *, again: NewCustomer | None, refusal: Refusal | None = None
) -> HttpResponse:
    context: dict[str, Any] = {
        "form": form,
        "again": again,
        "refusal": refusal,
        "is_connected": readiness("account").is_connected,
    }
    return render(request, "customers/new.html", context, status=422 if form.is_bound else 200)


def _initial(request: TenantRequest, again: NewCustomer | None) -> dict[str, Any]:
    """What a suggestion proposes, or what stood in the form of a customer that did not arrive."""
    if again:
        return typed_before(again)
    return {name: clean_text(request.GET.get(name, "")) for name in ("name", "domain")}


def _named(key: str) -> NewCustomer | None:
    return NewCustomer.objects.filter(pk=row_key(key), state=Step.ABSENT).first()


@require_POST
@tenant_view(Role.ANALYST)
def dismiss_creation(request: TenantRequest, creation_id: int) -> HttpResponse:
    creation = get_object_or_404(NewCustomer, pk=creation_id)
    services.dismiss_creation(creation, member=request.membership)
    messages.success(request, f"Dismissed {creation}.")
    return redirect("customers:list", slug=request.tenant.slug)
