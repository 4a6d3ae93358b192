from dataclasses import replace
from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from portal.library.models import Entry
from portal.library.selectors import FoundEntry, find_entries, find_passages
from portal.library.similarity import WORTH_SHOWING, Search
from portal.questionnaires import selectors, services
from portal.questionnaires.filters import ResponseFilters
from portal.questionnaires.forms import AnswerForm, orphaned
from portal.questionnaires.library_uses import keep_answer
from portal.questionnaires.memory import remember, search
from portal.questionnaires.models import Response
from portal.questionnaires.refusals import REFUSALS, refusal_for
from portal.questionnaires.views.rendering import address_of, find_response, render_desk
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role
from portal.ui.list_filters import clean_text
from portal.ui.toasts import edit_open, toast

ENTRIES_SHOWN = 3
PASSAGES_SHOWN = 2
MAX_QUESTION_TOLD = 120
"""Of a question that a toast names: enough to know it by."""
TEXT_KEPT = "Your text is below, so that you can copy it."
FORM_CHANGED = "The form of this question changed while you were writing."


@require_http_methods(["GET", "HEAD", "POST"])
@tenant_view(Role.VIEWER)
def response(request: TenantRequest, platform_id: str, response_id: str) -> HttpResponse:
    """One question with its answer, beside the list of all questions; posting saves the answer."""
    found = find_response(platform_id, response_id)
    return save_answer(request, found) if request.method == "POST" else render_desk(request, found.questionnaire, found)


@require_POST
@tenant_view(Role.ANALYST)
def draft(request: TenantRequest, platform_id: str, response_id: str) -> HttpResponse:
    """Keep what a person has typed so far, sent by the page itself; or discard it, and show the answer as it is."""
    found = find_response(platform_id, response_id)
    if "discard" not in request.POST:
        keep(request, found, AnswerForm(found.answer, data=request.POST))
        return HttpResponse(status=204)
    services.discard_draft(found, member=request.membership)
    address = address_of(request, found)
    return render_desk(request, found.questionnaire, found, address=address) if request.htmx else redirect(address)


@require_GET
@tenant_view(Role.VIEWER)
def memory(request: TenantRequest, platform_id: str, response_id: str) -> HttpResponse:
    """What was answered before to questions like this one; a fragment beside the answer, or a page of its own."""
    found, words = find_response(platform_id, response_id), clean_text(request.GET.get("words", ""))
    wanted = None if words else Search(found.question)
    context = {
        "response": found,
        "questionnaire": found.questionnaire,
        "address": address_of(request, found),
        "words": words,
        "memory": remember(found, wanted) if wanted else search(words, beside=found),
        "entries": _entries(wanted, words),
        "passages": find_passages(wanted, most=PASSAGES_SHOWN, least=WORTH_SHOWING) if wanted else [],
        "may_insert": bool(request.htmx) and request.membership.may(Role.ANALYST),
    }
    return render(request, f"questionnaires/memory.html{'#memory' if request.htmx else ''}", context)


def _entries(wanted: Search | None, words: str) -> list[FoundEntry]:
    """Return the entries of the library that fit: the question, or else what a person typed."""
    today = timezone.localdate()
    if wanted:
        return [each for each in find_entries(wanted, today=today, most=ENTRIES_SHOWN) if each.score >= WORTH_SHOWING]
    return [FoundEntry(entry) for entry in Entry.objects.with_state(today).matching(words)[:ENTRIES_SHOWN]]


@require_POST
@tenant_view(Role.ANALYST)
def keep_in_library(request: TenantRequest, platform_id: str, response_id: str) -> HttpResponse:
    """Keep an answer in the library, and open its entry; one that is there already is opened as it is."""
    found = find_response(platform_id, response_id)
    if not found.is_answered:
        messages.warning(request, "There is no answer to keep yet.")
        return redirect(address_of(request, found))
    entry, is_new = keep_answer(found, member=request.membership)
    if is_new:
        messages.success(request, "Kept in the library. You can add tags, other ways to ask and a review date.")
    else:
        messages.info(request, "This question is already in the library. This is its entry.")
    return redirect("library:entry", slug=request.tenant.slug, entry_id=entry.pk)


def keep(request: TenantRequest, found: Response, form: AnswerForm) -> None:
    form.is_valid()  # what is no answer yet is kept as well
    draft = services.draft_of(found, member=request.membership)
    typed = {**form.unseen(draft.typed if draft else {}), **form.orphans, **form.typed}
    services.keep_draft(found, member=request.membership, seen=form.data.get("seen", ""), typed=typed)


def end_draft(request: TenantRequest, saved: Response) -> None:
    """Drop what is saved now. What has no place in the form stays, to be copied, until the person discards it."""
    draft = services.draft_of(saved, member=request.membership)
    left = orphaned(draft.typed, saved.answer) if draft else {}
    services.keep_draft(saved, member=request.membership, seen=saved.answer.fingerprint, typed=left)


def save_answer(request: TenantRequest, found: Response) -> HttpResponse:
    """Save an answer. What cannot be saved comes back with the person's text still in the form."""
    if not request.membership.may(Role.ANALYST):
        raise PermissionDenied
    form = AnswerForm(found.answer, data=request.POST)
    # Whatever becomes of it: the text is kept until it is saved.
    keep(request, found, form)
    if form.orphans:
        return refuse(request, found, FORM_CHANGED)
    if not form.is_valid():
        return refuse(request, found, "It doesn't fit the form.", form=form)
    seen, parts = form.cleaned_data["seen"], form.changes
    try:
        saved = services.update_answer(found, member=request.membership, seen=seen, parts=parts)
    except services.AnswerConflict as conflict:
        form, lost = AnswerForm(conflict.response.answer, mine=parts), orphaned(parts, conflict.response.answer)
        why = FORM_CHANGED if lost else "Someone changed it while you were writing."
        return refuse(request, conflict.response, why, form=form, has_conflict=len(lost) < len(parts))
    except REFUSALS as error:
        found = find_response(found.questionnaire.platform_id, found.platform_id)
        refusal = refusal_for(error, slug=request.tenant.slug)
        if isinstance(error, services.ResponseGone):
            refusal = replace(refusal, text=f"{refusal.text} {TEXT_KEPT}")
        return refuse(request, found, f"{refusal.title}.", form=form, pane_refusal=refusal)
    end_draft(request, saved)
    sent = request.POST
    inserted = services.Inserted(
        drafted=form.cleaned_data["drafted"], entries=sent.getlist("entry"), earlier=sent.getlist("earlier")
    )
    services.note_save(found, saved, inserted=inserted, parts=parts, member=request.membership)
    words = "Saved." if parts else "Nothing to save: the answer is unchanged."
    if is_behind(request):
        return toast(HttpResponse(status=204), words)
    if "next" in request.POST:
        return open_next(request, saved, words)
    return show_saved(request, saved, words)


def is_behind(request: TenantRequest) -> bool:
    """Whether the page shows the next question already, and only has to be told what became of this one."""
    return request.POST.get("next") == "behind"


def refuse(request: TenantRequest, found: Response, why: str, *, form: AnswerForm | None = None, **extra: Any) -> HttpResponse:
    """Show the answer that was not saved; who has gone on hears of it, with the way back to the text."""
    if not is_behind(request):
        return render_desk(request, found.questionnaire, found, form=form, status=422, **extra)
    words = f"Not saved: “{found.question[:MAX_QUESTION_TOLD]}”. {why} Your text is kept."
    return toast(HttpResponse(status=422), words, tone="bad", url=address_of(request, found), link="Open it")


def open_next(request: TenantRequest, saved: Response, words: str) -> HttpResponse:
    """Open the next question without an answer, ready to type into; the saved one stays open when there is none."""
    following = selectors.next_unanswered(saved, only_drafted=ResponseFilters.read(request.GET).show == "drafted")
    if following is None:
        return show_saved(request, saved, f"{words} No other questions are unanswered.")
    return edit_open(show_saved(request, following, words))


def show_saved(request: TenantRequest, shown: Response, words: str) -> HttpResponse:
    """Show a question after a save, and say what became of the save."""
    address = address_of(request, shown)
    if not request.htmx:
        messages.success(request, words)
        return redirect(address)
    answer = render_desk(request, shown.questionnaire, shown, address=address)
    answer["HX-Push-Url"] = address
    return toast(answer, words)
