from typing import Any

from django.contrib import messages
from django.http import FileResponse, Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from portal.lib.counted import counted
from portal.lib.fetched_files import file_to_save
from portal.lib.row_keys import row_keys
from portal.platform_writes.models import MAX_ITEMS
from portal.questionnaires import selectors, services
from portal.questionnaires.filters import ResponseFilters
from portal.questionnaires.forms import AnswerForm, AssignQuestionsForm, ExpertForm
from portal.questionnaires.models import Assignment, ExpertFile, ExpertLink, Questionnaire, Response
from portal.questionnaires.views.rendering import address_of, find, find_response
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role
from portal.ui.toasts import toast


@require_http_methods(["GET", "HEAD", "POST"])
@tenant_view(Role.ANALYST)
def ask(request: TenantRequest, platform_id: str) -> HttpResponse:
    """Put the chosen questions to somebody; the first call asks to whom."""
    questionnaire = find(platform_id)
    filters = ResponseFilters.read(request.GET)
    rows = chosen(request, questionnaire, filters)
    back = back_to(request, platform_id, rows)
    if not rows:
        return tell(request, "No one was asked: no question is selected.", back=back, tone="warn")
    how = request.POST.get("how", "")
    refusal = ""
    owner_form = AssignQuestionsForm(request.POST if how == "owner" else None, questionnaire=questionnaire, auto_id="owner-%s")
    expert_form = ExpertForm(request.POST if how == "expert" else None, auto_id="expert-%s")
    try:
        if how == "owner" and owner_form.is_valid():
            return assign(request, rows, owner_form)
        if how == "expert" and expert_form.is_valid():
            services.ask_expert(expert_form.expert(), member=request.membership, responses=rows)
            words = "An email with the link is on its way."
            return tell(request, words, back=back)
    except services.NotAllowed as error:
        refusal = str(error)
    services.ask_for_owners()
    context: dict[str, Any] = {
        "questionnaire": questionnaire,
        "rows": rows,
        "chosen": [] if "all" in request.POST else [row.pk for row in rows],
        "is_all": "all" in request.POST,
        "count": len(rows),
        "owner_form": owner_form,
        "expert_form": expert_form,
        "refusal": refusal,
        "back": back,
        "address": request.path + filters.query(),
    }
    return render(request, f"questionnaires/ask.html{'#dialog' if request.htmx else ''}", context, status=422 if how else 200)


def assign(request: TenantRequest, rows: list[Response], form: AssignQuestionsForm) -> HttpResponse:
    """Start to give the questions to their new owner; who asked over the workspace stays in it."""
    run = services.assign_questions(form.change(), member=request.membership, responses=rows)
    at = reverse("questionnaires:bulk_run", args=[request.tenant.slug, run.pk])
    if not request.htmx:
        return redirect(at)
    words = f"Assigning {counted(len(rows), 'question')}."
    return toast(HttpResponse(), words, url=at, link="See progress")


def tell(request: TenantRequest, words: str, *, back: str, tone: str = "good") -> HttpResponse:
    """Say what was done: over the workspace, whose dialog this empties, or on the page that a plain request goes back to."""
    if request.htmx:
        return toast(HttpResponse(), words, tone=tone)
    messages.add_message(request, messages.SUCCESS if tone == "good" else messages.WARNING, words)
    return redirect(back)


def back_to(request: TenantRequest, platform_id: str, rows: list[Response]) -> str:
    """Where the questions were chosen: the only one itself, or else the list as it was filtered."""
    if len(rows) == 1:
        return address_of(request, rows[0])
    query = ResponseFilters.read(request.GET).query()
    return reverse("questionnaires:questionnaire", args=[request.tenant.slug, platform_id]) + query


def chosen(request: TenantRequest, questionnaire: Questionnaire, filters: ResponseFilters) -> list[Response]:
    """The ticked questions, or all that the filters show; one more than can be changed at once tells of too many."""
    rows = Response.objects.present().reviewed().filter(questionnaire=questionnaire).defer("payload", "search")
    if "all" in request.POST:
        rows = filters.narrow(rows, me=request.user.name)
    else:
        given = request.POST if request.method == "POST" else request.GET
        rows = rows.filter(pk__in=row_keys(given.getlist("chosen")[: MAX_ITEMS + 1]))
    return list(rows.order_by(*selectors.RESPONSE_ORDER)[: MAX_ITEMS + 1])


@require_POST
@tenant_view(Role.ANALYST)
def expert_link(request: TenantRequest, platform_id: str, response_id: str, link_id: int) -> HttpResponse:
    """Remind an expert, revoke their link, take their answer over or put it aside."""
    found = find_response(platform_id, response_id)
    link = get_object_or_404(ExpertLink.objects.select_related("response__questionnaire", "tenant"), pk=link_id, response=found)
    try:
        messages.success(request, decide(request, link))
    except services.NotAllowed as refusal:
        messages.warning(request, str(refusal))
    return redirect(address_of(request, found))


def decide(request: TenantRequest, link: ExpertLink) -> str:
    """Do what was asked for and say what was done. Raises NotAllowed."""
    member = request.membership
    match request.POST.get("do"):
        case "nudge":
            services.nudge_expert(link, member=member)
            return "Reminder sent."
        case "revoke":
            services.revoke_link(link, member=member)
            return "Link revoked."
        case "revoke-all":
            return f"{counted(services.revoke_unanswered(link, member=member), 'link')} revoked."
        case "take":
            form = AnswerForm(link.response.answer, mine=link.values)
            services.take_over(link, member=member, typed=form.shown_parts(link.values))
            return "Their answer is in the form. Read it, then save it."
        case "aside":
            services.put_aside(link, member=member)
            return "Answer dismissed."
    raise services.NotAllowed("Nothing was asked for.")


@require_GET
@tenant_view(Role.VIEWER)
def expert_file(request: TenantRequest, platform_id: str, response_id: str, link_id: int, file_id: int) -> FileResponse:
    """A file that an expert sent with an answer."""
    found = find_response(platform_id, response_id)
    file = get_object_or_404(ExpertFile, pk=file_id, link=link_id, link__response=found)
    try:
        content = file.file.open("rb")
    except FileNotFoundError:
        raise Http404 from None
    return file_to_save(content, file.filename)


@require_POST
@tenant_view(Role.ANALYST)
def nudge(request: TenantRequest, platform_id: str, response_id: str) -> HttpResponse:
    """Remind the owner of a question."""
    found = find_response(platform_id, response_id)
    assignment = get_object_or_404(Assignment.objects.select_related("response__questionnaire"), response=found)
    try:
        services.nudge_owner(assignment, member=request.membership)
        messages.success(request, f"Reminder sent to {found.owner_name}.")
    except services.NotAllowed as refusal:
        messages.warning(request, str(refusal))
    return redirect(address_of(request, found))
