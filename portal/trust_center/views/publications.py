"""Publishing an update: written, looked at together with who is told of it, and scheduled."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from portal.lib.row_keys import row_key
from portal.platform_writes.bulk import AnotherOnItsWay
from portal.platform_writes.models import ItemState
from portal.platform_writes.run_pages import say_tried_again
from portal.sync.readiness import readiness
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role
from portal.trust_center import services
from portal.trust_center.filters import BY_ADDRESS
from portal.trust_center.kinds import SUBSCRIBER, UPDATE
from portal.trust_center.models import Publication, Update, Verb
from portal.trust_center.models.publications import is_scheduled, item_of
from portal.trust_center.models.updates import category_label
from portal.trust_center.refusals import REFUSALS, Refusal
from portal.trust_center.search_hits import update_url
from portal.trust_center.services import UpdateText
from portal.trust_center.services.writes import PUBLISHER
from portal.trust_center.update_forms import AudienceForm, NewUpdateForm, TellForm, text_of
from portal.trust_center.views.rendering import MAX_NAMED, page_version, refusal_on, say_refusal, told_context, unchanged

WRITE, PUBLISH = "write", "publish"
"""What the buttons below a preview send; without either the preview is shown."""


@require_http_methods(["GET", "HEAD", "POST"])
@tenant_view(PUBLISHER)
def new_update(request: TenantRequest) -> HttpResponse:
    """Write an update, look at it, publish it. What was refused is said on the page, with everything that was typed."""
    step = request.POST.get("step", "")
    form = NewUpdateForm(request.POST if request.method == "POST" else None, again=undone(request))
    if request.method != "POST" or step == WRITE or not form.is_valid():
        return show_form(request, form, is_refused=form.is_bound and step != WRITE)
    if step != PUBLISH:
        return preview(request, form, form.update_text)
    try:
        publication = services.publish(form.update_text, form.audience, member=request.membership)
    except REFUSALS as error:
        return show_form(request, form, refusal=refusal_on(form, error, slug=request.tenant.slug), is_refused=True)
    return redirect("trust_center:publication", slug=request.tenant.slug, key=publication.pk)


@require_http_methods(["GET", "HEAD", "POST"])
@tenant_view(PUBLISHER)
def tell(request: TenantRequest, platform_id: str) -> HttpResponse:
    """Choose who is told of an update, look at it, have it sent. What was refused is said on the page."""
    update, step = get_object_or_404(Update.objects.present(), platform_id=platform_id), request.POST.get("step", "")
    form = TellForm(request.POST if request.method == "POST" else None)
    if request.method != "POST" or step == WRITE or not form.is_valid():
        return show_form(request, form, update=update, is_refused=form.is_bound and step != WRITE)
    if step != PUBLISH:
        return preview(request, form, text_of(update), update=update)
    try:
        publication = services.tell(update, form.audience, member=request.membership)
    except REFUSALS as error:
        refusal = refusal_on(form, error, slug=request.tenant.slug)
        return show_form(request, form, update=update, refusal=refusal, is_refused=True)
    return redirect("trust_center:publication", slug=request.tenant.slug, key=publication.pk)


def undone(request: TenantRequest) -> Publication | None:
    """Return what is to be written again: one that was undone, or that did not work out."""
    ended = Publication.objects.filter(verb=Verb.PUBLISH, update_id="").exclude(finished_at=None)
    return ended.filter(pk=row_key(request.GET.get("again", ""))).first()


def show_form(
    request: TenantRequest,
    form: AudienceForm,
    *,
    update: Update | None = None,
    refusal: Refusal | None = None,
    is_refused: bool,
) -> HttpResponse:
    context = {"form": form, "update": update, "refusal": refusal, "is_connected": readiness(UPDATE).is_connected}
    return render(request, "trust_center/new_update.html", context, status=422 if is_refused else 200)


def preview(request: TenantRequest, form: AudienceForm, text: UpdateText, *, update: Update | None = None) -> HttpResponse:
    """Show the update as visitors read it, and everybody who is told of it."""
    people = form.audience.subscribers().order_by(*BY_ADDRESS)
    context: dict[str, Any] = {
        "update": update,
        "text": text,
        "fields": [(name, value) for name in form.fields for value in request.POST.getlist(name)],
        "category": category_label(text.category),
        **told_context(people.only("email")[:MAX_NAMED], number=people.count()),
        "unconfirmed": people.filter(is_verified=False).count(),
        "readiness": readiness(SUBSCRIBER, needs_trust_center=True),
    }
    return render(request, "trust_center/update_preview.html", context)


@require_GET
@tenant_view(Role.VIEWER)
def publication(request: TenantRequest, key: int) -> HttpResponse:
    """What becomes of an update that is being published. Polls this same address while it is open."""
    found = get_object_or_404(Publication, pk=key)
    if answer := unchanged(request):
        return answer
    item = item_of(found)
    context = {
        "publication": found,
        "item": item,
        "is_sent": bool(item and item.state == ItemState.DONE),
        "is_scheduled": is_scheduled(found, item),
        "update_url": update_url(request.tenant.slug, found.update_id) if found.update_id else "",
        "is_publisher": request.membership.may(PUBLISHER),
        "page_version": page_version(request),
    }
    return render(request, f"trust_center/publication.html{'#publication' if request.htmx else ''}", context)


@require_POST
@tenant_view(PUBLISHER)
def undo_publication(request: TenantRequest, key: int) -> HttpResponse:
    found = get_object_or_404(Publication, pk=key)
    try:
        services.undo_publication(found, member=request.membership)
    except services.TooLate:
        messages.warning(request, "Too late to undo: the update was already sent, or has ended.")
    else:
        messages.success(request, "Undone. Nothing was sent.")
    return redirect("trust_center:publication", slug=request.tenant.slug, key=key)


@require_POST
@tenant_view(PUBLISHER)
def retry_publication(request: TenantRequest, key: int) -> HttpResponse:
    found = get_object_or_404(Publication, pk=key)
    try:
        say_tried_again(request, found, services.retry_publication(found, member=request.membership))
    except AnotherOnItsWay as error:
        say_refusal(request, error)
    return redirect("trust_center:publication", slug=request.tenant.slug, key=key)
