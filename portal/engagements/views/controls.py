from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.views.decorators.http import require_GET, require_POST

from portal.engagements import selectors, services
from portal.engagements.errors import AssessedMeanwhile
from portal.engagements.forms import AssessmentForm
from portal.engagements.models import EngagementControl
from portal.engagements.services.writes import DECIDER
from portal.engagements.views.pages import draw_control, place_of, send
from portal.engagements.views.rendering import back_to, row_of, unchanged
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role


@require_GET
@tenant_view(Role.VIEWER)
def control_page(request: TenantRequest, audit_id: str, object_id: str) -> HttpResponse:
    """One control. Polls this same address while it is open."""
    row = row_of(EngagementControl, audit_id, object_id)
    services.ask_for_details(row)
    return unchanged(request) or draw_control(request, row, {})


@require_POST
@tenant_view(DECIDER)
def assess_control(request: TenantRequest, audit_id: str, object_id: str) -> HttpResponse:
    """Record what the firm holds of a control in one segment."""
    row, segment = row_of(EngagementControl, audit_id, object_id), request.POST.get("segment", "")
    states = {each.segment_id: each.state for each in selectors.assessments_of(row, {})}
    if segment not in states:
        messages.warning(request, "Nothing was assessed because the control is not in scope for this segment.")
        return back_to(request, row)

    form = AssessmentForm(request.POST, state=states[segment], key="sent")

    def act(said: dict[str, Any]) -> None:
        try:
            services.assess_control(
                row, segment, said["state"], said["justification"], seen=said["seen"], member=request.membership
            )
        except AssessedMeanwhile as conflict:
            form.see(conflict.version)
            raise

    return send(request, row, form, place_of(segment), f"Assessed: {row}", act)
