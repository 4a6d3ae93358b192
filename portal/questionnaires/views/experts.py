from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.cache import patch_cache_control
from django.views.decorators.http import require_http_methods

from portal.questionnaires import services
from portal.questionnaires.forms import AnswerForm
from portal.questionnaires.models import ExpertLink
from portal.tenants.scope import tenant_scope


@require_http_methods(["GET", "HEAD", "POST"])
@login_not_required
def expert(request: HttpRequest, token: str) -> HttpResponse:
    """The one question that somebody without a login was asked, and nothing else."""
    link = services.open_expert_link(token)
    if link is None:
        raise Http404("no such link")
    with tenant_scope(link.tenant_id):
        answer = take_answer(request, link) if request.method == "POST" else show(request, link)
    patch_cache_control(answer, private=True, no_store=True)
    answer["X-Robots-Tag"] = "noindex"
    return answer


def take_answer(request: HttpRequest, link: ExpertLink) -> HttpResponse:
    form = AnswerForm(link.response.answer, data=request.POST, mine=link.values)
    if not form.is_valid():
        return draw(request, link, form, status=422)
    parts = form.changes
    if not parts and not link.response.is_answered:
        return draw(request, link, form, is_empty=True, status=422)
    try:
        services.answer_by_link(link, seen=form.cleaned_data["seen"], parts=parts)
    except services.LinkEnded:
        return draw(request, link, form, status=410)
    return redirect(request.get_full_path())


def show(request: HttpRequest, link: ExpertLink) -> HttpResponse:
    if link.has_ended or link.response.gone_at:
        return draw(request, link, None, status=410)
    if request.method == "GET":
        services.note_opened(link)
    return draw(request, link, AnswerForm(link.response.answer, mine=link.values))


def draw(
    request: HttpRequest, link: ExpertLink, form: AnswerForm | None, *, is_empty: bool = False, status: int = 200
) -> HttpResponse:
    context = {"link": link, "tenant": link.tenant, "response": link.response, "form": form, "is_empty": is_empty}
    context["has_ended"] = status == 410
    return render(request, "questionnaires/expert.html", context, status=status)
