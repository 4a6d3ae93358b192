from typing import Any

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_GET, require_POST

from portal.engagements import services
from portal.engagements.forms import FlagForm
from portal.engagements.models import EngagementPart, InformationRequest, PartKind
from portal.engagements.services.writes import DECIDER
from portal.engagements.views.pages import FLAG, draw_request, send
from portal.engagements.views.rendering import act_and_return, row_of, send_file, unchanged
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role


@require_GET
@tenant_view(Role.VIEWER)
def request_page(request: TenantRequest, audit_id: str, object_id: str) -> HttpResponse:
    """One information request. Polls this same address while it is open."""
    row = row_of(InformationRequest, audit_id, object_id)
    services.ask_for_details(row)
    return unchanged(request) or draw_request(request, row, {})


@require_POST
@tenant_view(DECIDER)
def accept_request(request: TenantRequest, audit_id: str, object_id: str) -> HttpResponse:
    row = row_of(InformationRequest, audit_id, object_id)
    return act_and_return(request, row, f"Approved: {row}", lambda: services.accept_request(row, member=request.membership))


@require_POST
@tenant_view(DECIDER)
def flag_request(request: TenantRequest, audit_id: str, object_id: str) -> HttpResponse:
    row = row_of(InformationRequest, audit_id, object_id)

    def act(said: dict[str, Any]) -> None:
        services.flag_request(row, said["reason"], member=request.membership)

    return send(request, row, FlagForm(request.POST), FLAG, f"Flagged: {row}", act)


@require_POST
@tenant_view(Role.ANALYST)
def request_file(request: TenantRequest, audit_id: str, object_id: str, part_id: str) -> HttpResponseBase:
    """Give a file of a request on. A POST: that it was taken is written down (guarantee S8)."""
    row = row_of(InformationRequest, audit_id, object_id)
    part = get_object_or_404(EngagementPart.objects.of(row, PartKind.REQUEST_EVIDENCE), platform_id=part_id)
    return send_file(request, row, lambda: services.fetch_request_file(row, part, member=request.membership))
