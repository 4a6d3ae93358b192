from collections.abc import Callable

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from portal.access_requests import services
from portal.access_requests.filters import RequestFilters
from portal.access_requests.forms import ApprovalForm, DenialForm
from portal.access_requests.models import AccessRequest, Decision, DecisionState, Verb
from portal.access_requests.refusals import REFUSALS, refusal_for
from portal.access_requests.request_page import AccessRequestPage
from portal.access_requests.views.rendering import find, render_desk
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role
from portal.ui.toasts import toast


@require_POST
@tenant_view(Role.APPROVER)
def approve(request: TenantRequest, platform_id: str) -> HttpResponse:
    found = find(platform_id)
    form = ApprovalForm(found, request.POST)
    if not form.is_valid():
        return render_desk(request, found, approval_form=form, status=422)

    def schedule() -> Decision:
        return services.schedule_decision(found, verb=Verb.APPROVE, terms=form.terms(), member=request.membership)

    return decide(request, found, schedule, approval_form=form)


@require_POST
@tenant_view(Role.APPROVER)
def deny(request: TenantRequest, platform_id: str) -> HttpResponse:
    found = find(platform_id)
    form = DenialForm(request.POST)
    if not form.is_valid():
        return render_desk(request, found, denial_form=form, status=422)

    def schedule() -> Decision:
        return services.schedule_decision(found, verb=Verb.DENY, reason=form.reason, member=request.membership)

    return decide(request, found, schedule, denial_form=form)


def decide(request: TenantRequest, found: AccessRequest, schedule: Callable[[], Decision], **forms: object) -> HttpResponse:
    """Schedule a decision and open the request that waits next; what did not work out comes back with the person's choices."""
    try:
        decision = schedule()
    except REFUSALS as error:
        refusal = refusal_for(error, slug=request.tenant.slug)
        return render_desk(request, find(found.platform_id), refusal=refusal, status=422, **forms)
    following = RequestFilters.read(request.GET).next_after(found)
    address, words = AccessRequestPage(request, following).address, decided_message(decision, found)
    if not request.htmx:
        messages.success(request, f"{words}.")
        return redirect(address)
    answer = render_desk(request, following)
    answer["HX-Push-Url"] = address
    return toast(answer, words)


def decided_message(decision: Decision, found: AccessRequest) -> str:
    if decision.state == DecisionState.AWAITING_SECOND:
        return f"Second approval needed: {found}"
    return f"{decision.doing} {found} in {decision.seconds_left} s; you can undo it until then"
