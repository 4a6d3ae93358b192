from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_GET, require_POST

from portal.lib.row_keys import row_keys
from portal.page_refresh.services import area_version, is_unchanged, version_at
from portal.platform_writes.models import MAX_ITEMS
from portal.platform_writes.run_pages import run_context, say_tried_again
from portal.questionnaires import services
from portal.questionnaires.changes import ASKS, Action
from portal.questionnaires.filters import QuestionnaireFilters
from portal.questionnaires.forms import CHANGE_FORMS, ApproverForm, AssignForm, ChangeForm
from portal.questionnaires.models import BulkItem, BulkRun, Questionnaire
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role

AT_ONCE = 50
"""So many can be looked over on one page of the list; more are asked about once more."""


@require_POST
@tenant_view(Role.ANALYST)
def start_bulk(request: TenantRequest) -> HttpResponse:
    """Begin a change of the chosen questionnaires; where something has to be said or confirmed first, ask for it."""
    filters, action = QuestionnaireFilters.read(request.GET), request.POST.get("action", "")
    keys = chosen(request, filters)
    if action not in CHANGE_FORMS or not keys:
        messages.warning(request, "Nothing was changed: no questionnaire is selected.")
        return redirect(list_address(request, filters))
    is_confirmed = "confirmed" in request.POST
    form = CHANGE_FORMS[action](request.POST if is_confirmed else None)
    if not is_confirmed and (action in ASKS or len(keys) > AT_ONCE):
        return ask(request, filters, form, keys)
    # Take and Hold need no other word.
    form = form if is_confirmed else CHANGE_FORMS[action](request.POST)
    if not form.is_valid():
        return ask(request, filters, form, keys, status=422)
    try:
        run = services.start_bulk_run(form.change(request.membership), member=request.membership, questionnaires=keys)
    except services.NotAllowed as refusal:
        return ask(request, filters, AssignForm() if action == Action.TAKE else form, keys, refusal=str(refusal), status=422)
    return redirect("questionnaires:bulk_run", slug=request.tenant.slug, run_id=run.pk)


def chosen(request: TenantRequest, filters: QuestionnaireFilters) -> list[int]:
    """The keys of the ticked rows, or of everything that the filters show; one more than a run takes tells of too many."""
    if "all" in request.POST:
        rows = filters.rows(now=timezone.now()).order_by(*filters.order_by)
    else:
        keys = row_keys(request.POST.getlist("chosen")[: MAX_ITEMS + 1])
        rows = Questionnaire.objects.present().filter(pk__in=keys).order_by(*filters.order_by)
    return list(rows.values_list("pk", flat=True)[: MAX_ITEMS + 1])


def ask(
    request: TenantRequest,
    filters: QuestionnaireFilters,
    form: ChangeForm,
    keys: list[int],
    *,
    refusal: str = "",
    status: int = 200,
) -> HttpResponse:
    """Ask for what belongs to the action. The selection travels with the form."""
    if isinstance(form, AssignForm | ApproverForm):
        services.ask_for_owners()
    context: dict[str, Any] = {
        "form": form,
        "action": form.action,
        "count": len(keys),
        "is_too_many": len(keys) > MAX_ITEMS,
        "most": MAX_ITEMS,
        "is_all": "all" in request.POST,
        "chosen": [] if "all" in request.POST else keys,
        "names": Questionnaire.objects.filter(pk__in=keys).only("name", "platform_id").order_by("due_sort", "id"),
        "query": filters.query(),
        "back": list_address(request, filters),
        "refusal": refusal,
    }
    return render(request, "questionnaires/bulk_ask.html", context, status=status)


def list_address(request: TenantRequest, filters: QuestionnaireFilters) -> str:
    return reverse("questionnaires:list", args=[request.tenant.slug]) + filters.query()


@require_GET
@tenant_view(Role.VIEWER)
def bulk_run(request: TenantRequest, run_id: int) -> HttpResponse:
    """How far a bulk run is, what was not changed and why. Polls this same address while it is open."""
    run = get_object_or_404(BulkRun, pk=run_id)
    seen = version_at(area_version("questionnaires"), request.get_full_path(), "run")
    if request.htmx and is_unchanged(request, seen):
        return HttpResponse(status=204)
    items = BulkItem.objects.filter(run=run).select_related("questionnaire", "response")
    items = items.defer("questionnaire__payload", "questionnaire__search", "response__payload", "response__search")
    context = run_context(request, items, **outcomes(run)) | {
        "run": run,
        "noun": run.change.noun.capitalize(),
        "back": where_from(request, run),
        "is_analyst": request.membership.may(Role.ANALYST),
        "page_version": seen,
    }
    return render(request, f"questionnaires/bulk_run.html{'#run' if request.htmx else ''}", context)


def outcomes(run: BulkRun) -> dict[str, str]:
    """How the tabs call what was done, and what was not."""
    if run.change.saves_drafts:
        return {"done": "Saved", "failed": "Not saved"}
    return {"done": "Changed", "failed": "Not changed"}


def where_from(request: TenantRequest, run: BulkRun) -> str:
    """The list that a run was begun at: of questionnaires, or of the questions of one."""
    item = run.change.is_of_questions and BulkItem.objects.filter(run=run).select_related("questionnaire").first()
    if item:
        return reverse("questionnaires:questionnaire", args=[request.tenant.slug, item.questionnaire.platform_id])
    return reverse("questionnaires:list", args=[request.tenant.slug])


@require_POST
@tenant_view(Role.ANALYST)
def retry_bulk(request: TenantRequest, run_id: int) -> HttpResponse:
    run = get_object_or_404(BulkRun, pk=run_id)
    number = services.retry_bulk_run(run, member=request.membership)
    say_tried_again(request, run, number)
    return redirect("questionnaires:bulk_run", slug=request.tenant.slug, run_id=run_id)
