"""What the pages of the desk have in common."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone

from portal.page_refresh.services import area_version, is_unchanged, version_at
from portal.sync.readiness import readiness
from portal.tenants.access import TenantRequest
from portal.tenants.models import Role
from portal.trust_center.kinds import AREA as TRUST_CENTER
from portal.vendors.kinds import AREA, VENDOR
from portal.vendors.refusals import refusal_for
from portal.vendors.services.writes import DECIDER

AREAS = (AREA, TRUST_CENTER, "connection", "sync")


def page_version(request: TenantRequest) -> str:
    """Return the version of a page of the desk: whether a review is overdue changes with the day, too."""
    return version_at(area_version(*AREAS), request.get_full_path(), timezone.localdate().isoformat())


def unchanged(request: TenantRequest) -> HttpResponse | None:
    """Return the answer to a page that asks whether anything is new, while nothing is."""
    return HttpResponse(status=204) if request.htmx and is_unchanged(request, page_version(request)) else None


def show(request: TenantRequest, template: str, *, fragment: str, **context: Any) -> HttpResponse:
    """Draw a page of the desk; for htmx the fragment that polls alone."""
    whole = {
        "readiness": readiness(VENDOR),
        "is_analyst": request.membership.may(Role.ANALYST),
        "is_decider": request.membership.may(DECIDER),
        "page_version": page_version(request),
        **context,
    }
    return render(request, f"vendors/{template}.html{f'#{fragment}' if request.htmx else ''}", whole)


def say_refusal(request: TenantRequest, error: Exception) -> None:
    """Say on the next page why nothing was done."""
    refusal = refusal_for(error, slug=request.tenant.slug)
    messages.warning(request, f"{refusal.title}. {refusal.text}")
