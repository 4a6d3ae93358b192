from collections.abc import Sequence
from dataclasses import dataclass

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.cache import patch_cache_control
from django.views.decorators.http import require_http_methods, require_safe

from portal.questionnaires import services
from portal.questionnaires.expert_requests import batch_progress, in_words, next_open
from portal.questionnaires.forms import AnswerForm, AttachmentForm
from portal.questionnaires.models import ExpertLink
from portal.tenants.scope import tenant_scope


@dataclass(frozen=True)
class Ended:
    """Why a link opens its question no longer, for the one who has it."""

    title: str
    text: str
    tone: str = "warn"


@require_http_methods(["GET", "HEAD", "POST"])
@login_not_required
def expert(request: HttpRequest, token: str) -> HttpResponse:
    """The one question that somebody without a login was asked, and nothing else."""
    link = services.open_expert_link(token)
    if link is None:
        return unknown_link(request)
    with tenant_scope(link.tenant_id):
        return private(take_answer(request, link) if request.method == "POST" else show(request, link))


@require_safe
@login_not_required
def expert_list(request: HttpRequest, token: str) -> HttpResponse:
    """The questions that somebody without a login was asked together, each on a page of its own."""
    links = services.open_asking(token)
    if not links:
        return unknown_link(request)
    with tenant_scope(links[0].tenant_id):
        return private(show_list(request, links))


def unknown_link(request: HttpRequest) -> HttpResponse:
    """Answer a link that leads nowhere, for somebody who cannot sign in."""
    return private(render(request, "link_unknown.html", status=404))


def private(answer: HttpResponse) -> HttpResponse:
    """Keep a page that only a link protects out of caches and search engines."""
    patch_cache_control(answer, private=True, no_store=True)
    answer["X-Robots-Tag"] = "noindex"
    return answer


def take_answer(request: HttpRequest, link: ExpertLink) -> HttpResponse:
    form = answer_form(link, data=request.POST)
    attachment = AttachmentForm(request.POST, request.FILES, auto_id="attachment-%s")
    # Each of them says what is wrong with its part.
    if not all([form.is_valid(), attachment.is_valid()]):
        return draw(request, link, form, attachment, status=422)
    parts, file = form.changes, attachment.cleaned_data["file"]
    if not parts and not file and not link.response.is_answered and not link.answered_at:
        return draw(request, link, form, attachment, is_empty=True, status=422)
    try:
        is_left = services.answer_by_link(link, seen=form.cleaned_data["seen"], parts=parts, file=file)
    except services.TooManyFiles:
        attachment.refuse_more()
        return draw(request, link, form, attachment, status=422)
    except services.TooManyAnswers:
        return draw(request, link, form, attachment, is_too_often=True, status=422)
    except services.LinkEnded:
        link.refresh_from_db()
        return draw_ended(request, link, unsent=in_words(link.response, parts))
    if is_left:
        return redirect(request.get_full_path())
    link.refresh_from_db()
    return draw(request, link, answer_form(link), AttachmentForm(auto_id="attachment-%s"), is_taken_back=True)


def answer_form(link: ExpertLink, *, data: QueryDict | None = None) -> AnswerForm:
    """The form of an answer, with what the expert has sent before."""
    return AnswerForm(link.response.answer, data=data, mine=link.values, compares=False, continues=True)


def show(request: HttpRequest, link: ExpertLink) -> HttpResponse:
    if not link.is_open:
        return draw_ended(request, link)
    if request.method == "GET":
        services.note_opened(link)
    return draw(request, link, answer_form(link), AttachmentForm(auto_id="attachment-%s"))


def show_list(request: HttpRequest, links: Sequence[ExpertLink]) -> HttpResponse:
    """List the questions that can still be opened. One that has ended is counted, and shown no more."""
    shown = [link for link in links if link.is_open]
    answered = [link for link in links if link.answered_at]
    first, total = (shown or answered or links)[0], len({link.pk for link in (*shown, *answered)})
    context: dict[str, object] = {
        "asked": first,
        "tenant": first.tenant,
        "rows": [(link, reverse("expert", args=[link.token])) for link in shown],
        "done": len(answered),
        "total": total,
        "withdrawn": len(links) - total,
    }
    if not shown:
        context["ended"] = why_all_ended(links)
        return render(request, "questionnaires/expert_list.html", context, status=410)
    if request.method == "GET":
        services.note_opened(*shown)
    return render(request, "questionnaires/expert_list.html", context)


def draw(
    request: HttpRequest,
    link: ExpertLink,
    form: AnswerForm,
    attachment: AttachmentForm,
    *,
    is_empty: bool = False,
    is_taken_back: bool = False,
    is_too_often: bool = False,
    status: int = 200,
) -> HttpResponse:
    is_sent = link.answered_at is not None and not form.is_bound
    context = context_of(link) | {
        "form": form,
        "attachment": attachment if services.has_room(link) else None,
        "files": link.files.all(),
        "is_empty": is_empty,
        "is_taken_back": is_taken_back,
        "is_too_often": is_too_often,
        "is_sent": is_sent,
        "written": in_words(link.response, link.values) if is_sent else [],
    }
    if link.asking:
        following = next_open(link)
        context |= {
            "together": batch_progress([link]).get(link.asking),
            "list_url": reverse("expert_list", args=[link.asking_token]),
            "next_url": following and reverse("expert", args=[following.token]),
        }
    return render(request, "questionnaires/expert.html", context, status=status)


def draw_ended(request: HttpRequest, link: ExpertLink, *, unsent: list[tuple[str, str]] | None = None) -> HttpResponse:
    """Say why a link has ended. The question is shown only to somebody who has just sent an answer to it."""
    context = context_of(link) | {"ended": why_ended(link), "unsent": unsent}
    return render(request, "questionnaires/expert.html", context, status=410)


def context_of(link: ExpertLink) -> dict[str, object]:
    return {"asked": link, "tenant": link.tenant, "question": link.response.question}


def why_all_ended(links: Sequence[ExpertLink]) -> Ended:
    """Say why none of the questions that were asked together can be opened; an unanswered one says more than the others."""
    open_one = next((link for link in links if not link.answered_at), None)
    if open_one:
        return why_ended(open_one)
    sender = f"{links[0].made_by_name} at {links[0].tenant}"
    return Ended("Your answers have arrived", f"{sender} has them. You can no longer change them here.", tone="good")


def why_ended(link: ExpertLink) -> Ended:
    sender = f"{link.made_by_name} at {link.tenant}"
    if link.answered_at:
        return Ended("Your answer has arrived", f"{sender} has it. You can no longer change it here.", tone="good")
    if link.response.gone_at:
        return Ended("The question was removed", f"{sender} no longer needs an answer to it.", tone="info")
    if not link.is_needed:
        return Ended("Your answer is no longer needed", f"{sender} no longer needs an answer to it.", tone="info")
    if link.revoked_at:
        return Ended("The question was withdrawn", f"If you were asked again, open the newest email. Otherwise ask {sender}.")
    return Ended("The link has expired", f"No answer was sent. If one is still needed, ask {sender} for a new link.")
