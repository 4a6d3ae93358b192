from collections.abc import Callable

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_POST

from portal.access_requests import services
from portal.access_requests.forms import RejectionForm
from portal.access_requests.models import Decision
from portal.access_requests.refusals import REFUSALS, refusal_for
from portal.access_requests.request_page import AccessRequestPage
from portal.access_requests.services import kill_switch
from portal.access_requests.views.rendering import list_at, render_desk
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role
from portal.ui.toasts import toast


@require_POST
@tenant_view(Role.APPROVER)
def undo(request: TenantRequest, decision_id: int) -> HttpResponse:
    """Take back what has not left; the request is open again and stands beside the list."""
    return answer(request, find_decision(decision_id), lambda it: services.undo(it, member=request.membership), "Undone")


@require_POST
@tenant_view(Role.APPROVER)
def confirm(request: TenantRequest, decision_id: int) -> HttpResponse:
    """Give the second approval."""
    return answer(request, find_decision(decision_id), lambda it: services.confirm(it, member=request.membership), "Confirmed")


@require_POST
@tenant_view(Role.APPROVER)
def reject(request: TenantRequest, decision_id: int) -> HttpResponse:
    """Turn the second approval down, with a reason."""
    decision, form = find_decision(decision_id), RejectionForm(request.POST)
    if not form.is_valid():
        return render_desk(request, decision.access_request, rejection_form=form, status=422)
    reason = form.cleaned_data["words"]
    return answer(request, decision, lambda it: services.reject(it, member=request.membership, reason=reason), "Rejected")


@require_POST
@tenant_view(Role.APPROVER)
def undo_mine(request: TenantRequest) -> HttpResponse:
    """Take back what this person decided or confirmed, where it has not left."""
    number = services.undo_all(request.membership)
    return back(request, f"{number} undone" if number else "Nothing left to undo")


@require_POST
@tenant_view(Role.APPROVER)
def undo_rule(request: TenantRequest, rule_id: str) -> HttpResponse:
    """Take back every decision of one rule that has not left; those stay with people."""
    undone, left = kill_switch.undo_rule(rule_id, member=request.membership)
    words = f"{undone} undone" if undone else "Nothing left to undo"
    words += f", {left} already sent" if left else ""
    if request.htmx:
        return back(request, words)
    messages.success(request, f"{words}.")
    return redirect("access_requests:rules", slug=request.tenant.slug)


@require_POST
@tenant_view(Role.APPROVER)
def dismiss(request: TenantRequest) -> HttpResponse:
    """The notices of what came to nothing have been read."""
    services.dismiss_notices(request.membership)
    return back(request, "Dismissed")


def find_decision(decision_id: int) -> Decision:
    return get_object_or_404(Decision.objects.select_related("access_request"), pk=decision_id)


def answer(request: TenantRequest, decision: Decision, act: Callable[[Decision], Decision], done: str) -> HttpResponse:
    """Act on a decision and show its request; what is too late is explained there."""
    found = decision.access_request
    try:
        act(decision)
    except REFUSALS as error:
        refusal = refusal_for(error, slug=request.tenant.slug)
        return render_desk(request, find_decision(decision.pk).access_request, refusal=refusal, status=422)
    address = AccessRequestPage(request, found).address
    if not request.htmx:
        messages.success(request, f"{done}: {found}.")
        return redirect(address)
    found.refresh_from_db()
    shown = render_desk(request, found)
    shown["HX-Push-Url"] = address
    return toast(shown, f"{done}: {found}")


def back(request: TenantRequest, words: str) -> HttpResponse:
    """Show the list again, with nothing beside it."""
    if not request.htmx:
        messages.success(request, f"{words}.")
        return redirect(list_at(request))
    shown = render_desk(request)
    shown["HX-Push-Url"] = list_at(request)
    return toast(shown, words)
