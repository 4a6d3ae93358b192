"""What the pages of the desk have in common."""

from collections.abc import Callable, Iterable
from itertools import islice
from typing import Any

from django.contrib import messages
from django.db.models import Model
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone

from portal.page_refresh.services import area_version, is_unchanged, version_at
from portal.platform_api.errors import ValidationFailed
from portal.sync.readiness import readiness
from portal.tenants.access import TenantRequest
from portal.tenants.models import Role
from portal.trust_center import selectors
from portal.trust_center.forms import CategoryForm
from portal.trust_center.kinds import AREA
from portal.trust_center.linked_vendors import areas_of_vendors
from portal.trust_center.refusals import REFUSALS, Refusal, refusal_for
from portal.trust_center.services.writes import PUBLISHER
from portal.ui.platform_forms import PlatformForm

LIST = "list"
NAMED, MAX_NAMED = 8, 500


def page_version(request: TenantRequest) -> str:
    """Return the version of a page of the desk: whether a document has to be renewed changes at midnight, too."""
    return version_at(
        area_version(AREA, "connection", "sync", *areas_of_vendors()), request.get_full_path(), timezone.localdate().isoformat()
    )


def unchanged(request: TenantRequest) -> HttpResponse | None:
    """Return the answer to a page that asks whether anything is new, while nothing is."""
    return HttpResponse(status=204) if request.htmx and is_unchanged(request, page_version(request)) else None


def show_list(request: TenantRequest, template: str, kind: str, **context: Any) -> HttpResponse:
    """Draw one list of the desk, below its tabs; for htmx the rows alone."""
    whole = {
        "tabs": desk_tabs(request),
        "readiness": readiness(kind, needs_trust_center=True),
        "is_analyst": request.membership.may(Role.ANALYST),
        "is_publisher": request.membership.may(PUBLISHER),
        "is_admin": request.membership.may(Role.ADMIN),
        "page_version": page_version(request),
        **context,
    }
    return render(request, f"trust_center/{template}.html{f'#{LIST}' if request.htmx else ''}", whole)


def desk_tabs(request: TenantRequest) -> list[dict[str, Any]]:
    """Return the lists of the desk as tabs, each with how much it has."""
    numbers, current = selectors.figures(), request.resolver_match.view_name if request.resolver_match else ""
    progress = selectors.check_progress()
    checks = {
        "label": "To check",
        "url": reverse("trust_center:checks", args=[request.tenant.slug]),
        # None is said only once everything was looked at (guarantee R3).
        "count": progress.number if progress.number or progress.is_whole else None,
        "is_current": current == "trust_center:checks",
    }
    lists = [
        {
            "label": label,
            "url": reverse(name, args=[request.tenant.slug]),
            "count": numbers[name],
            "is_known": readiness(kind).is_known,
            "is_current": name == current,
        }
        for name, (label, _, kind) in selectors.PAGES.items()
    ]
    return [*lists, checks]


def row_to_edit[M: Model](request: TenantRequest, model: type[M], platform_id: str) -> M:
    """Return the row that a form changes.

    One that is gone meanwhile takes what was typed, too: it stays in the form while the platform is asked (guarantee W2).
    """
    rows = model._default_manager.all()
    if request.method != "POST":
        rows = rows.filter(gone_at=None)
    return get_object_or_404(rows, platform_id=platform_id)


def refusal_on(form: PlatformForm, error: Exception, *, slug: str) -> Refusal | None:
    """Return what stands above a form that was refused; None where it stands beside a field."""
    is_shown = isinstance(error, ValidationFailed) and form.show_objections(error)
    return None if is_shown else refusal_for(error, slug=slug)


def say_refusal(request: TenantRequest, error: Exception) -> None:
    """Say on the next page why nothing was done."""
    refusal = refusal_for(error, slug=request.tenant.slug)
    messages.warning(request, f"{refusal.title}. {refusal.text}")


def act_and_return(request: TenantRequest, url_name: str, said: str, act: Callable[[], object]) -> HttpResponse:
    """Do what a button of a list asks for, and say there what came of it."""
    try:
        act()
    except REFUSALS as error:
        say_refusal(request, error)
    else:
        messages.success(request, said)
    return redirect(url_name, slug=request.tenant.slug)


def name_and_return(request: TenantRequest, url_name: str, said: str, act: Callable[[str], object]) -> HttpResponse:
    """Do what a dialog of a list asks for with the name that was typed there."""
    form = CategoryForm(request.POST)
    if form.is_valid():
        return act_and_return(request, url_name, said, lambda: act(form.category_name))
    messages.warning(request, f"Nothing was saved. {' '.join(map(str, form.errors.get('name', ())))}")
    return redirect(url_name, slug=request.tenant.slug)


def told_context(people: Iterable[object], *, number: int) -> dict[str, Any]:
    """Return what the list of those who are told of an update shows: the first few, and on demand `MAX_NAMED` of them."""
    told = list(islice(people, MAX_NAMED))
    return {
        "number": number,
        "named": told[:NAMED],
        "everybody": told if number > NAMED else [],
        "more": max(number - NAMED, 0),
        "unnamed": max(number - MAX_NAMED, 0),
    }
