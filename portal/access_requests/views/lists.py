from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST

from portal.access_requests.models import ListedDomain, ListKind, SensitiveDocument
from portal.access_requests.rule_forms import ListForm, SensitiveForm
from portal.access_requests.services import tagging
from portal.access_requests.services.announcements import DecidesWaiting
from portal.access_requests.views.announcements import ask, choice_of
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role
from portal.trust_center.models import Resource


@require_GET
@tenant_view(Role.VIEWER)
def lists(request: TenantRequest) -> HttpResponse:
    """Blocked and free-mail domains, and sensitive documents."""
    return show_lists(request)


def show_lists(request: TenantRequest, form: ListForm | None = None) -> HttpResponse:
    sensitive = SensitiveDocument.objects.values("resource_id")
    context = {
        "listed": ListedDomain.objects.all(),
        "form": form or ListForm(),
        "sensitive_form": SensitiveForm(),
        "has_documents": Resource.objects.present().filter(is_public=False).exists(),
        "sensitive": Resource.objects.present().filter(platform_id__in=sensitive),
        "may_change": request.membership.may(Role.ADMIN),
    }
    return render(request, "access_requests/lists.html", context, status=422 if form else 200)


@require_POST
@tenant_view(Role.ADMIN)
def list_domain(request: TenantRequest) -> HttpResponse:
    form = ListForm(request.POST)
    if not form.is_valid():
        return show_lists(request, form)
    said, choice = form.cleaned_data, choice_of(request)
    kind, why = ListKind(said["kind"]), said["why"]
    try:
        row = tagging.list_domain(said["domain"], kind=kind, why=why, member=request.membership, choice=choice)
    except DecidesWaiting as error:
        return ask_for(request, error, f"Mark {said['domain']}?", "Mark domain")
    messages.success(request, f"{row} is marked as {row.get_kind_display().lower()}.")
    return redirect("access_requests:lists", slug=request.tenant.slug)


@require_POST
@tenant_view(Role.ADMIN)
def unlist_domain(request: TenantRequest, listed_id: int) -> HttpResponse:
    row = get_object_or_404(ListedDomain, pk=listed_id)
    try:
        tagging.unlist_domain(row, member=request.membership, choice=choice_of(request))
    except DecidesWaiting as error:
        return ask_for(request, error, f"Remove the mark from {row}?", "Remove mark")
    messages.success(request, f"{row} is no longer marked.")
    return redirect("access_requests:lists", slug=request.tenant.slug)


@require_POST
@tenant_view(Role.ADMIN)
def mark_sensitive(request: TenantRequest) -> HttpResponse:
    form = SensitiveForm(request.POST)
    if form.is_valid():
        documents, shown = set(form.cleaned_data["documents"]), set(form.cleaned_data["marked"])
        try:
            tagging.mark_sensitive(documents, shown=shown, member=request.membership, choice=choice_of(request))
        except DecidesWaiting as error:
            return ask_for(request, error, "Change the sensitive documents?", "Save")
        messages.success(request, "Saved.")
    else:
        messages.error(request, "Nothing was changed. One of the documents no longer exists.")
    return redirect("access_requests:lists", slug=request.tenant.slug)


def ask_for(request: TenantRequest, error: DecidesWaiting, question: str, button: str) -> HttpResponse:
    back = reverse("access_requests:lists", args=[request.tenant.slug])
    return ask(request, error, question=question, button=button, back=back)
