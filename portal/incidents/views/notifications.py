from collections.abc import Sequence

from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from portal.incidents import services
from portal.incidents.filters import ORDER, PlanFilters
from portal.incidents.forms import MessageForm, ReasonForm, TakeBackForm, TellForm
from portal.incidents.models import Draft, Incident, Notice, State
from portal.incidents.views.rendering import find, find_notice, say_closed, show_notice, to_notice
from portal.lib.row_keys import row_keys
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role

MAX_CHOSEN = 200


@require_GET
@tenant_view(Role.VIEWER)
def notice(request: TenantRequest, incident_id: int, notice_id: int) -> HttpResponse:
    """One customer of an incident: promises, message, what was done."""
    return show_notice(request, find_notice(incident_id, notice_id))


@require_POST
@tenant_view(Role.ANALYST)
def save_draft(request: TenantRequest, incident_id: int, notice_id: int) -> HttpResponse:
    """Keep the message to a customer. If somebody else has saved one or closed the incident, what was typed is shown again."""
    found, form = find_notice(incident_id, notice_id), MessageForm(request.POST)
    if not form.is_valid():
        return show_notice(request, found, form=form, status=422)
    try:
        services.save_draft(found, form.message(), seen=form.cleaned_data["seen"], member=request.membership)
    except services.IncidentClosed:
        return show_notice(request, find_notice(incident_id, notice_id), form=form, is_closed=True, status=409)
    except services.ChangedMeanwhile:
        theirs = Draft.objects.filter(notice=found).first()
        typed = form.cleaned_data | {"seen": theirs.version if theirs else 0}
        return show_notice(request, found, form=MessageForm(initial=typed), theirs=theirs, status=422)
    messages.success(request, "Draft saved.")
    return to_notice(request, found)


@require_POST
@tenant_view(Role.ANALYST)
def tell_one(request: TenantRequest, incident_id: int, notice_id: int) -> HttpResponse:
    found = find_notice(incident_id, notice_id)
    form = TellForm(request.POST, incident=found.incident)
    if not form.is_valid():
        return show_notice(request, found, tell_form=form, status=422)
    try:
        outcome = services.mark_notified(found.incident, [found.pk], form.telling(), member=request.membership)
    except services.IncidentClosed:
        return say_closed(request, found.incident)
    say_outcome(request, outcome)
    return to_notice(request, found)


@require_POST
@tenant_view(Role.ANALYST)
def spare(request: TenantRequest, incident_id: int, notice_id: int) -> HttpResponse:
    found, form = find_notice(incident_id, notice_id), ReasonForm(request.POST, auto_id="spare_%s")
    if not form.is_valid():
        return show_notice(request, found, spare_form=form, status=422)
    try:
        services.exempt(found, reason=form.cleaned_data["note"], member=request.membership)
    except services.IncidentClosed:
        return say_closed(request, found.incident)
    except services.AlreadySettled as error:
        messages.warning(request, f"Nothing was changed: {settled_words(error.notice)}.")
    else:
        messages.success(request, f"{found} does not need a notice.")
    return to_notice(request, found)


@require_POST
@tenant_view(Role.ANALYST)
def revert(request: TenantRequest, incident_id: int, notice_id: int) -> HttpResponse:
    found, form = find_notice(incident_id, notice_id), TakeBackForm(request.POST, auto_id="back_%s")
    if not form.is_valid():
        return show_notice(request, found, back_form=form, status=422)
    typed = form.cleaned_data
    try:
        services.revert(found, seen=typed["seen"], reason=typed["note"], member=request.membership)
    except services.IncidentClosed:
        return say_closed(request, found.incident)
    except services.AlreadySettled as error:
        messages.warning(request, f"Nothing was changed: {settled_words(error.notice)}.")
    else:
        messages.success(request, f"Undone. {found} still has to be notified. The log keeps both entries.")
    return to_notice(request, found)


@require_http_methods(["GET", "HEAD", "POST"])
@tenant_view(Role.ANALYST)
def tell_several(request: TenantRequest, incident_id: int) -> HttpResponse:
    """Note that several customers were told; first they are named, and when and how is asked."""
    incident = find(incident_id)
    if not incident.is_open:
        return say_closed(request, incident)
    asked = request.POST if request.method == "POST" else request.GET
    keys, settled = chosen(incident, asked)
    if not keys:
        messages.info(request, "All selected customers are already settled.")
        return redirect("incidents:plan", slug=request.tenant.slug, incident_id=incident.pk)
    form = TellForm(request.POST if request.method == "POST" else None, incident=incident)
    is_same = asked.get("number", "") == str(len(keys))
    if request.method == "POST" and is_same and form.is_valid():
        try:
            outcome = services.mark_notified(incident, keys, form.telling(), member=request.membership)
        except services.IncidentClosed:
            return say_closed(request, incident)
        say_outcome(request, outcome)
        return redirect("incidents:plan", slug=request.tenant.slug, incident_id=incident.pk)
    context = {
        "incident": incident,
        "form": form,
        "keys": [] if asked.get("all") else keys,
        "filters": PlanFilters.read(asked),
        "is_all": bool(asked.get("all")),
        "number": len(keys),
        "named": names_of(keys),
        "settled": settled,
        "is_other_number": request.method == "POST" and not is_same,
    }
    return render(request, "incidents/tell.html", context, status=422 if request.method == "POST" else 200)


def chosen(incident: Incident, asked: QueryDict) -> tuple[Sequence[int], Sequence[Notice]]:
    """Read who was chosen: the keys of those who are to be told, and those of whom somebody has said something meanwhile."""
    if asked.get("all"):
        rows = PlanFilters.read(asked).rows(incident).filter(state=State.TO_TELL, left_at=None)
        return list(rows.order_by(*ORDER).values_list("pk", flat=True)), []
    keys = row_keys(asked.getlist("chosen")[:MAX_CHOSEN])
    found = list(Notice.objects.filter(incident=incident, pk__in=keys).order_by(*ORDER))
    return [row.pk for row in found if row.is_to_tell], [row for row in found if not row.is_to_tell]


def names_of(keys: Sequence[int]) -> list[str]:
    """Return the customers of these notices, in their order."""
    customers = dict(Notice.objects.filter(pk__in=keys).values_list("pk", "customer"))
    return [customers[key] for key in keys if key in customers]


def say_outcome(request: TenantRequest, outcome: services.Outcome) -> None:
    number = len(outcome.told)
    if number:
        messages.success(request, f"Marked {outcome.told[0] if number == 1 else f'{number} customers'} as notified.")
    if outcome.settled_before:
        words = "; ".join(map(settled_words, outcome.settled_before[:5]))
        more = len(outcome.settled_before) - 5
        messages.warning(request, f"Not changed: {words}{f'; and {more} more' if more > 0 else ''}.")


def settled_words(notice: Notice) -> str:
    """Say what somebody else has noted of a customer meanwhile."""
    if notice.is_to_tell:
        return f"{notice} still has to be notified"
    return f"{notice} was marked as {notice.get_state_display().lower()} by {notice.settled_by_name}"
