from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.formats import date_format
from django.views.decorators.http import require_http_methods, require_POST

from portal.lib.row_keys import row_key
from portal.library import services
from portal.library.coverage_pages import entry_of_gap
from portal.library.entry_pages import initial_for_copy
from portal.library.forms import EntryForm, ReviewForm
from portal.library.models import Entry, Gap
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role
from portal.users.dates import in_form


@require_http_methods(["GET", "HEAD", "POST"])
@tenant_view(Role.ANALYST)
def new(request: TenantRequest) -> HttpResponse:
    gap = gap_named(request.GET.get("gap", ""))
    copied = entry_named(request.GET.get("copy", ""))
    begun = entry_of_gap(gap, request.tenant.slug) if gap else initial_for_copy(copied) if copied else None
    form = EntryForm(request.POST or None, member=request.membership, begun=begun)
    if request.method == "POST" and form.is_valid():
        added = services.add_entry(form.content, member=request.membership, review_on=form.review_day)
        messages.success(request, "Added to the library.")
        return redirect("library:entry", slug=request.tenant.slug, entry_id=added.pk)
    return show_form(request, form)


@require_http_methods(["GET", "HEAD", "POST"])
@tenant_view(Role.ANALYST)
def edit(request: TenantRequest, entry_id: int) -> HttpResponse:
    """Change an entry. When somebody was faster, both are shown and nothing is stored."""
    if request.method == "POST" and not is_there(entry_id):
        return show_gone(request)
    found = get_object_or_404(Entry.objects.own().select_related("owner"), pk=entry_id)
    form = EntryForm(request.POST or None, member=request.membership, entry=found)
    if request.method != "POST" or not form.is_valid():
        # A form that was refused keeps what it was drawn with: whether somebody was faster shows when it is stored.
        return show_form(request, form, entry=found, seen=request.POST.get("seen", found.version))
    try:
        services.change_entry(
            found, form.content, review_on=form.review_day, member=request.membership, seen=request.POST.get("seen", "")
        )
    except services.Gone:
        return show_gone(request)
    except services.ChangedMeanwhile as conflict:
        # The form comes again with what was typed and the present version: sending it then means it.
        form.entry = conflict.entry
        return show_form(request, form, entry=found, seen=conflict.entry.version, conflict=form.differences())
    messages.success(request, "Entry saved.")
    return redirect("library:entry", slug=request.tenant.slug, entry_id=entry_id)


def show_gone(request: TenantRequest) -> HttpResponse:
    """Offer to add what was typed into an entry that is gone meanwhile as a new one: nobody's text is lost (guarantee W2)."""
    return show_form(request, EntryForm(request.POST, member=request.membership), is_gone=True)


def is_there(entry_id: int) -> bool:
    return Entry.objects.filter(pk=entry_id).exists()


def gap_named(key: str) -> Gap | None:
    """Return the question without an entry that somebody writes one for."""
    return Gap.objects.filter(pk=row_key(key)).first()


def entry_named(key: str) -> Entry | None:
    """Return the answer of the platform's library that somebody makes an entry of."""
    return Entry.objects.mirrored().filter(pk=row_key(key)).first()


def show_form(request: TenantRequest, form: EntryForm, **context: Any) -> HttpResponse:
    return render(request, "library/form.html", {"form": form, **context}, status=422 if form.is_bound else 200)


@require_POST
@tenant_view(Role.ANALYST)
def verify(request: TenantRequest, entry_id: int) -> HttpResponse:
    """Say that an entry is still true."""
    if not is_there(entry_id):
        return say_gone(request, "Not verified.", services.Gone())
    found = get_object_or_404(Entry.objects.own(), pk=entry_id)
    form = ReviewForm(request.POST, entry=found)
    if not form.is_valid():
        messages.warning(request, f"Nothing was saved. {' '.join(map(str, form.errors.get('review_on', ())))}")
        return redirect("library:entry", slug=request.tenant.slug, entry_id=entry_id)
    try:
        say_verified(request, found, form)
    except services.Gone as error:
        return say_gone(request, "Not verified.", error)
    return redirect("library:entry", slug=request.tenant.slug, entry_id=entry_id)


def say_verified(request: TenantRequest, found: Entry, form: ReviewForm) -> None:
    review_on, seen = form.cleaned_data["review_on"], form.cleaned_data["seen"]
    try:
        verified = services.verify_entry(found, review_on=review_on, member=request.membership, seen=seen)
    except services.ChangedMeanwhile:
        messages.warning(request, "Not verified: someone changed this entry in the meantime. This is what it says now.")
        return
    until = f" Next review by {date_format(review_on, in_form('j M Y'))}." if review_on else ""
    ends = " It no longer expires." if found.expires_on and not verified.expires_on else ""
    messages.success(request, f"Verified.{until}{ends}")


@require_POST
@tenant_view(Role.ANALYST)
def delete(request: TenantRequest, entry_id: int) -> HttpResponse:
    if not is_there(entry_id):
        return say_gone(request, "Not deleted.", services.Gone())
    found = get_object_or_404(Entry.objects.own(), pk=entry_id)
    try:
        services.delete_entry(found, member=request.membership)
    except services.Gone as error:
        return say_gone(request, "Not deleted.", error)
    messages.success(request, "Deleted from the library.")
    return redirect("library:list", slug=request.tenant.slug)


def say_gone(request: TenantRequest, outcome: str, gone: services.Gone) -> HttpResponse:
    """Go back to the list, which has the entry no more."""
    messages.warning(request, f"{outcome} {gone}")
    return redirect("library:list", slug=request.tenant.slug)
