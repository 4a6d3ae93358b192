"""How the pages of one incident are found and drawn."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse

from portal.accounts.links import Link
from portal.accounts.models import Account
from portal.incidents.forms import MessageForm, ReasonForm, TakeBackForm, TellForm
from portal.incidents.models import Incident, Notice
from portal.incidents.selectors.messages import mail_link, message_for, names_incident
from portal.incidents.selectors.pages import log_events
from portal.incidents.selectors.rows import shown
from portal.page_refresh.services import area_version, is_unchanged, version_at
from portal.tenants.access import TenantRequest
from portal.tenants.models import Role

CLOSED = "This incident is closed. Nothing was changed. Reopen it first."
LOG_SHOWN = 12


def find(incident_id: int) -> Incident:
    return get_object_or_404(Incident.objects.select_related("template"), pk=incident_id)


def find_notice(incident_id: int, notice_id: int) -> Notice:
    rows = Notice.objects.select_related("incident__template")
    return get_object_or_404(rows, incident_id=incident_id, pk=notice_id)


def say_closed(request: TenantRequest, incident: Incident) -> HttpResponse:
    """Lead back to an incident that somebody has closed meanwhile."""
    messages.warning(request, CLOSED)
    return redirect("incidents:plan", slug=request.tenant.slug, incident_id=incident.pk)


def notice_url(request: TenantRequest, notice: Notice) -> str:
    return reverse("incidents:notice", args=[request.tenant.slug, notice.incident_id, notice.pk])


def to_notice(request: TenantRequest, notice: Notice) -> HttpResponse:
    return redirect(notice_url(request, notice))


def customer_link(notice: Notice) -> Link:
    return Link("customers:customer", (notice.account_id,))


def is_known(notice: Notice) -> bool:
    return Account.objects.filter(platform_id=notice.account_id).exists()


def show_notice(request: TenantRequest, notice: Notice, *, status: int = 200, **forms: Any) -> HttpResponse:
    """Draw the page of one customer, with a form that was refused in the place of its empty one."""
    page_url = notice_url(request, notice)
    seen = version_at(area_version("incidents"), page_url)
    if request.method == "GET" and request.htmx and is_unchanged(request, seen):
        return HttpResponse(status=204)
    [row] = shown([notice], notice.incident)
    message = message_for(row, request.tenant, anew="fresh" in request.GET)
    typed = {"subject": message.subject, "text": message.text, "seen": message.version}
    entries = notice.log.all()[:LOG_SHOWN]
    context = {
        "incident": notice.incident,
        "row": row,
        "notice": notice,
        "page_url": page_url,
        # One that was never known here has no page.
        "customer_url": customer_link(notice).url(request.tenant.slug) if is_known(notice) else "",
        "message": message,
        "mail_link": mail_link(row.contacts[0].description if row.contacts else "", message),
        "names_incident": names_incident(message.subject, message.text, notice.incident),
        "form": MessageForm(initial=typed),
        "tell_form": TellForm(incident=notice.incident),
        "spare_form": ReasonForm(auto_id="spare_%s"),
        "back_form": TakeBackForm(initial={"seen": notice.state}, auto_id="back_%s"),
        "events": log_events(entries),
        "may_change": request.membership.may(Role.ANALYST) and notice.incident.is_open,
        "page_version": seen,
    } | forms
    return render(request, f"incidents/notice.html{'#facts' if request.htmx else ''}", context, status=status)
