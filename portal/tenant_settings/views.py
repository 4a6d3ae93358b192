from django.contrib import messages
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from portal.audit.models import Entry
from portal.audit.platform_actions import is_platform_write
from portal.event_log.selectors import matches_of
from portal.lib.keyset import keyset_page
from portal.lib.spreadsheets import csv_answer
from portal.tenant_settings import selectors, services
from portal.tenant_settings.account_events import describe_event
from portal.tenant_settings.audit_changes import changes_of, facts_of, name_of
from portal.tenant_settings.audit_export import lines_of
from portal.tenant_settings.filters import ORDER, AuditFilters
from portal.tenant_settings.roles import table
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role


@require_GET
@tenant_view(Role.VIEWER)
def overview(request: TenantRequest) -> HttpResponse:
    return render(request, "tenant_settings/overview.html")


@require_GET
@tenant_view(Role.VIEWER)
def roles(request: TenantRequest) -> HttpResponse:
    """What each role may do, as the code has it."""
    return render(request, "tenant_settings/roles.html", {"desks": table(), "roles": list(Role)})


@require_http_methods(["GET", "POST"])
@tenant_view(Role.OWNER, asks_again=True)
def sign_in(request: TenantRequest) -> HttpResponse:
    """Whether a password is enough for the members, and who has more."""
    if request.method == "POST":
        is_required = request.POST.get("second_factor") == "required"
        try:
            is_changed = services.set_second_factor(request.membership, is_required=is_required)
        except services.NoFactorYourself:
            messages.error(request, "Set up your own second factor first, or you would be locked out.")
        else:
            if is_changed:
                messages.success(request, "Second factor required." if is_required else "Second factor no longer required.")
        return redirect("settings:sign_in", slug=request.tenant.slug)
    return render(request, "tenant_settings/sign_in.html", {"members": selectors.members_by_factor(request.tenant)})


@require_GET
@tenant_view(Role.OWNER)
def sign_in_activity(request: TenantRequest) -> HttpResponse:
    """What happened to the accounts of the members: sign-ins, failures, factors, newest first."""
    page = keyset_page(selectors.account_events(request.tenant), order_by=ORDER, cursor=request.GET.get("cursor"))
    rows = [(event, describe_event(event)) for event in page.rows]
    return render(request, "tenant_settings/sign_in_activity.html", {"page": page, "rows": rows})


@require_GET
@tenant_view(Role.ADMIN)
def audit(request: TenantRequest) -> HttpResponse:
    """What was done in this tenant, over all desks, newest first."""
    filters = AuditFilters.read(request.GET)
    page = keyset_page(filters.rows(), order_by=ORDER, cursor=request.GET.get("cursor"))
    matches = matches_of([entry.pk for entry in page.rows])
    context = {
        "filters": filters,
        "page": page,
        "rows": [(entry, name_of(entry.target_kind), changes_of(entry), matches.get(entry.pk)) for entry in page.rows],
        "check": selectors.last_check(),
    }
    return render(request, "tenant_settings/audit.html", context)


@require_GET
@tenant_view(Role.ADMIN)
def audit_entry(request: TenantRequest, entry_id: int) -> HttpResponse:
    """One entry with all that it holds."""
    entry = get_object_or_404(Entry, pk=entry_id)
    context = {
        "entry": entry,
        "account": selectors.accounts_of([entry]).get(entry.actor_id or 0),
        "kind": name_of(entry.target_kind),
        "changes": changes_of(entry),
        "facts": facts_of(entry),
        "match": matches_of([entry.pk]).get(entry.pk),
        "is_platform_write": is_platform_write(entry),
        "link": selectors.link_of(entry),
        "others": AuditFilters(object=f"{entry.target_kind}:{entry.target_id}").query(),
    }
    return render(request, "tenant_settings/audit_entry.html", context)


@require_POST
@tenant_view(Role.ADMIN)
def audit_export(request: TenantRequest) -> HttpResponseBase:
    """Exactly the filtered entries as a file. A POST: that it was taken is written down (guarantee S8)."""
    filters = AuditFilters.read(request.GET)
    services.record_audit_export(filters.query(), member=request.membership)
    return csv_answer(lines_of(filters, request.tenant.pk, request.user.zone), "audit")
