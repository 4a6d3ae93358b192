"""What the pages of the desk have in common."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone

from portal.page_refresh.services import area_version, is_unchanged, version_at
from portal.risks.kinds import AREA
from portal.risks.refusals import refusal_for
from portal.risks.services.writes import EDITOR
from portal.sync.readiness import readiness
from portal.tenants.access import TenantRequest
from portal.trust_center.kinds import AREA as CONTROLS_AREA

HOUR_OF_DAY = "%Y-%m-%d %H"


def page_version(request: TenantRequest) -> str:
    """Return the version of a page of the desk: controls are named on it, and an issue becomes overdue with time."""
    now = timezone.localtime().strftime(HOUR_OF_DAY)
    return version_at(area_version(AREA, CONTROLS_AREA, "connection", "sync"), request.get_full_path(), now)


def unchanged(request: TenantRequest) -> HttpResponse | None:
    """Return the answer to a page that asks whether anything is new, while nothing is."""
    return HttpResponse(status=204) if request.htmx and is_unchanged(request, page_version(request)) else None


def show(request: TenantRequest, template: str, kind: str, *, fragment: str, **context: Any) -> HttpResponse:
    """Draw a page of the desk; for htmx the fragment that polls alone."""
    whole = {
        "readiness": readiness(kind),
        "is_editor": request.membership.may(EDITOR),
        "page_version": page_version(request),
        **context,
    }
    return render(request, f"risks/{template}.html{f'#{fragment}' if request.htmx else ''}", whole)


def say_refusal(request: TenantRequest, error: Exception) -> None:
    """Say on the next page why nothing was done."""
    refusal = refusal_for(error, slug=request.tenant.slug)
    messages.warning(request, f"{refusal.title}. {refusal.text}")
