"""Pages that add something to an audit, or make an audit from another: the same view, told by the address what it adds."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST

from portal.connections.error_messages import Refusal
from portal.engagements import selectors, services
from portal.engagements.forms import AddingForm, DuplicateForm, NewControlForm, NewEvidenceRequestForm, NewRequestForm
from portal.engagements.kinds import ENGAGEMENT
from portal.engagements.models import Engagement, InformationRequest
from portal.engagements.refusals import REFUSALS, refusal_for
from portal.engagements.services.writes import DECIDER
from portal.engagements.views.rendering import address_of, error_message, row_of
from portal.platform_api.errors import ValidationFailed
from portal.sync.readiness import readiness
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role


@dataclass(frozen=True)
class Adding:
    """One kind of thing that can be added to an audit, and how its page words it."""

    title: str
    lead: str
    button: str
    said: str
    tab: str
    """The tab of the audit to return to."""
    form: Callable[..., Any]
    """An `AddingForm`; its `new` is what `act` takes."""
    act: Callable[..., Any]
    is_for_list: bool = False
    """It joins the list that the customer sees once it is shared."""


REQUEST = Adding(
    "New information request",
    "Ask the customer for something.",
    "Add request",
    "Request added",
    "requests",
    NewRequestForm,
    services.add_request,
    is_for_list=True,
)
EVIDENCE = Adding(
    "Request evidence",
    "Ask the customer for evidence that the audit doesn't have. It will then be in the evidence list.",
    "Request evidence",
    "Evidence requested",
    "evidence",
    NewEvidenceRequestForm,
    services.ask_for_evidence,
)
CONTROL = Adding(
    "New control",
    "A control for this audit only, in scope for each of its segments.",
    "Add control",
    "Control added",
    "controls",
    NewControlForm,
    services.add_control,
)
DUPLICATE = Adding(
    "Duplicate audit",
    "The copy has the same customer, segments, controls and information requests. Each request starts over as a draft.",
    "Duplicate",
    "Audit duplicated. Fetching its requests and controls.",
    "requests",
    DuplicateForm,
    services.duplicate,
)


@require_http_methods(["GET", "HEAD", "POST"])
@tenant_view(Role.ANALYST)
def new_request(request: TenantRequest, audit_id: str) -> HttpResponse:
    return add(request, audit_id, REQUEST)


@require_http_methods(["GET", "HEAD", "POST"])
@tenant_view(Role.ANALYST)
def request_evidence(request: TenantRequest, audit_id: str) -> HttpResponse:
    return add(request, audit_id, EVIDENCE)


@require_http_methods(["GET", "HEAD", "POST"])
@tenant_view(Role.ANALYST)
def new_control(request: TenantRequest, audit_id: str) -> HttpResponse:
    return add(request, audit_id, CONTROL)


@require_http_methods(["GET", "HEAD", "POST"])
@tenant_view(DECIDER)
def duplicate(request: TenantRequest, audit_id: str) -> HttpResponse:
    """Make the next audit from this one."""
    return add(request, audit_id, DUPLICATE)


def add(request: TenantRequest, audit_id: str, adding: Adding) -> HttpResponse:
    """Draw the page, or add what was typed. What was refused is said there, with everything that was typed."""
    # What is over can only be repeated.
    found = Engagement.objects.present() if adding is DUPLICATE else Engagement.objects.open()
    engagement = get_object_or_404(found, platform_id=audit_id)
    more = {"auditors": selectors.facts_of(engagement).auditors} if adding is DUPLICATE else {}
    form = adding.form(request.POST if request.method == "POST" else None, engagement=engagement, **more)
    show = partial(_show, request, engagement, adding, form)
    if not form.is_valid():
        return show()
    try:
        row = adding.act(engagement, form.new, member=request.membership)
    except REFUSALS as error:
        is_shown = isinstance(error, ValidationFailed) and form.show_objections(error)
        refusal = refusal_for(error, slug=request.tenant.slug, email=request.membership.user.email)
        return show(refusal=None if is_shown else refusal)
    messages.success(request, adding.said)
    if isinstance(row, Engagement):
        return redirect("engagements:requests", slug=request.tenant.slug, audit_id=row.platform_id)
    return redirect(address_of(request, row))


def _show(
    request: TenantRequest, engagement: Engagement, adding: Adding, form: AddingForm, *, refusal: Refusal | None = None
) -> HttpResponse:
    context = {
        "engagement": engagement,
        "facts": selectors.facts_of(engagement),
        "adding": adding,
        "form": form,
        "refusal": refusal,
        "back_url": reverse(f"engagements:{adding.tab}", args=[request.tenant.slug, engagement.platform_id]),
        "is_connected": readiness(ENGAGEMENT).is_connected,
    }
    return render(request, "engagements/new.html", context, status=422 if form.is_bound else 200)


@require_POST
@tenant_view(DECIDER)
def share_requests(request: TenantRequest, audit_id: str) -> HttpResponse:
    """Show the information requests to the customer."""
    engagement = get_object_or_404(Engagement.objects.present(), platform_id=audit_id)
    return _act(request, engagement, "The customer sees the requests now", partial(services.share_requests, engagement))


@require_POST
@tenant_view(DECIDER)
def delete_request(request: TenantRequest, audit_id: str, object_id: str) -> HttpResponse:
    row = row_of(InformationRequest, audit_id, object_id)
    return _act(request, row.engagement, f"Deleted: {row}", partial(services.delete_request, row))


def _act(request: TenantRequest, engagement: Engagement, said: str, act: Callable[..., None]) -> HttpResponse:
    """Do something about an audit, and return to its requests, which say what became of it."""
    try:
        act(member=request.membership)
    except REFUSALS as error:
        messages.warning(request, error_message(request, error))
    else:
        messages.success(request, said)
    return redirect("engagements:requests", slug=request.tenant.slug, audit_id=engagement.platform_id)
