"""What the pages of the desk have in common."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render

from portal.controls.kinds import AREA
from portal.page_refresh.services import area_version, is_unchanged, version_at
from portal.sync.readiness import readiness
from portal.tenants.access import TenantRequest
from portal.trust_center.kinds import AREA as IN_USE_AREA


def page_version(request: TenantRequest) -> str:
    """Return the version of a page of the desk. The copy of the controls in use is kept with the Trust Center's content."""
    return version_at(area_version(AREA, IN_USE_AREA, "connection", "sync"), request.get_full_path())


def unchanged(request: TenantRequest) -> HttpResponse | None:
    """Return the answer to a page that asks whether anything is new, while nothing is."""
    return HttpResponse(status=204) if request.htmx and is_unchanged(request, page_version(request)) else None


def show(request: TenantRequest, template: str, *kinds: str, fragment: str, **context: Any) -> HttpResponse:
    """Draw a page of the desk; for htmx the fragment that polls alone."""
    whole = {"readiness": readiness(*kinds), "page_version": page_version(request), **context}
    return render(request, f"controls/{template}.html{f'#{fragment}' if request.htmx else ''}", whole)
