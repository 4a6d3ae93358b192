from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from portal.incidents import services
from portal.incidents.selectors.pages import change_words
from portal.incidents.views.rendering import find, say_closed
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role

AT_FIRST = 100
"""Changes that are seen without unfolding the others."""


@require_http_methods(["GET", "HEAD", "POST"])
@tenant_view(Role.ANALYST)
def replan(request: TenantRequest, incident_id: int) -> HttpResponse:
    """Say what making the plan anew would change, and do it once that is confirmed."""
    incident = find(incident_id)
    if not incident.is_open:
        return say_closed(request, incident)
    if request.method == "POST":
        try:
            difference = services.replan(incident, member=request.membership)
        except services.IncidentClosed:
            return say_closed(request, incident)
        messages.success(request, f"Plan rebuilt: {difference.description}.")
        return redirect("incidents:plan", slug=request.tenant.slug, incident_id=incident.pk)
    difference = services.difference_of(incident)
    changes = [change_words(each) for each in difference.details]
    context = {
        "incident": incident,
        "difference": difference,
        "changes": changes[:AT_FIRST],
        "more": changes[AT_FIRST:],
    }
    return render(request, "incidents/replan.html", context)
