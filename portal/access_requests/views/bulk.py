from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST

from portal.access_requests import services
from portal.access_requests.bulk_forms import BulkApprovalForm, BulkDenialForm, bulk_form
from portal.access_requests.bulk_summary import report_of, summarise
from portal.access_requests.documents import summary_of
from portal.access_requests.filters import RequestFilters
from portal.access_requests.models import AccessRequest, Verb
from portal.access_requests.refusals import REFUSALS, Refusal, refusal_for
from portal.access_requests.selectors import two_people_approve
from portal.access_requests.services.bulk import MAX_AT_ONCE
from portal.access_requests.views.rendering import list_at
from portal.lib.row_keys import row_keys
from portal.page_refresh.services import area_version, is_unchanged, version_at
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role


@require_POST
@tenant_view(Role.APPROVER)
def bulk(request: TenantRequest) -> HttpResponse:
    """Say what a decision about the chosen requests would do; once that is confirmed, schedule it."""
    requests, verb = chosen(request), request.POST.get("action", "")
    if verb not in Verb.values or not requests:
        messages.warning(request, "No request is selected, so nothing was decided.")
        return redirect(list_at(request))
    is_confirmed = "confirmed" in request.POST
    form = bulk_form(verb, request.POST if is_confirmed else None)
    if not is_confirmed or len(requests) > MAX_AT_ONCE:
        return ask(request, form, requests)
    if not form.is_valid():
        return ask(request, form, requests, status=422)
    unfit = [row.request for row, _ in summarise(requests).unapprovable] if verb == Verb.APPROVE else []
    # What others have decided meanwhile is decided as well: the report says of each why it was not.
    rows = [row for row in requests if row not in unfit]
    if not rows:
        return ask(request, form, requests, status=422)
    try:
        batch = services.decide_many(rows, form.choice(), member=request.membership)
    except REFUSALS as error:
        return ask(request, form, requests, refusal=refusal_for(error, slug=request.tenant.slug), status=422)
    if unfit:
        left_out = f"Not approved: {summary_of([str(row) for row in unfit])}."
        messages.warning(request, f"{left_out} Open {'it' if len(unfit) == 1 else 'each'} to see why.")
    return redirect("access_requests:batch", slug=request.tenant.slug, batch=batch)


def chosen(request: TenantRequest) -> list[AccessRequest]:
    """The ticked requests, or all that the filters show; one more than can be decided at once tells of too many."""
    if "all" in request.POST:
        rows = RequestFilters.read(request.GET).rows().waiting()
    else:
        rows = AccessRequest.objects.filter(pk__in=row_keys(request.POST.getlist("chosen")[: MAX_AT_ONCE + 1]))
    return list(rows.order_by("created_at", "id").defer("payload", "search")[: MAX_AT_ONCE + 1])


def ask(
    request: TenantRequest,
    form: BulkApprovalForm | BulkDenialForm,
    requests: list[AccessRequest],
    *,
    refusal: Refusal | None = None,
    status: int = 200,
) -> HttpResponse:
    """Sum up what will happen. The selection travels with the form, as the rows that were looked at: no later one slips in."""
    verb = Verb(request.POST["action"])
    summary = summarise(requests[:MAX_AT_ONCE])
    unapprovable = summary.unapprovable if verb == Verb.APPROVE else []
    context = {
        "form": form,
        "verb": verb,
        "summary": summary,
        "unapprovable": unapprovable,
        "chosen": summary.approvable if verb == Verb.APPROVE else summary.decidable,
        "number": len(summary.decidable) - len(unapprovable),
        "needs_second": verb == Verb.APPROVE and two_people_approve(),
        "is_too_many": len(requests) > MAX_AT_ONCE,
        "most": MAX_AT_ONCE,
        "refusal": refusal,
        "query": RequestFilters.read(request.GET).query(),
        "back": reverse("access_requests:list", args=[request.tenant.slug]) + RequestFilters.read(request.GET).query(),
    }
    return render(request, "access_requests/bulk.html", context, status=status)


@require_GET
@tenant_view(Role.VIEWER)
def batch(request: TenantRequest, batch: UUID) -> HttpResponse:
    """How far a batch is, and what was not decided and why. Polls this same address while it is open."""
    seen = version_at(area_version("access_requests"), request.get_full_path(), "batch")
    if request.htmx and is_unchanged(request, seen):
        return HttpResponse(status=204)
    report = report_of(batch)
    if not report.decisions:
        raise Http404
    context = {
        "batch": batch,
        "report": report,
        "parts": [report.not_made, report.under_way, report.undone, report.done],
        "first": report.decisions[0],
        "outcome": report.outcome,
        "retriable": 0 if report.under_way else len(services.to_retry(report)),
        "undoable": len(report.scheduled) + sum(decision.is_by(request.membership.user) for decision in report.asked),
        "is_approver": request.membership.may(Role.APPROVER),
        "page_version": seen,
    }
    return render(request, f"access_requests/batch.html{'#batch' if request.htmx else ''}", context)


@require_POST
@tenant_view(Role.APPROVER)
def undo_batch(request: TenantRequest, batch: UUID) -> HttpResponse:
    number = services.undo_all(request.membership, batch=batch)
    if number:
        messages.success(request, f"{number} undone. Nothing was sent.")
    else:
        messages.warning(request, "Nothing left to undo.")
    return redirect("access_requests:batch", slug=request.tenant.slug, batch=batch)


@require_POST
@tenant_view(Role.APPROVER)
def retry_batch(request: TenantRequest, batch: UUID) -> HttpResponse:
    try:
        number = services.retry_batch(batch, member=request.membership)
    except REFUSALS as error:
        refusal = refusal_for(error, slug=request.tenant.slug)
        messages.warning(request, f"{refusal.title}. {refusal.text}")
    else:
        messages.info(request, f"Retrying {number}." if number else "Nothing to retry.")
    return redirect("access_requests:batch", slug=request.tenant.slug, batch=batch)
