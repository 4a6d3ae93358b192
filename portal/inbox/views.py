import logging
from math import ceil

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.db import Error as DatabaseFailure
from django.http import HttpRequest, HttpResponse, UnreadablePostError
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_GET, require_POST

from portal.audit.services import history
from portal.inbox import selectors, services
from portal.inbox.forms import ReplayForm, SecretForm
from portal.inbox.metrics import ACCEPTED, DUPLICATES, REJECTED
from portal.inbox.models import Delivery, DeliveryState, Endpoint
from portal.inbox.pages import webhooks_page
from portal.lib import enqueue
from portal.lib.clients import client_group
from portal.lib.sealed import Locked
from portal.page_refresh.services import is_unchanged
from portal.platform_api.webhooks import InvalidSignature
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role

PROCESS = "portal.inbox.tasks.process_deliveries"
RETRY_AFTER_SECONDS = 30
FINAL = (405, 410)
"""Never "try again later": the one is no delivery, the other tells the platform to stop."""


@csrf_exempt
@login_not_required
def receive(request: HttpRequest, endpoint_id: str, event_type: str = "") -> HttpResponse:
    """Keep one signed delivery and answer at once: the platform waits 15 seconds, the work may take longer."""
    if request.method != "POST":
        return _refuse(request, endpoint_id, 405, "method")
    try:
        if int(request.META.get("CONTENT_LENGTH") or 0) > services.MAX_BODY_BYTES:
            raise services.BodyTooLarge
        has_work = services.receive(endpoint_id, event_type, body=request.body, headers=_signed_headers(request))
    except services.UnknownEndpoint:
        return _refuse(request, endpoint_id, 404, "unknown address")
    except services.Disconnected:
        return _refuse(request, endpoint_id, 410, "disconnected")
    except services.BodyTooLarge:
        return _refuse(request, endpoint_id, 413, "too large")
    except (InvalidSignature, UnreadablePostError, ValueError) as error:
        words = str(error) if isinstance(error, InvalidSignature) else type(error).__name__
        return _refuse(request, endpoint_id, 400, "signature or form", words)
    except (DatabaseFailure, Locked) as error:
        services.floods.tell(f"a delivery could not be kept: {type(error).__name__}", level=logging.ERROR)
        REJECTED.labels("not stored").inc()
        return HttpResponse(status=503, headers={"Retry-After": str(RETRY_AFTER_SECONDS)})
    (ACCEPTED if has_work else DUPLICATES).inc()
    return HttpResponse(status=204)


def _signed_headers(request: HttpRequest) -> dict[str, str]:
    # These three only: to make a mapping of all headers takes longer than to check the signature.
    names = [f"{settings.WEBHOOK_HEADER_PREFIX}{part}" for part in ("id", "timestamp", "signature")]
    return {name: request.META.get(f"HTTP_{name.upper().replace('-', '_')}", "") for name in names}


def _refuse(request: HttpRequest, endpoint_id: str, status: int, reason: str, words: str = "") -> HttpResponse:
    wait = services.refuse(reason, words or reason, public_id=endpoint_id, address=client_group(request))
    if status in FINAL:
        return HttpResponse(status=status, headers={"Allow": "POST"} if status == 405 else None)
    return HttpResponse(status=429, headers={"Retry-After": str(ceil(wait))}) if wait else HttpResponse(status=status)


@require_GET
@tenant_view(Role.VIEWER)
def webhooks(request: TenantRequest) -> HttpResponse:
    """How the tenant's events come in. The feed polls this same address while it is open."""
    seen = selectors.feed_version()
    if request.htmx and is_unchanged(request, seen):
        return HttpResponse(status=204)
    template = "inbox/webhooks.html#feed" if request.htmx else "inbox/webhooks.html"
    return render(request, template, webhooks_page(request, seen))


@require_POST
@tenant_view(Role.ADMIN, asks_again=True)
def secret(request: TenantRequest, endpoint_id: int) -> HttpResponse:
    endpoint = get_object_or_404(Endpoint, pk=endpoint_id)
    form = SecretForm(request.POST, endpoint=endpoint)
    if not form.is_valid():
        return render(
            request, "inbox/webhooks.html", webhooks_page(request, selectors.feed_version(), refused=form), status=422
        )
    services.enter_secret(endpoint, form.cleaned_data["secret"], actor=request.user, keep_previous=form.keep_previous)
    messages.success(request, f"Secret saved: “{endpoint}” uses it now.")
    return redirect(f"{reverse('inbox:webhooks', args=[request.tenant.slug])}#endpoint-{endpoint.pk}")


@require_POST
@tenant_view(Role.ADMIN, asks_again=True)
def end_old_secret(request: TenantRequest, endpoint_id: int) -> HttpResponse:
    """End the overlap of two secrets before its date."""
    endpoint = get_object_or_404(Endpoint, pk=endpoint_id)
    if services.end_previous(endpoint, actor=request.user):
        messages.success(request, f"Old secret of “{endpoint}” revoked.")
    else:
        messages.info(request, f"The old secret of “{endpoint}” was already invalid.")
    return redirect("inbox:webhooks", slug=request.tenant.slug)


@require_GET
@tenant_view(Role.VIEWER)
def delivery(request: TenantRequest, delivery_id: int) -> HttpResponse:
    """One delivery: what came, what was made of it, and the way to handle it again."""
    row = get_object_or_404(Delivery.objects.select_related("endpoint"), pk=delivery_id)
    seen = selectors.feed_version()
    if request.htmx and is_unchanged(request, seen):
        return HttpResponse(status=204)
    template = "inbox/delivery.html#delivery" if request.htmx else "inbox/delivery.html"
    context = {
        "delivery": row,
        "chain": selectors.chain(row),
        "payload": selectors.pretty(bytes(row.body)),
        "history": history("delivery", str(row.pk)),
        "may_replay": request.membership.may(Role.ADMIN) and not row.is_cut,
        "may_dismiss": request.membership.may(Role.ADMIN) and row.state == DeliveryState.DEAD,
        "page_version": seen,
    }
    return render(request, template, context)


@require_POST
@tenant_view(Role.ADMIN)
def replay(request: TenantRequest, delivery_id: int) -> HttpResponse:
    row = get_object_or_404(Delivery, pk=delivery_id)
    try:
        services.replay(row, actor=request.user)
    except (services.BodyIsCut, services.TooManyReplays) as refusal:
        messages.error(request, str(refusal))
    else:
        enqueue.enqueue_on_commit(PROCESS, request.tenant.pk)
        messages.success(request, "Delivery queued for replay.")
    return redirect("inbox:delivery", slug=request.tenant.slug, delivery_id=row.pk)


@require_POST
@tenant_view(Role.ADMIN)
def dismiss(request: TenantRequest, delivery_id: int) -> HttpResponse:
    """Give up a delivery that fails in the same way each time."""
    row = get_object_or_404(Delivery, pk=delivery_id)
    if services.dismiss(row, actor=request.user):
        messages.success(request, "Dismissed. It no longer counts as failed.")
    else:
        messages.info(request, "Nothing to dismiss: this delivery is not marked as failed.")
    return redirect("inbox:delivery", slug=request.tenant.slug, delivery_id=row.pk)


@require_POST
@tenant_view(Role.ADMIN)
def replay_range(request: TenantRequest) -> HttpResponse:
    """Have the deliveries of a time handled again."""
    form = ReplayForm(request.POST, prefix="replay")
    if not form.is_valid():
        context = webhooks_page(request, selectors.feed_version()) | {"replay_form": form}
        return render(request, "inbox/webhooks.html", context, status=422)
    states = [form.cleaned_data["state"]] if form.cleaned_data["state"] else services.REPLAYABLE
    since, until = form.cleaned_data["since"], form.cleaned_data["until"]
    try:
        told = services.replay_range(since=since, until=until, states=states, actor=request.user)
    except services.TooManyReplays as refusal:
        form.add_error(None, str(refusal))
        context = webhooks_page(request, selectors.feed_version()) | {"replay_form": form}
        return render(request, "inbox/webhooks.html", context, status=429)
    return _replayed(request, *told)


@require_POST
@tenant_view(Role.ADMIN)
def replay_failed(request: TenantRequest) -> HttpResponse:
    """Have everything that failed for good handled again."""
    try:
        return _replayed(request, *services.replay_failed(actor=request.user))
    except services.TooManyReplays as refusal:
        messages.error(request, str(refusal))
        return redirect("inbox:webhooks", slug=request.tenant.slug)


def _replayed(request: TenantRequest, replayed: int, without_body: int) -> HttpResponse:
    enqueue.enqueue_on_commit(PROCESS, request.tenant.pk)
    messages.success(request, f"{replayed} deliver{'y' if replayed == 1 else 'ies'} queued for replay.")
    if without_body:
        messages.warning(request, f"{without_body} more cannot be replayed: their payloads are no longer kept.")
    return redirect("inbox:webhooks", slug=request.tenant.slug)
