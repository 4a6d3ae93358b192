"""What the pages of the desk have in common."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone

from portal.engagements.kinds import AREA, ENGAGEMENT
from portal.engagements.models import EngagementControl, EvidenceItem, InformationRequest
from portal.engagements.refusals import REFUSALS, refusal_for
from portal.engagements.services.coverage import covers_audits
from portal.engagements.services.downloads import File
from portal.engagements.services.writes import DECIDER
from portal.lib.fetched_files import file_to_save
from portal.page_refresh.services import area_version, is_unchanged, version_at
from portal.sync.readiness import readiness
from portal.tenants.access import TenantRequest
from portal.tenants.models import Role

AREAS = (AREA, "connection", "sync")
PAGE_OF: dict[type[Any], str] = {InformationRequest: "request", EvidenceItem: "evidence_item", EngagementControl: "control"}


def page_version(request: TenantRequest, page_url: str = "") -> str:
    """Return the version of a page of the desk: where an audit is in its window changes with the day, too.

    `page_url`: of the page, where it is drawn at another address.
    """
    return version_at(area_version(*AREAS), page_url or request.get_full_path(), timezone.localdate().isoformat())


def unchanged(request: TenantRequest) -> HttpResponse | None:
    """Return the answer to a page that asks whether anything is new, while nothing is."""
    return HttpResponse(status=204) if request.htmx and is_unchanged(request, page_version(request)) else None


def show(request: TenantRequest, template: str, *, fragment: str, status: int = 200, **context: Any) -> HttpResponse:
    """Draw a page of the desk; for htmx the fragment that polls alone."""
    whole = {
        "readiness": readiness(ENGAGEMENT),
        "is_covered": covers_audits(),
        "is_analyst": request.membership.may(Role.ANALYST),
        "is_decider": request.membership.may(DECIDER),
        "page_version": page_version(request),
        **context,
    }
    return render(request, f"engagements/{template}.html{f'#{fragment}' if request.htmx else ''}", whole, status=status)


def row_of(model: type[Any], audit_id: str, object_id: str) -> Any:
    """Return one object of an audit. Raises Http404."""
    rows = model._default_manager.select_related("engagement")
    return get_object_or_404(rows, engagement__platform_id=audit_id, platform_id=object_id)


def act_and_return(request: TenantRequest, row: Any, said: str, act: Callable[[], object]) -> HttpResponse:
    """Do something with an object of an audit, and return to its page, which says what became of it."""
    try:
        act()
    except REFUSALS as error:
        messages.warning(request, error_message(request, error))
    else:
        messages.success(request, said)
    return back_to(request, row)


def error_message(request: TenantRequest, error: Exception) -> str:
    """Say why nothing was done."""
    refusal = refusal_for(error, slug=request.tenant.slug, email=request.membership.user.email)
    return f"{refusal.title}. {refusal.text}"


def address_of(request: TenantRequest, row: Any) -> str:
    """Return the address of the page of one object of an audit."""
    args = [request.tenant.slug, row.engagement.platform_id, row.platform_id]
    return reverse(f"engagements:{PAGE_OF[type(row)]}", args=args)


def back_to(request: TenantRequest, row: Any) -> HttpResponse:
    return redirect(address_of(request, row))


def send_file(request: TenantRequest, row: Any, fetch: Callable[[], File]) -> HttpResponseBase:
    """Give a file on, or return to the page that says why there is none."""
    try:
        file = fetch()
    except REFUSALS as error:
        messages.warning(request, error_message(request, error))
        return back_to(request, row)
    return file_to_save(file.content, file.name)
