"""How a questionnaire is drawn: its head, its questions, the open answer; for htmx the piece that it asked for."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse

from portal.live.services import is_unchanged, stamp_at
from portal.questionnaires import selectors, services
from portal.questionnaires.filters import ResponseFilters
from portal.questionnaires.forms import AnswerForm, ApprovalForm, CompletionForm
from portal.questionnaires.models import Questionnaire, Response
from portal.questionnaires.stages import APPROVABLE, COMPLETABLE, SETTABLE
from portal.tenants.access import TenantRequest
from portal.tenants.models import Role

PIECES = frozenset({"summary", "questions", "desk"})


def find(platform_id: str) -> Questionnaire:
    return get_object_or_404(Questionnaire, platform_id=platform_id)


def find_response(platform_id: str, response_id: str) -> Response:
    rows = Response.objects.select_related("questionnaire")
    return get_object_or_404(rows, questionnaire__platform_id=platform_id, platform_id=response_id)


def show_desk(
    request: TenantRequest,
    questionnaire: Questionnaire,
    response: Response | None = None,
    *,
    form: AnswerForm | None = None,
    address: str = "",
    status: int = 200,
    **extra: object,
) -> HttpResponse:
    """Draw the questionnaire, with the answer that is open beside the list; for htmx the piece that it asked for."""
    address = address or request.get_full_path()
    piece = request.htmx.target if request.htmx.target in PIECES else ""
    if request.method == "GET" and request.htmx:
        if is_unchanged(request, stamp_at(questionnaire.version, address, piece)):
            return HttpResponse(status=204)
    elif questionnaire.responses_synced_at is None:
        services.ask_for_responses(questionnaire)
    filters, me = ResponseFilters.read(request.GET), request.user.name
    context = summary(request, questionnaire) | {
        "address": address,
        "list_query": request.META.get("QUERY_STRING") and f"?{request.META['QUERY_STRING']}",
        "questions_stamp": stamp_at(questionnaire.version, address, "questions"),
        **selectors.question_list(questionnaire, filters, me=me, response=response, cursor=request.GET.get("cursor", "")),
    }
    if response:
        context |= {
            "response": response,
            "form": form or AnswerForm(response.answer),
            "history": selectors.response_history(response),
        }
    return render(request, f"questionnaires/questionnaire.html{piece and '#'}{piece}", context | extra, status=status)


def summary(request: TenantRequest, questionnaire: Questionnaire) -> dict[str, Any]:
    """What the head of a questionnaire's pages needs."""
    url = reverse("questionnaires:questionnaire", args=[request.tenant.slug, questionnaire.platform_id])
    may_decide = request.membership.may(Role.APPROVER) and questionnaire.gone_at is None
    return {
        "questionnaire": questionnaire,
        "url": url,
        "summary_stamp": stamp_at(questionnaire.version, url, "summary"),
        "may_answer": request.membership.may(Role.ANALYST) and questionnaire.gone_at is None,
        "may_approve": may_decide and questionnaire.status in APPROVABLE,
        "may_complete": may_decide and questionnaire.status in COMPLETABLE,
        "statuses": [(status, label) for status, label in SETTABLE.items() if status != questionnaire.status],
        "approval_form": ApprovalForm(),
        "completion_form": CompletionForm(),
    }


def show_summary(request: TenantRequest, questionnaire: Questionnaire, *, status: int = 200, **extra: object) -> HttpResponse:
    context = summary(request, questionnaire) | extra
    return render(request, "questionnaires/questionnaire.html#summary", context, status=status)
