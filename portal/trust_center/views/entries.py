"""Pages that add and change a subprocessor or a compliance framework: the same views, told by the address which of them."""

from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST

from portal.lib.fetched_files import safe_file_name
from portal.sync.readiness import readiness
from portal.tenants.access import TenantRequest, tenant_view
from portal.trust_center import selectors, services
from portal.trust_center.entry_forms import BadgeForm, EntryForm, FrameworkForm, SubprocessorForm
from portal.trust_center.models import Framework
from portal.trust_center.refusals import REFUSALS, Refusal, refusal_for
from portal.trust_center.services import Family
from portal.trust_center.services.writes import PUBLISHER
from portal.trust_center.views.rendering import refusal_on, row_to_edit, say_refusal


@dataclass(frozen=True)
class Place:
    """Where entries of one family stand: their form, the list, and the names of their addresses."""

    family: Family
    form: type[EntryForm]
    list_name: str
    list_label: str
    suffix: str

    def url(self, request: TenantRequest, verb: str, *args: str) -> str:
        return reverse(f"trust_center:{verb}_{self.suffix}", args=[request.tenant.slug, *args])


SUBPROCESSOR = Place(services.SUBPROCESSORS, SubprocessorForm, "trust_center:subprocessors", "Subprocessors", "subprocessor")
FRAMEWORK = Place(services.FRAMEWORKS, FrameworkForm, "trust_center:frameworks", "Compliance frameworks", "framework")


@require_http_methods(["GET", "HEAD", "POST"])
@tenant_view(PUBLISHER)
def new_entry(request: TenantRequest, place: Place) -> HttpResponse:
    """Add an entry. What was refused is said on the page, with everything that was typed."""
    form = place.form(request.POST if request.method == "POST" else None)
    if not form.is_valid():
        return _show(request, place, form)
    try:
        added = services.add_entry(place.family, form.values, member=request.membership)
    except REFUSALS as error:
        return _show(request, place, form, refusal=refusal_on(form, error, slug=request.tenant.slug))
    messages.success(request, f"Added to the Trust Center: {added}")
    return redirect(place.list_name, slug=request.tenant.slug)


@require_http_methods(["GET", "HEAD", "POST"])
@tenant_view(PUBLISHER)
def edit_entry(request: TenantRequest, platform_id: str, place: Place) -> HttpResponse:
    """Change an entry. What was refused is said on the page, with everything that was typed."""
    row = row_to_edit(request, place.family.model, platform_id)
    form = place.form(request.POST if request.method == "POST" else None, row=row)
    if not form.is_valid():
        return _show(request, place, form, row=row)
    if not set(form.changed_data) - {"seen"}:
        messages.info(request, "No changes, so nothing was sent.")
        return redirect(place.list_name, slug=request.tenant.slug)
    try:
        services.change_entry(place.family, row, form.values, seen=form.cleaned_data["seen"], member=request.membership)
    except services.ChangedMeanwhile as error:
        return _show_changed(request, place, row, refusal_for(error, slug=request.tenant.slug))
    except REFUSALS as error:
        return _show(request, place, form, row=row, refusal=refusal_on(form, error, slug=request.tenant.slug))
    messages.success(request, f"Saved on the platform: {row}")
    return redirect(place.list_name, slug=request.tenant.slug)


@require_POST
@tenant_view(PUBLISHER)
def delete_entry(request: TenantRequest, platform_id: str, place: Place) -> HttpResponse:
    row = get_object_or_404(place.family.model.objects.present(), platform_id=platform_id)
    try:
        services.delete_entry(place.family, row, member=request.membership)
    except REFUSALS as error:
        say_refusal(request, error)
        return redirect(place.url(request, "edit", platform_id))
    messages.success(request, f"Deleted from the Trust Center: {row}")
    return redirect(place.list_name, slug=request.tenant.slug)


@require_POST
@tenant_view(PUBLISHER)
def set_badge(request: TenantRequest, platform_id: str) -> HttpResponse:
    """Give a framework a badge of its own."""
    row = get_object_or_404(Framework.objects.present(), platform_id=platform_id)
    form = BadgeForm(request.POST, request.FILES)
    if not form.is_valid():
        messages.warning(request, f"Nothing was uploaded. {' '.join(map(str, form.errors.get('file', ())))}")
    else:
        file = form.cleaned_data["file"]
        try:
            services.set_badge(row, file, safe_file_name(file.name or "", str(row)), member=request.membership)
        except REFUSALS as error:
            say_refusal(request, error)
        else:
            messages.success(request, f"Badge uploaded: {row}")
    return redirect(FRAMEWORK.url(request, "edit", platform_id))


def _show_changed(request: TenantRequest, place: Place, row: Any, refusal: Refusal) -> HttpResponse:
    """Show what somebody else has made of an entry above what the person typed; saved again, that replaces it."""
    row.refresh_from_db()
    data = request.POST.copy()
    data["seen"] = place.family.version(row)
    now = [(place.form.base_fields[name].label, text) for name, text in place.family.said(row).items() if text]
    return _show(request, place, place.form(data, row=row), row=row, refusal=refusal, now=now)


def _show(
    request: TenantRequest,
    place: Place,
    form: EntryForm,
    *,
    row: Any = None,
    refusal: Refusal | None = None,
    now: list[tuple[Any, str]] | None = None,
) -> HttpResponse:
    context = {
        "form": form,
        "row": row,
        "place": place,
        "refusal": refusal,
        "now": now,
        "list_url": reverse(place.list_name, args=[request.tenant.slug]),
        "delete_url": place.url(request, "delete", row.platform_id) if row else "",
        "events": selectors.events_of(place.family.kind, row.platform_id) if row else [],
        "badge_form": BadgeForm() if row and place is FRAMEWORK else None,
        "is_connected": readiness(place.family.kind).is_connected,
    }
    return render(request, "trust_center/entry_form.html", context, status=422 if form.is_bound else 200)
