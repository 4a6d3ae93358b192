from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from portal.incidents import services
from portal.incidents.filters import counts_of
from portal.incidents.forms import CloseForm, IncidentForm, RemarkForm
from portal.incidents.models import Incident
from portal.incidents.views.rendering import find, say_closed
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role


@require_http_methods(["GET", "HEAD", "POST"])
@tenant_view(Role.ANALYST)
def new(request: TenantRequest) -> HttpResponse:
    """Write down an incident; its plan is made at once."""
    if request.method != "POST":
        return show_form(request, IncidentForm(member=request.membership))
    form = IncidentForm(request.POST, member=request.membership)
    if not form.is_valid():
        return show_form(request, form)
    incident = services.open_incident(form.facts(), member=request.membership)
    messages.success(request, "Plan created. Rebuild it if facts change.")
    return redirect("incidents:plan", slug=request.tenant.slug, incident_id=incident.pk)


@require_http_methods(["GET", "HEAD", "POST"])
@tenant_view(Role.ANALYST)
def edit(request: TenantRequest, incident_id: int) -> HttpResponse:
    """Change what is known. What that changes in the plan is said afterwards."""
    incident = find(incident_id)
    if request.method != "POST":
        if not incident.is_open:
            return say_closed(request, incident)
        return show_form(request, IncidentForm(member=request.membership, incident=incident))
    form = IncidentForm(request.POST, member=request.membership, incident=incident)
    if not form.is_valid():
        return show_form(request, form, incident)
    seen = form.cleaned_data["seen"] or 0
    try:
        _, difference = services.change_incident(incident, form.facts(), seen=seen, member=request.membership)
    except services.IncidentClosed:
        return show_form(request, form, find(incident_id), is_closed=True)
    except services.ChangedMeanwhile:
        return show_form(request, form, find(incident_id), is_conflict=True)
    if difference is None:
        messages.success(request, "Saved. The plan is unchanged.")
    else:
        messages.success(request, f"Saved, and the plan was rebuilt: {difference.description}. The log lists each change.")
    return redirect("incidents:plan", slug=request.tenant.slug, incident_id=incident.pk)


def show_form(
    request: TenantRequest,
    form: IncidentForm,
    incident: Incident | None = None,
    *,
    is_conflict: bool = False,
    is_closed: bool = False,
) -> HttpResponse:
    found = incident or form.incident
    context = {
        "form": form,
        "incident": found,
        "is_conflict": is_conflict,
        "is_closed": is_closed,
        # What was typed is saved over the others' only when it is sent once more.
        "seen": found.version if found and (is_conflict or not form.is_bound) else form["seen"].value(),
    }
    status = 409 if is_closed else 422 if form.is_bound else 200
    return render(request, "incidents/form.html", context, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
@tenant_view(Role.ANALYST)
def close(request: TenantRequest, incident_id: int) -> HttpResponse:
    """Close an incident; who leaves customers untold says why."""
    incident = find(incident_id)
    if not incident.is_open:
        return say_closed(request, incident)
    left = counts_of(incident)["to-tell"]
    form = CloseForm(request.POST if request.method == "POST" else None, has_left=bool(left))
    if request.method == "POST" and form.is_valid():
        try:
            services.close_incident(incident, remark=form.cleaned_data["note"], member=request.membership)
        except services.IncidentClosed:
            return say_closed(request, incident)
        messages.success(request, "Incident closed. No more reminders will be sent.")
        return redirect("incidents:plan", slug=request.tenant.slug, incident_id=incident.pk)
    context = {"incident": incident, "form": form, "left": left}
    return render(request, "incidents/close.html", context, status=422 if form.is_bound else 200)


@require_POST
@tenant_view(Role.ANALYST)
def reopen(request: TenantRequest, incident_id: int) -> HttpResponse:
    incident = find(incident_id)
    if services.reopen_incident(incident, member=request.membership):
        messages.success(request, "Incident reopened.")
    else:
        messages.info(request, "This incident was already open.")
    return redirect("incidents:plan", slug=request.tenant.slug, incident_id=incident.pk)


@require_POST
@tenant_view(Role.ANALYST)
def remark(request: TenantRequest, incident_id: int) -> HttpResponse:
    """Write something into the log."""
    incident, form = find(incident_id), RemarkForm(request.POST)
    if form.is_valid():
        services.add_remark(incident, form.cleaned_data["note"], member=request.membership)
        messages.success(request, "Remark added to the log.")
    else:
        messages.warning(request, "A remark must have 1 to 2,000 characters. Nothing was added.")
    return redirect("incidents:log", slug=request.tenant.slug, incident_id=incident.pk)
