from typing import Protocol

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_GET, require_POST

from portal.comments import services
from portal.comments.forms import CommentForm
from portal.comments.mentions import Mentioned, members_of_tenant
from portal.comments.models import Comment
from portal.comments.subjects import Subject, subject_named
from portal.comments.thread import Place, context_of, read_place
from portal.page_refresh.services import is_unchanged
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Membership, Role
from portal.ui.toasts import toast

MAX_OFFERED = 8


@require_GET
@tenant_view(Role.VIEWER)
def thread(request: TenantRequest, kind: str, object_id: str) -> HttpResponse:
    """The comments on one object: the list that its page polls, or a page of their own where no script runs."""
    place = _place(request, kind, object_id)
    if request.htmx and is_unchanged(request, place.page_version):
        return HttpResponse(status=204)
    return _show(request, place, template="comments/_list.html")


@require_GET
@tenant_view(Role.ANALYST)
def people(request: TenantRequest, kind: str, object_id: str) -> HttpResponse:
    """Whom an @ could mean, as options."""
    subject = _place(request, kind, object_id).subject
    words = request.GET.get("q", "")[:120]
    found = services.people_for(subject, words, members=members_of_tenant(), number=MAX_OFFERED)
    return render(request, "comments/_people.html", {"people": found})


@require_POST
@tenant_view(Role.ANALYST)
def add(request: TenantRequest, kind: str, object_id: str) -> HttpResponse:
    place, form = _place(request, kind, object_id), CommentForm(request.POST, auto_id="comment-%s")
    if form.is_valid():
        try:
            _, found = services.add_comment(place.subject, object_id, form.cleaned_data["body"], member=request.membership)
        except services.NotSaved as refusal:
            form.add_error("body", str(refusal))
        else:
            return _done(request, place, _unknown(found))
    return _show(request, place, template="comments/_body.html", status=422, form=form)


@require_POST
@tenant_view(Role.ANALYST)
def edit(request: TenantRequest, comment_id: int) -> HttpResponse:
    comment = get_object_or_404(Comment, pk=comment_id)
    place, form = _place_of(request, comment, edited=comment_id), CommentForm(request.POST, auto_id="comment-edit-%s")
    if form.is_valid():
        try:
            _, found = services.edit_comment(comment, form.cleaned_data["body"], member=request.membership)
        except services.Gone as refusal:
            return _done(request, _place_of(request, comment), str(refusal))
        except services.NotSaved as refusal:
            form.add_error("body", str(refusal))
        else:
            return _done(request, _place_of(request, comment), _unknown(found))
    return _show(request, place, template="comments/_list.html", status=422, edit_form=form)


@require_POST
@tenant_view(Role.ANALYST)
def delete(request: TenantRequest, comment_id: int) -> HttpResponse:
    """Delete one's own comment."""
    return _write(request, comment_id, services.delete_comment)


@require_POST
@tenant_view(Role.ADMIN)
def remove(request: TenantRequest, comment_id: int) -> HttpResponse:
    """Delete anybody's comment."""
    return _write(request, comment_id, services.delete_comment)


@require_POST
@tenant_view(Role.ANALYST)
def resolve(request: TenantRequest, comment_id: int) -> HttpResponse:
    return _write(request, comment_id, services.resolve_comment)


@require_POST
@tenant_view(Role.ANALYST)
def reopen(request: TenantRequest, comment_id: int) -> HttpResponse:
    return _write(request, comment_id, services.reopen_comment)


class _Write(Protocol):
    def __call__(self, comment: Comment, /, *, member: Membership) -> object: ...


def _write(request: TenantRequest, comment_id: int, write: _Write) -> HttpResponse:
    """Change a comment and show the place again. Who comes after its deletion is told so."""
    comment = get_object_or_404(Comment, pk=comment_id)
    warning = ""
    try:
        write(comment, member=request.membership)
    except services.Gone as refusal:
        warning = str(refusal)
    return _done(request, _place_of(request, comment), warning)


def _unknown(found: Mentioned) -> str:
    """Nobody believes that somebody was told who was not."""
    return f"No one here is called @{found.unknown[0]}, so no one was notified of that mention." if found.unknown else ""


def _subject(request: TenantRequest, kind: str, object_id: str) -> Subject:
    subject = subject_named(kind)
    if subject is None or not request.membership.may(subject.role) or subject.title(object_id) is None:
        raise Http404("no such object")
    return subject


def _place(request: TenantRequest, kind: str, object_id: str) -> Place:
    subject = _subject(request, kind, object_id)
    where = {"subject": subject, "object_id": object_id, "member": request.membership, "slug": request.tenant.slug}
    return read_place(request.GET, **where)


def _place_of(request: TenantRequest, comment: Comment, *, edited: int = 0) -> Place:
    """Of comments that are shown together, each is worked on from the page that the person has open."""
    object_id = request.POST.get("of") or comment.object_id
    subject = _subject(request, comment.kind, object_id)
    shown = request.POST.get("shown", "")
    where = {"subject": subject, "object_id": object_id, "member": request.membership, "slug": request.tenant.slug}
    return read_place({"edit": str(edited), "shown": shown}, **where)


def _done(request: TenantRequest, place: Place, warning: str = "") -> HttpResponse:
    if not request.htmx:
        if warning:
            messages.warning(request, warning)
        return redirect(f"{place.subject.url(request.tenant.slug, place.object_id)}#comments")
    template = "comments/_list.html" if request.htmx.target == "comments-list" else "comments/_body.html"
    response = _show(request, place, template=template)
    return toast(response, warning, tone="warn") if warning else response


def _show(
    request: TenantRequest,
    place: Place,
    *,
    template: str,
    status: int = 200,
    form: CommentForm | None = None,
    edit_form: CommentForm | None = None,
) -> HttpResponse:
    context = context_of(place, form=form, edit_form=edit_form)
    if not request.htmx:
        template = "comments/thread.html"
        context |= {
            "title": place.subject.title(place.object_id),
            "url": place.subject.url(request.tenant.slug, place.object_id),
        }
    return render(request, template, context, status=status)
