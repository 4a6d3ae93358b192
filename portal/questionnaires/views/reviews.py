from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from portal.page_refresh.services import is_unchanged, version_at
from portal.questionnaires import previously_approved, reviews, services
from portal.questionnaires.forms import ApprovalForm, CompletionForm, VerdictForm
from portal.questionnaires.models import Questionnaire, Response, Review, Verdict
from portal.questionnaires.refusals import Refusal
from portal.questionnaires.views.rendering import find, find_response, summary
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role
from portal.ui.toasts import toast

SAID = {Verdict.APPROVED: "Approved.", Verdict.RETURNED: "Returned."}
MEANWHILE = Refusal(
    "This changed while you were reading",
    "The answer is different now, or someone else has decided. Nothing was saved; check it again below.",
    tone="warn",
)


@require_GET
@tenant_view(Role.VIEWER)
def review(request: TenantRequest, platform_id: str) -> HttpResponse:
    """The first answer to review; when there is none, how the review stands and what comes next."""
    found, show = find(platform_id), show_of(request)
    first = reviews.first_of(found, show) if request.htmx.target != "review-live" else None
    return open_card(request, found, first, show)


@require_http_methods(["GET", "HEAD", "POST"])
@tenant_view(Role.VIEWER)
def review_card(request: TenantRequest, platform_id: str, response_id: str) -> HttpResponse:
    """One answer as a reviewer reads it; posting decides."""
    found = find_response(platform_id, response_id)
    if request.method == "POST":
        return decide(request, found)
    return show_review(request, found.questionnaire, found, address=request.get_full_path())


@require_POST
@tenant_view(Role.APPROVER)
def undo_review(request: TenantRequest, platform_id: str, response_id: str) -> HttpResponse:
    """Take back one's own last word on an answer, and show it again."""
    found = find_response(platform_id, response_id)
    try:
        number = services.undo(found, member=request.membership)
    except services.NotAllowed as error:
        return refuse(request, found, Refusal("This isn't possible right now", str(error), tone="warn"))
    words = "Undone." if number == 1 else f"Undone: the approval of {number} answers."
    return go_to(request, find_response(platform_id, response_id), words)


def decide(request: TenantRequest, found: Response) -> HttpResponse:
    form = VerdictForm(request.POST)
    if not form.is_valid():
        return show_review(request, found.questionnaire, found, form=form, status=422)
    try:
        review = services.decide(found, member=request.membership, **form.cleaned_data)
    except services.ReviewConflict:
        return refuse(request, find_response(found.questionnaire.platform_id, found.platform_id), MEANWHILE, form)
    except services.NotAllowed as error:
        return refuse(request, found, Refusal("This isn't possible right now", str(error), tone="warn"), form)
    return go_on(request, found, review)


def go_on(request: TenantRequest, found: Response, review: Review) -> HttpResponse:
    """After a decision the next answer of the list comes by itself."""
    following = reviews.neighbours(found, show_of(request))["skip_id"]
    words = SAID[Verdict(review.verdict)]
    if request.htmx:
        return toast(open_card(request, find(found.questionnaire.platform_id), following, show_of(request)), words)
    messages.success(request, words)
    return redirect(address_of(request, found.questionnaire, following))


def go_to(request: TenantRequest, found: Response, words: str) -> HttpResponse:
    if request.htmx:
        return toast(open_card(request, found.questionnaire, found.platform_id, show_of(request)), words)
    messages.success(request, words)
    return redirect(address_of(request, found.questionnaire, found.platform_id))


def refuse(request: TenantRequest, found: Response, refusal: Refusal, form: VerdictForm | None = None) -> HttpResponse:
    return show_review(request, found.questionnaire, found, form=form, review_refusal=refusal, status=422)


def open_card(request: TenantRequest, questionnaire: Questionnaire, response_id: str | None, show: str) -> HttpResponse:
    """Go to a card, or to the end of the review where there is none; htmx draws it at once and pushes its address."""
    address = address_of(request, questionnaire, response_id)
    if not request.htmx and response_id:
        return redirect(address)
    response = find_response(questionnaire.platform_id, response_id) if response_id else None
    answer = show_review(request, questionnaire, response, address=address)
    if request.htmx.target == "review":
        answer["HX-Push-Url"] = address
    return answer


def show_review(
    request: TenantRequest,
    questionnaire: Questionnaire,
    response: Response | None,
    *,
    address: str = "",
    form: VerdictForm | None = None,
    status: int = 200,
    **extra: object,
) -> HttpResponse:
    """Draw the review; for htmx the card, or the part of it that polls."""
    address = address or address_of(request, questionnaire, response.platform_id if response else None)
    fragment = request.htmx.target if request.htmx.target in ("review", "review-live") else ""
    seen = version_at(questionnaire.version, address, "review-live")
    if request.method == "GET" and fragment == "review-live" and is_unchanged(request, seen):
        return HttpResponse(status=204)
    if questionnaire.responses_synced_at is None:
        services.ask_for_responses(questionnaire)
    context = review_context(request, questionnaire, response) | {
        "address": address,
        "review_version": seen,
        "form": form or VerdictForm(),
    }
    return render(request, f"questionnaires/review.html{fragment and '#'}{fragment}", context | extra, status=status)


def review_context(request: TenantRequest, questionnaire: Questionnaire, response: Response | None) -> dict[str, Any]:
    show, member = show_of(request), request.membership
    url = reverse("questionnaires:review", args=[request.tenant.slug, questionnaire.platform_id])
    numbers = reviews.progress(questionnaire)
    context = summary(request, questionnaire) | {
        "show": show,
        "show_query": f"?show={show}" if show else "",
        "review_url": url,
        "numbers": numbers,
        "tabs": reviews.tabs(numbers, show=show, url=url),
        "may_review": member.may(Role.APPROVER) and questionnaire.is_open and questionnaire.gone_at is None,
    }
    if context["may_review"]:
        context["last"] = reviews.last_verdict_of(member, questionnaire)
        context["unchanged"] = previously_approved.count(questionnaire, member) if numbers[""] else 0
    if response:
        return context | reviews.card(response, member=member) | reviews.neighbours(response, show)
    return context | {
        "may_hand_back": context["may_answer"] and bool(numbers["returned"]) and questionnaire.stage.key == "in-review",
        "finish_approval": ApprovalForm(auto_id="finish-%s"),
        "finish_completion": CompletionForm(auto_id="finish-%s"),
    }


def show_of(request: TenantRequest) -> str:
    return reviews.list_named(request.GET.get("show", ""))


def address_of(request: TenantRequest, questionnaire: Questionnaire, response_id: str | None) -> str:
    """Where a card is shown, in the list that the person goes through; without one, where the review ends."""
    show, ids = show_of(request), [request.tenant.slug, questionnaire.platform_id]
    query = f"?show={show}" if show else ""
    if response_id is None:
        return reverse("questionnaires:review", args=ids) + query
    return reverse("questionnaires:review_card", args=[*ids, response_id]) + query
