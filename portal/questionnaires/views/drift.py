from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST

from portal.lib.keyset import keyset_page
from portal.page_refresh.services import is_unchanged, stamp, stamp_at
from portal.questionnaires import services
from portal.questionnaires.mirror import QUESTIONNAIRE
from portal.questionnaires.models import Drift
from portal.questionnaires.sent_answers import NEWEST, sent_answers_of
from portal.sync.readiness import readiness
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role
from portal.ui.list_filters import clean_text

ORDER = ("-newest_at", "-id")
ON_A_PAGE = 20
SHOWN_ANSWERS = 5
SETTLED = "settled"


@require_GET
@tenant_view(Role.VIEWER)
def drift(request: TenantRequest) -> HttpResponse:
    """Questions that customers got different answers to. Polls this same address while it is open."""
    seen = stamp_at(stamp("questionnaires", "connection", "sync"), request.get_full_path(), "drift")
    if request.htmx and is_unchanged(request, seen):
        return HttpResponse(status=204)
    words, show = clean_text(request.GET.get("q", "")), SETTLED if request.GET.get("show") == SETTLED else ""
    rows = {"": Drift.objects.open(), SETTLED: Drift.objects.dismissed()}
    page = keyset_page(rows[show].matching(words), order_by=ORDER, cursor=request.GET.get("cursor"), size=ON_A_PAGE)
    tabs = [
        {"label": label, "count": rows[key].count(), "url": address(words, key), "is_current": key == show}
        for key, label in (("", "To look at"), (SETTLED, "Settled"))
    ]
    context = {
        "words": words,
        "show": show,
        "tabs": tabs,
        "page": page,
        "told": sent_answers_of(page.rows, most=SHOWN_ANSWERS, slug=request.tenant.slug),
        "query": address(words, show),
        "newest": NEWEST,
        "readiness": readiness(QUESTIONNAIRE),
        "is_analyst": request.membership.may(Role.ANALYST),
        "stamp": seen,
    }
    return render(request, f"questionnaires/drift.html{'#drift' if request.htmx else ''}", context)


def address(words: str, show: str) -> str:
    return "?" + urlencode({name: value for name, value in (("q", words), ("show", show)) if value})


@require_POST
@tenant_view(Role.ANALYST)
def resolve_drift(request: TenantRequest, drift_id: int) -> HttpResponse:
    """Say that all answers to a question are right, or take that back."""
    found = get_object_or_404(Drift, pk=drift_id)
    if "reopen" in request.POST:
        services.reopen_drift(found, member=request.membership)
        messages.success(request, "It is listed again.")
    else:
        try:
            services.dismiss_drift(found, member=request.membership, seen=request.POST.get("seen", ""))
            messages.success(request, "Settled. It comes back when there is another answer.")
        except services.NotAllowed as refusal:
            messages.warning(request, str(refusal))
    query = address(clean_text(request.GET.get("q", "")), SETTLED if request.GET.get("show") == SETTLED else "")
    return redirect(reverse("questionnaires:drift", args=[request.tenant.slug]) + query)
