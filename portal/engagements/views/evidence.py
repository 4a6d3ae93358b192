from django.contrib import messages
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_GET, require_POST

from portal.engagements import services
from portal.engagements.models import EngagementPart, EvidenceItem, PartKind
from portal.engagements.services.decisions import EVIDENCE_STEPS
from portal.engagements.services.writes import DECIDER
from portal.engagements.views.pages import draw_evidence
from portal.engagements.views.rendering import act_and_return, back_to, row_of, send_file, unchanged
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role


@require_GET
@tenant_view(Role.VIEWER)
def evidence_item_page(request: TenantRequest, audit_id: str, object_id: str) -> HttpResponse:
    """One evidence item. Polls this same address while it is open."""
    row = row_of(EvidenceItem, audit_id, object_id)
    services.ask_for_details(row)
    return unchanged(request) or draw_evidence(request, row, {})


@require_POST
@tenant_view(DECIDER)
def move_evidence(request: TenantRequest, audit_id: str, object_id: str) -> HttpResponse:
    """Take a step with evidence, such as to accept it."""
    row, key = row_of(EvidenceItem, audit_id, object_id), request.POST.get("step", "")
    if key not in EVIDENCE_STEPS:
        messages.warning(request, "Nothing was changed. Choose one of the steps.")
        return back_to(request, row)
    said = f"{EVIDENCE_STEPS[key].said.rstrip(':')}: {row}"
    return act_and_return(request, row, said, lambda: services.move_evidence(row, key, member=request.membership))


@require_POST
@tenant_view(Role.ANALYST)
def evidence_file(request: TenantRequest, audit_id: str, object_id: str, part_id: str) -> HttpResponseBase:
    """Give a file of evidence on. A POST: that it was taken is written down (guarantee S8)."""
    row = row_of(EvidenceItem, audit_id, object_id)
    part = get_object_or_404(EngagementPart.objects.of(row, PartKind.EVIDENCE_FILE), platform_id=part_id)
    return send_file(request, row, lambda: services.fetch_evidence_file(row, part, member=request.membership))
