"""Changing viewers, be it one or many: what is asked first, how far it is, what was not changed and why."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.views.decorators.http import require_GET, require_POST

from portal.access_requests import services
from portal.access_requests.models import Viewer, ViewerItem, ViewerQuerySet, ViewerRun
from portal.access_requests.viewer_filters import ViewerFilters
from portal.access_requests.viewer_forms import FORMS, TITLES, KeepForm, ViewerForm, form_for
from portal.access_requests.viewer_review import ReviewFilters
from portal.lib.counted import counted
from portal.lib.row_keys import row_keys
from portal.page_refresh.services import area_version, is_unchanged, version_at
from portal.platform_writes.models import MAX_ITEMS
from portal.platform_writes.run_pages import run_context, say_tried_again
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role
from portal.users.dates import in_form

NAMED = 5
type Filters = ViewerFilters | ReviewFilters


@require_POST
@tenant_view(Role.APPROVER)
def start_viewers(request: TenantRequest) -> HttpResponse:
    """Ask what belongs to the chosen verb and say what will happen; once that is confirmed, begin."""
    return begin(request, ViewerFilters.read(request.GET), back="access_requests:viewers")


def begin(request: TenantRequest, filters: Filters, *, back: str) -> HttpResponse:
    verb, address = request.POST.get("action", ""), reverse(back, args=[request.tenant.slug]) + filters.query()
    keys = chosen(request, filters)
    if verb not in FORMS or not keys:
        messages.warning(request, "No one is selected, so nothing was changed.")
        return redirect(address)
    is_confirmed = "confirmed" in request.POST
    form = form_for(verb, request.POST if is_confirmed else None, Viewer.objects.filter(pk__in=keys[:MAX_ITEMS]))
    if not is_confirmed or not form.is_valid():
        return ask(request, form, keys, address=address, status=422 if is_confirmed else 200)
    try:
        if isinstance(form, KeepForm):
            word = form.cleaned_data["word"]
            number = services.keep_viewers(keys[:MAX_ITEMS], until=form.until, word=word, member=request.membership)
            until = date_format(timezone.localtime(form.until), in_form("j M Y"))
            messages.success(request, f"{counted(number, 'person', 'people')} left out of the review until {until}.")
            return redirect(address)
        run = services.start_viewer_run(form.change(), member=request.membership, viewers=keys)
    except services.NotPossible as refusal:
        return ask(request, form, keys, address=address, refusal=str(refusal), status=422)
    if len(keys) > 1:
        return redirect("access_requests:viewer_run", slug=request.tenant.slug, run_id=run.pk)
    # One viewer's page tells by itself what becomes of it.
    one = reverse("access_requests:viewer", args=[request.tenant.slug, Viewer.objects.get(pk=keys[0]).platform_id])
    return redirect(one + filters.query())


def chosen(request: TenantRequest, filters: Filters) -> list[int]:
    """The keys of the ticked rows, or of everything that the filters show; one more than a run takes tells of too many."""
    if "all" in request.POST:
        rows = filters.rows(now=timezone.now())
    else:
        rows = Viewer.objects.filter(pk__in=row_keys(request.POST.getlist("chosen")[: MAX_ITEMS + 1]))
    return list(rows.present().order_by(*filters.order_by).values_list("pk", flat=True)[: MAX_ITEMS + 1])


def ask(
    request: TenantRequest, form: ViewerForm, keys: list[int], *, address: str, refusal: str = "", status: int = 200
) -> HttpResponse:
    """Ask for what belongs to the verb. The selection travels with the form."""
    context: dict[str, Any] = {
        "form": form,
        "verb": form.verb,
        "title": TITLES[form.verb],
        "count": len(keys),
        "is_too_many": len(keys) > MAX_ITEMS,
        "most": MAX_ITEMS,
        "is_all": "all" in request.POST,
        "chosen": [] if "all" in request.POST else keys,
        "names": names_of(keys[:NAMED]),
        "everybody": names_of(keys[:MAX_ITEMS]) if len(keys) > NAMED else (),
        "more": max(len(keys) - NAMED, 0),
        "action_url": request.get_full_path(),
        "back": address,
        "refusal": refusal,
    }
    return render(request, "access_requests/viewers_ask.html", context, status=status)


def names_of(keys: list[int]) -> ViewerQuerySet:
    return Viewer.objects.filter(pk__in=keys).only("name", "email").order_by("expires_sort", "id")


@require_GET
@tenant_view(Role.VIEWER)
def viewer_run(request: TenantRequest, run_id: int) -> HttpResponse:
    """How far a change of viewers is, what was not changed and why. Polls this same address while it is open."""
    run = get_object_or_404(ViewerRun, pk=run_id)
    seen = version_at(area_version("access_requests"), request.get_full_path(), "run")
    if request.htmx and is_unchanged(request, seen):
        return HttpResponse(status=204)
    items = ViewerItem.objects.filter(run=run).select_related("viewer", "run").defer("viewer__payload", "viewer__search")
    context = run_context(request, items) | {
        "run": run,
        "is_approver": request.membership.may(Role.APPROVER),
        "page_version": seen,
    }
    return render(request, f"access_requests/viewer_run.html{'#run' if request.htmx else ''}", context)


@require_POST
@tenant_view(Role.APPROVER)
def retry_viewers(request: TenantRequest, run_id: int) -> HttpResponse:
    run = get_object_or_404(ViewerRun, pk=run_id)
    number = services.retry_viewer_run(run, member=request.membership)
    say_tried_again(request, run, number)
    return redirect("access_requests:viewer_run", slug=request.tenant.slug, run_id=run_id)
