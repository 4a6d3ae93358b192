import json

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_GET, require_POST

from portal.language_model import services
from portal.language_model.models import AREA, ModelCall, ModelSwitch
from portal.language_model.selectors import has_model, tokens_left, tokens_used
from portal.lib.keyset import keyset_page
from portal.page_refresh.services import area_version, is_unchanged, version_at
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role


@require_GET
@tenant_view(Role.ADMIN)
def overview(request: TenantRequest) -> HttpResponse:
    """Whether the model is used, what it may use, and each call. Polls this same address while it is open."""
    seen = version_at(area_version(AREA), request.get_full_path(), "calls")
    if request.htmx and is_unchanged(request, seen):
        return HttpResponse(status=204)
    page = keyset_page(ModelCall.objects.defer("sent", "answered"), order_by=("-id",), cursor=request.GET.get("cursor"))
    context = {
        "model": settings.LANGUAGE_MODEL,
        "chosen": ModelSwitch.objects.first(),
        "used": tokens_used(),
        "left": tokens_left(),
        "page": page,
        "may_switch": request.membership.may(Role.OWNER),
        "page_version": seen,
    }
    return render(request, f"language_model/overview.html{'#calls' if request.htmx else ''}", context)


@require_POST
@tenant_view(Role.OWNER)
def switch(request: TenantRequest) -> HttpResponse:
    if not has_model():
        raise Http404
    is_on = request.POST.get("to") == "on"
    services.switch(to=is_on, member=request.membership)
    messages.success(request, f"Language model turned {'on' if is_on else 'off'}.")
    return redirect("language_model:overview", slug=request.tenant.slug)


@require_GET
@tenant_view(Role.ADMIN)
def call(request: TenantRequest, call_id: int) -> HttpResponse:
    """What was sent to the model, word for word, and what it wrote."""
    found = get_object_or_404(ModelCall, pk=call_id)
    return render(request, "language_model/call.html", {"call": found, "sent": _shown(found.sent)})


def _shown(sent: str) -> list[str]:
    """Return the question and the sources of a call as they were sent."""
    data = json.loads(json.loads(sent)[0]["content"])
    return [data["question"], *(source["text"] for source in data["sources"])]
