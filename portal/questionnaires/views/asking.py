from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST

from portal.platform_writes.models import MAX_ITEMS
from portal.questionnaires import selectors, services
from portal.questionnaires.filters import ResponseFilters
from portal.questionnaires.forms import AnswerForm, AssignQuestionsForm, ExpertForm
from portal.questionnaires.models import Assignment, ExpertLink, Questionnaire, Response
from portal.questionnaires.views.rendering import find, find_response
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role


@require_http_methods(["GET", "HEAD", "POST"])
@tenant_view(Role.ANALYST)
def ask(request: TenantRequest, platform_id: str) -> HttpResponse:
    """Put the chosen questions to somebody; the first call asks to whom."""
    questionnaire = find(platform_id)
    filters = ResponseFilters.read(request.GET)
    rows = chosen(request, questionnaire, filters)
    back = reverse("questionnaires:questionnaire", args=[request.tenant.slug, platform_id]) + filters.query()
    if not rows:
        messages.warning(request, "Nobody was asked: no question is selected.")
        return redirect(back)
    how = request.POST.get("how", "")
    owner_form = AssignQuestionsForm(request.POST if how == "owner" else None, questionnaire=questionnaire, auto_id="owner-%s")
    expert_form = ExpertForm(request.POST if how == "expert" else None, auto_id="expert-%s")
    refusal = ""
    try:
        if how == "owner" and owner_form.is_valid():
            run = services.assign_questions(owner_form.change(), member=request.membership, responses=rows)
            return redirect("questionnaires:bulk_run", slug=request.tenant.slug, run_id=run.pk)
        if how == "expert" and expert_form.is_valid():
            services.ask_expert(expert_form.expert(), member=request.membership, responses=rows)
            messages.success(request, f"A mail with {'the link' if len(rows) == 1 else f'{len(rows)} links'} is on its way.")
            return redirect(address_of(request, rows[0]) if len(rows) == 1 else f"{back.partition('?')[0]}?show=asked")
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
    return render(request, "questionnaires/ask.html", context, status=422 if how else 200)


def chosen(request: TenantRequest, questionnaire: Questionnaire, filters: ResponseFilters) -> list[Response]:
    """The ticked questions, or all that the filters show; one more than can be changed at once tells of too many."""
    rows = Response.objects.present().filter(questionnaire=questionnaire).defer("payload", "search")
    if "all" in request.POST:
        rows = filters.narrow(rows, me=request.user.name)
    else:
        given = request.POST if request.method == "POST" else request.GET
        keys = {int(key) for key in given.getlist("chosen")[: MAX_ITEMS + 1] if key.isdecimal() and len(key) < 19}
        rows = rows.filter(pk__in=keys)
    return list(rows.order_by(*selectors.RESPONSE_ORDER)[: MAX_ITEMS + 1])


@require_POST
@tenant_view(Role.ANALYST)
def expert_link(request: TenantRequest, platform_id: str, response_id: str, link_id: int) -> HttpResponse:
    """Remind an expert, revoke their link, take their answer over or put it aside."""
    found = find_response(platform_id, response_id)
    link = get_object_or_404(ExpertLink.objects.select_related("response__questionnaire", "tenant"), pk=link_id, response=found)
    try:
        messages.success(request, settle(request, link))
    except services.NotAllowed as refusal:
        messages.warning(request, str(refusal))
    return redirect(address_of(request, found))


def settle(request: TenantRequest, link: ExpertLink) -> str:
    """Do what was asked for and say what was done. Raises NotAllowed."""
    member = request.membership
    match request.POST.get("do"):
        case "nudge":
            services.nudge_expert(link, member=member)
            return "They were reminded."
        case "revoke":
            services.revoke_link(link, member=member)
            return "The link leads nowhere any more."
        case "take":
            form = AnswerForm(link.response.answer, mine=link.values)
            services.take_over(link, member=member, typed=form.shown_parts(link.values))
            return "Their answer is in the form. Read it, then save it."
        case "aside":
            services.put_aside(link, member=member)
            return "Answer dismissed."
    raise services.NotAllowed("Nothing was asked for.")


@require_POST
@tenant_view(Role.ANALYST)
def nudge(request: TenantRequest, platform_id: str, response_id: str) -> HttpResponse:
    """Remind the owner of a question."""
    found = find_response(platform_id, response_id)
    assignment = get_object_or_404(Assignment.objects.select_related("response__questionnaire"), response=found)
    try:
        services.nudge_owner(assignment, member=request.membership)
        messages.success(request, f"{found.owner_name} was reminded.")
    except services.NotAllowed as refusal:
        messages.warning(request, str(refusal))
    return redirect(address_of(request, found))


def address_of(request: TenantRequest, response: Response) -> str:
    ids = [request.tenant.slug, response.questionnaire.platform_id, response.platform_id]
    return reverse("questionnaires:response", args=ids)
