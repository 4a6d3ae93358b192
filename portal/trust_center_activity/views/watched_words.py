from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_POST

from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role
from portal.trust_center_activity import services
from portal.trust_center_activity.forms import WordForm
from portal.trust_center_activity.models import WatchedWord
from portal.trust_center_activity.views.overview import show_overview

TOLD = "We'll notify you as set under Notifications."


@require_POST
@tenant_view(Role.ANALYST)
def watch(request: TenantRequest) -> HttpResponse:
    """Watch a word from now on."""
    form = WordForm(request.POST)
    if not form.is_valid():
        return show_overview(request, word_form=form, status=422)
    try:
        word, is_new = services.watch(form.cleaned_data["text"], member=request.membership)
    except services.TooManyWords:
        form.add_error("text", "This tenant has reached the limit of watched words. Remove one first.")
        return show_overview(request, word_form=form, status=422)
    watched = f"Watching “{word}”." if is_new else f"“{word}” is already watched."
    messages.success(request, f"{watched} {TOLD}")
    return back(request)


@require_POST
@tenant_view(Role.ANALYST)
def unwatch(request: TenantRequest, word_id: int) -> HttpResponse:
    word = get_object_or_404(WatchedWord, pk=word_id)
    services.unwatch(word, member=request.membership)
    messages.success(request, f"No longer watching “{word}”.")
    return back(request)


@require_POST
@tenant_view(Role.ANALYST)
def follow(request: TenantRequest, word_id: int) -> HttpResponse:
    word = get_object_or_404(WatchedWord, pk=word_id)
    try:
        services.follow(word, member=request.membership)
    except services.WordGone:
        messages.error(request, f"“{word}” is no longer watched.")
    else:
        messages.success(request, f"Following “{word}”. {TOLD}")
    return back(request)


@require_POST
@tenant_view(Role.ANALYST)
def unfollow(request: TenantRequest, word_id: int) -> HttpResponse:
    word = get_object_or_404(WatchedWord, pk=word_id)
    services.unfollow(word, member=request.membership)
    messages.success(request, f"No longer following “{word}”.")
    return back(request)


@require_POST
@tenant_view(Role.ANALYST)
def mark_seen(request: TenantRequest, word_id: int) -> HttpResponse:
    word = get_object_or_404(WatchedWord, pk=word_id)
    services.mark_seen(word, member=request.membership)
    return back(request)


def back(request: TenantRequest) -> HttpResponse:
    return redirect("trust_center_activity:overview", slug=request.tenant.slug)
