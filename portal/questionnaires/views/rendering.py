"""How a questionnaire is drawn: its head, its questions, the open answer; for htmx the fragment that it asked for."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import timezone
from django.utils.timezone import localdate

from portal.calendars.selectors import office_time
from portal.connections.services import connection_of_tenant
from portal.connections.services.platform import app_url, regions
from portal.lib.web_addresses import web_address
from portal.page_refresh.services import is_unchanged, version_at
from portal.questionnaires import four_eyes, reviews, selectors, services
from portal.questionnaires.activity import answer_history
from portal.questionnaires.commented import key_of
from portal.questionnaires.draft_pages import running_draft, shown_draft
from portal.questionnaires.expert_requests import asked_about
from portal.questionnaires.filters import ResponseFilters
from portal.questionnaires.forms import (
    AnswerForm,
    ApprovalForm,
    ApproverForm,
    AssignForm,
    ChangeForm,
    CompletionForm,
    DueForm,
    orphaned,
)
from portal.questionnaires.models import Draft, DraftedAnswer, Priority, Questionnaire, Response
from portal.questionnaires.progress import failure_words, is_your_move, processing_steps
from portal.questionnaires.returned_answers import is_to_be_changed, newest_verdict
from portal.questionnaires.stages import APPROVABLE, COMPLETABLE, SETTABLE, UNFINISHED
from portal.questionnaires.steps import Step, main_step
from portal.questionnaires.targets import said_of
from portal.tenants.access import TenantRequest
from portal.tenants.models import Role

FRAGMENTS = frozenset({"summary", "questions", "desk", "asked"})


def find(platform_id: str) -> Questionnaire:
    return get_object_or_404(Questionnaire, platform_id=platform_id)


def find_response(platform_id: str, response_id: str) -> Response:
    rows = Response.objects.reviewed().select_related("questionnaire")
    return get_object_or_404(rows, questionnaire__platform_id=platform_id, platform_id=response_id)


def render_desk(
    request: TenantRequest,
    questionnaire: Questionnaire,
    response: Response | None = None,
    *,
    form: AnswerForm | None = None,
    address: str = "",
    status: int = 200,
    **extra: object,
) -> HttpResponse:
    """Draw the questionnaire, with the answer that is open beside the list; for htmx the fragment that it asked for."""
    address = address or request.get_full_path()
    fragment = request.htmx.target if request.htmx.target in FRAGMENTS else ""
    if request.method == "GET" and request.htmx:
        if is_unchanged(request, version_at(questionnaire.version, address, fragment)):
            return HttpResponse(status=204)
    elif questionnaire.responses_synced_at is None:
        services.ask_for_responses(questionnaire)
    filters, me = ResponseFilters.read(request.GET), request.user.name
    context = summary(request, questionnaire) | {
        "address": address,
        "may_choose": request.membership.may(Role.ANALYST) and questionnaire.gone_at is None and response is None,
        "list_query": request.META.get("QUERY_STRING") and f"?{request.META['QUERY_STRING']}",
        "questions_version": version_at(questionnaire.version, address, "questions"),
        **selectors.question_list(questionnaire, filters, me=me, response=response, cursor=request.GET.get("cursor", "")),
    }
    if response:
        asked = asked_about(response)
        verdict = newest_verdict(response)
        drafted = services.offered_draft(response)
        typed = services.draft_of(response, member=request.membership)
        following = None
        if request.membership.may(Role.ANALYST):
            following = selectors.next_unanswered(response, only_drafted=filters.show == "drafted")
        context |= {
            "response": response,
            "comments_key": key_of(response),
            "ahead": following and address_of(request, following),
            "form": form or answer_form(response, drafted, typed),
            "left_over": left_over(response, typed),
            "draft_url": reverse(
                "questionnaires:draft", args=[request.tenant.slug, questionnaire.platform_id, response.platform_id]
            ),
            "history": answer_history(response),
            "asked": asked,
            "asked_version": version_at(questionnaire.version, address, "asked"),
            "drafted": shown_draft(drafted, request.tenant.slug),
            "may_nudge_owner": asked["assignment"] and not response.is_answered and services.member_named(response.owner_name),
            "verdict": verdict,
            "is_returned": is_to_be_changed(response, verdict),
        }
    return render(request, f"questionnaires/questionnaire.html{fragment and '#'}{fragment}", context | extra, status=status)


def address_of(request: TenantRequest, shown: Response) -> str:
    """Where an answer is shown, beside the list as the person has filtered it."""
    ids = [request.tenant.slug, shown.questionnaire.platform_id, shown.platform_id]
    return reverse("questionnaires:response", args=ids) + ResponseFilters.read(request.GET).query()


def answer_form(response: Response, drafted: DraftedAnswer | None, typed: Draft | None) -> AnswerForm:
    """The form of an answer, with what the person has typed into it and not saved, or else what the portal has drafted."""
    if drafted is None:
        return AnswerForm(response.answer, draft=typed)
    return AnswerForm(response.answer, draft=typed, mine=drafted.values, compares=False, drafted_id=str(drafted.pk))


def left_over(response: Response, typed: Draft | None) -> list[str]:
    """What the person has typed that has no place in the form of the answer, since the platform has made another one."""
    texts = orphaned(typed.typed if typed else {}, response.answer)
    return [text if isinstance(text, str) else "\n".join(text) for text in texts.values()]


def summary(request: TenantRequest, questionnaire: Questionnaire) -> dict[str, Any]:
    """What the head of a questionnaire's pages needs."""
    url = reverse("questionnaires:questionnaire", args=[request.tenant.slug, questionnaire.platform_id])
    may_answer = request.membership.may(Role.ANALYST) and questionnaire.gone_at is None
    if may_answer and not request.htmx:
        services.ask_for_owners()
    may_hand_over = may_answer and questionnaire.status in UNFINISHED
    may_decide = request.membership.may(Role.APPROVER) and questionnaire.gone_at is None
    may_be_decided = may_decide and questionnaire.status in APPROVABLE | COMPLETABLE
    own_work = four_eyes.own_work(questionnaire, request.membership) if may_be_decided else ""
    numbers = reviews.progress(questionnaire) if may_be_decided else {}
    allowed = {
        Step.HAND_OVER: may_hand_over,
        Step.APPROVE: may_decide and questionnaire.status in APPROVABLE and not own_work,
        Step.COMPLETE: may_decide
        and questionnaire.status in COMPLETABLE
        and not (own_work and questionnaire.status != "APPROVED"),
    }
    still_open = reviews.still_open(questionnaire, numbers, url=f"{url}review/") if may_be_decided else []
    return {
        "questionnaire": questionnaire,
        "url": url,
        "target": questionnaire.target_id and said_of(questionnaire, office_time(), now=timezone.now()),
        "priorities": [(priority.value, priority.label) for priority in reversed(Priority)],
        "summary_version": version_at(questionnaire.version, url, "summary"),
        "may_answer": may_answer,
        "steps": processing_steps(questionnaire),
        "platform_url": platform_url() if is_your_move(questionnaire) else "",
        "failure_words": failure_words(questionnaire),
        "undrafted": may_answer and services.questions_to_draft(questionnaire).exists(),
        "drafting": running_draft(questionnaire),
        "blockers": selectors.blockers(questionnaire) if may_hand_over else [],
        "may_hand_over": may_hand_over,
        **(change_forms(questionnaire) if may_answer else {}),
        "still_open": still_open,
        "may_approve": allowed[Step.APPROVE],
        "may_complete": allowed[Step.COMPLETE],
        "main_step": main_step(allowed, is_open=bool(still_open), unreviewed=numbers.get("", 0)),
        "unreviewed": numbers.get("", 0),
        "own_work": own_work if questionnaire.status in APPROVABLE else "",
        "statuses": [(status, label) for status, label in SETTABLE.items() if status != questionnaire.status],
        "approval_form": ApprovalForm(),
        "completion_form": CompletionForm(),
    }


def platform_url() -> str:
    """Where people work on the platform itself, in the region of the connection; nothing while there is none.

    The addresses of its pages are documented nowhere, so this is its front door.
    """
    connection = connection_of_tenant()
    return web_address(app_url(connection.region) if connection and connection.region in regions() else "")


def change_forms(questionnaire: Questionnaire) -> dict[str, ChangeForm]:
    due_on = localdate(questionnaire.due_at) if questionnaire.due_at else None
    return {
        "assign_form": AssignForm(initial={"owner": questionnaire.owner_id}, auto_id="assign-%s"),
        "approver_form": ApproverForm(initial={"approver": questionnaire.approver_id}, auto_id="approver-%s"),
        "due_form": DueForm(initial={"due_on": due_on}, auto_id="due-%s"),
    }


def show_summary(request: TenantRequest, questionnaire: Questionnaire, *, status: int = 200, **extra: object) -> HttpResponse:
    context = summary(request, questionnaire) | extra
    return render(request, "questionnaires/questionnaire.html#summary", context, status=status)
