"""What the pages of the desk have in common."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse

from portal.page_refresh.services import area_version, is_unchanged, version_at
from portal.people import selectors
from portal.people.kinds import AREA
from portal.people.refusals import refusal_for
from portal.people.services.writes import EDITOR
from portal.sync.readiness import readiness
from portal.tenants.access import TenantRequest
from portal.tenants.models import Role


def page_version(request: TenantRequest) -> str:
    """Return the version of a page of the desk."""
    return version_at(area_version(AREA, "connection", "sync"), request.get_full_path())


def unchanged(request: TenantRequest) -> HttpResponse | None:
    """Return the answer to a page that asks whether anything is new, while nothing is."""
    return HttpResponse(status=204) if request.htmx and is_unchanged(request, page_version(request)) else None


def show(request: TenantRequest, template: str, kind: str, *, fragment: str, **context: Any) -> HttpResponse:
    """Draw a page of the desk; for htmx the fragment that polls alone."""
    whole = {
        "readiness": readiness(kind),
        "is_analyst": request.membership.may(Role.ANALYST),
        "is_editor": request.membership.may(EDITOR),
        "page_version": page_version(request),
        **context,
    }
    return render(request, f"people/{template}.html{f'#{fragment}' if request.htmx else ''}", whole)


def desk_tabs(request: TenantRequest) -> list[dict[str, Any]]:
    """Return the lists of the desk as tabs, each with how much it has."""
    numbers, current = selectors.figures(), request.resolver_match.view_name if request.resolver_match else ""
    return [
        {
            "label": label,
            "url": reverse(name, args=[request.tenant.slug]),
            "count": numbers[name],
            "is_current": name == current,
        }
        for name, (label, _) in selectors.PAGES.items()
    ]


def say_refusal(request: TenantRequest, error: Exception) -> None:
    """Say on the next page why nothing was done."""
    refusal = refusal_for(error, slug=request.tenant.slug)
    messages.warning(request, f"{refusal.title}. {refusal.text}")
