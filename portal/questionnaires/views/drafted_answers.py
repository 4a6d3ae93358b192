from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from portal.language_model.selectors import is_on
from portal.lib.keyset import keyset_page
from portal.page_refresh.services import is_unchanged, version_at
from portal.questionnaires import services
from portal.questionnaires.draft_pages import DRAFTED_STATES, left_out_by_reason, outcome_of, shown_drafts
from portal.questionnaires.forms.drafts import DraftAllForm
from portal.questionnaires.models import DraftedAnswer, DraftingRun, DraftReason, DraftState, Questionnaire
from portal.questionnaires.services.drafting_runs import MIN_CONFIDENCES
from portal.questionnaires.views.rendering import address_of, find, find_response, render_desk, summary
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role
from portal.ui.toasts import toast

SHOWS = {"drafted": "Drafted", "left": "Not drafted", "waiting": "Waiting"}
SHOWN_STATES = {"drafted": DRAFTED_STATES, "left": (DraftState.LEFT_OUT,), "waiting": (DraftState.WAITING,)}
CHOICES = [(least, f"{least}% or more") for least in MIN_CONFIDENCES]


@require_http_methods(["GET", "HEAD", "POST"])
@tenant_view(Role.ANALYST)
def draft_all(request: TenantRequest, platform_id: str) -> HttpResponse:
    """Ask how sure drafts have to be, with how many there would be; then begin."""
    found = find(platform_id)
    if request.method != "POST":
        return ask(request, found)
    form = DraftAllForm(request.POST, choices=CHOICES, has_model=is_on())
    if not form.is_valid():
        return ask(request, found, status=422)
    try:
        run = services.start_drafting(found, member=request.membership, **form.cleaned_data)
    except services.NotAllowed as refusal:
        return ask(request, found, refusal=str(refusal), status=422)
    return redirect("questionnaires:drafting_run", slug=request.tenant.slug, platform_id=platform_id, run_id=run.pk)


def ask(request: TenantRequest, found: Questionnaire, *, refusal: str = "", status: int = 200) -> HttpResponse:
    total = services.questions_to_draft(found).count()
    tried, drafted = services.preview(found)
    choices = [(least, f"{label}: {drafted[least]} of {tried} drafted") for least, label in CHOICES]
    context = summary(request, found) | {
        "total": total,
        "tried": tried,
        "form": DraftAllForm(choices=choices, has_model=is_on()),
        "refusal": refusal,
    }
    return render(request, "questionnaires/draft_all.html", context, status=status)


@require_GET
@tenant_view(Role.VIEWER)
def drafting_run(request: TenantRequest, platform_id: str, run_id: int) -> HttpResponse:
    """What was drafted, what was not and why. Polls this same address while it is open."""
    run = find_run(platform_id, run_id)
    seen = version_at(run.questionnaire.version, request.get_full_path(), "run")
    if request.htmx and is_unchanged(request, seen):
        return HttpResponse(status=204)
    items = DraftedAnswer.objects.filter(run=run).select_related("response").defer("response__payload", "response__search")
    counts = items.counts()
    numbers = {key: sum(counts.get(state, 0) for state in states) for key, states in SHOWN_STATES.items()}
    show, reason = request.GET.get("show", ""), request.GET.get("reason", "")
    show = show if show in SHOWS else next((key for key in SHOWS if numbers[key]), "drafted")
    rows = items.filter(state__in=SHOWN_STATES[show])
    if show == "left" and reason in DraftReason:
        rows = rows.filter(reason=reason)
    page = keyset_page(rows, order_by=("id",), cursor=request.GET.get("cursor"))
    context = {
        "run": run,
        "questionnaire": run.questionnaire,
        "numbers": numbers,
        "settled": numbers["drafted"] + numbers["left"],
        "total": sum(numbers.values()),
        "offered": counts.get(DraftState.OFFERED, 0),
        "outcome": outcome_of(counts),
        "reasons": [
            {"label": each.label, "count": number, "url": f"?show=left&reason={each.value}", "is_current": each == reason}
            for each, number in left_out_by_reason(run)
        ],
        "tabs": [
            {"label": label, "count": numbers[key], "url": f"?show={key}", "is_current": key == show}
            for key, label in SHOWS.items()
            if numbers[key] or key == show
        ],
        "show": show,
        "page": page,
        "drafts": shown_drafts(page.rows, request.tenant.slug),
        "sure": services.sure_drafts(run.questionnaire).count(),
        "may_draft": request.membership.may(Role.ANALYST),
        "page_version": seen,
    }
    return render(request, f"questionnaires/drafting_run.html{'#run' if request.htmx else ''}", context)


@require_POST
@tenant_view(Role.ANALYST)
def stop_drafting(request: TenantRequest, platform_id: str, run_id: int) -> HttpResponse:
    """End a run where it is; or undo it, which removes the drafts that nobody has decided on."""
    run, undo = find_run(platform_id, run_id), "undo" in request.POST
    number = services.stop_drafting(run, member=request.membership, undo=undo)
    removed = f"Removed {number} draft{'' if number == 1 else 's'}."
    messages.success(request, removed if undo else "Stopped. Drafts made before that stay.")
    return redirect("questionnaires:drafting_run", slug=request.tenant.slug, platform_id=platform_id, run_id=run_id)


@require_POST
@tenant_view(Role.ANALYST)
def dismiss_draft(request: TenantRequest, platform_id: str, response_id: str) -> HttpResponse:
    """Drop the draft of a question, and show its form empty."""
    found = find_response(platform_id, response_id)
    is_dismissed = services.dismiss_draft(found, member=request.membership)
    words, address = "Draft dismissed." if is_dismissed else "The draft no longer exists.", address_of(request, found)
    if not request.htmx:
        messages.success(request, words)
        return redirect(address)
    shown = find_response(platform_id, response_id)
    return toast(render_desk(request, shown.questionnaire, shown, address=address), words)


def find_run(platform_id: str, run_id: int) -> DraftingRun:
    rows = DraftingRun.objects.select_related("questionnaire")
    return get_object_or_404(rows, pk=run_id, questionnaire__platform_id=platform_id)
