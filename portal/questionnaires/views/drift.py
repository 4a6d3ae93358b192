from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST

from portal.lib.keyset import keyset_page
from portal.page_refresh.services import area_version, is_unchanged, version_at
from portal.questionnaires import services
from portal.questionnaires.correction_notes import corrections_of
from portal.questionnaires.drift_answers import DriftAnswers
from portal.questionnaires.drift_filters import ORDER, DriftFilters
from portal.questionnaires.mirror import QUESTIONNAIRE
from portal.questionnaires.models import Correction, CorrectionState, Drift
from portal.questionnaires.sent_answers import NEWEST
from portal.sync.readiness import readiness
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role

ON_A_PAGE = 10
SHOWN_ANSWERS = 4
AREAS = ("questionnaires", "connection", "sync")


@require_GET
@tenant_view(Role.VIEWER)
def drift(request: TenantRequest) -> HttpResponse:
    """Questions that customers got different answers to. Polls this same address while it is open."""
    seen = version_at(area_version(*AREAS), request.get_full_path(), "drift")
    if request.htmx and is_unchanged(request, seen):
        return HttpResponse(status=204)
    filters = DriftFilters.read(request.GET)
    page = keyset_page(filters.rows(), order_by=ORDER, cursor=request.GET.get("cursor"), size=ON_A_PAGE)
    context = {
        "filters": filters,
        "tabs": filters.counted_tabs(),
        "page": page,
        "told": DriftAnswers(page.rows, slug=request.tenant.slug).shown(most=SHOWN_ANSWERS),
        "newest": NEWEST,
        "readiness": readiness(QUESTIONNAIRE),
        "is_analyst": request.membership.may(Role.ANALYST),
        "page_version": seen,
    }
    return render(request, f"questionnaires/drift.html{'#drift' if request.htmx else ''}", context)


@require_GET
@tenant_view(Role.VIEWER)
def drift_question(request: TenantRequest, drift_id: int) -> HttpResponse:
    """One question: every answer with all its customers, and who is to be corrected. Polls this same address."""
    found = get_object_or_404(Drift, pk=drift_id)
    seen = version_at(area_version(*AREAS, "library"), request.get_full_path(), "question")
    if request.htmx and is_unchanged(request, seen):
        return HttpResponse(status=204)
    context = question_context(request, found) | {"page_version": seen}
    return render(request, f"questionnaires/drift_question.html{'#question' if request.htmx else ''}", context)


def question_context(request: TenantRequest, found: Drift) -> dict[str, Any]:
    told = DriftAnswers([found], slug=request.tenant.slug).shown()
    return {
        "drift": found,
        "one": told[0] if told else None,
        "corrections": corrections_of(found, slug=request.tenant.slug),
        "states": CorrectionState,
        "is_analyst": request.membership.may(Role.ANALYST),
    }


@require_POST
@tenant_view(Role.ANALYST)
def resolve_drift(request: TenantRequest, drift_id: int) -> HttpResponse:
    """Say which answer to a question is right, or that all are, or take that back."""
    found, member = get_object_or_404(Drift, pk=drift_id), request.membership
    seen, right = request.POST.get("seen", ""), request.POST.get("right", "")
    try:
        if "reopen" in request.POST:
            services.reopen_drift(found, member=member)
            messages.success(request, "Reopened. Corrections that were still open are removed.")
        elif right:
            is_lasting = services.resolve_drift(found, right=right, member=member, seen=seen)
            ends = " It no longer expires." if is_lasting else ""
            messages.success(request, f"Settled. This answer is now in the library.{ends}")
        else:
            services.dismiss_drift(found, member=member, seen=seen)
            messages.success(request, "Settled. It comes back if there is another answer.")
    except services.NotAllowed as refusal:
        messages.warning(request, str(refusal))
    if right:
        return redirect("questionnaires:drift_question", request.tenant.slug, found.pk)
    query = DriftFilters.read(request.GET).query()
    return redirect(reverse("questionnaires:drift", args=[request.tenant.slug]) + query)


@require_POST
@tenant_view(Role.ANALYST)
def correct(request: TenantRequest, correction_id: int) -> HttpResponse:
    """Say that a customer was corrected, need not be, or has to be after all."""
    found = get_object_or_404(Correction, pk=correction_id)
    wanted = request.POST.get("state", "")
    if wanted in CorrectionState.values:
        after = services.decide_correction(found, CorrectionState(wanted), member=request.membership)
        messages.success(request, f"{after.sign[0]}: {after.response.questionnaire}")
    return redirect("questionnaires:drift_question", request.tenant.slug, found.drift_id)
