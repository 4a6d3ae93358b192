"""The comments on one object, as its page shows them to one member."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from django.db.models import Prefetch
from django.urls import reverse
from django.utils.safestring import SafeString

from portal.comments.forms import CommentForm
from portal.comments.mentions import names_of
from portal.comments.models import AREA, Comment, Mention, thread_of
from portal.comments.rendering import comment_html
from portal.comments.subjects import Subject
from portal.page_refresh.services import area_version, version_at
from portal.tenants.models import Membership, Role

SHOWN, MORE, MAX_SHOWN = 20, 50, 520
"""So many are on a page, so many more with each step back, and never more than that."""


@dataclass(frozen=True)
class Row:
    """One comment, and what this member can do about it."""

    comment: Comment
    html: SafeString
    may_edit: bool
    may_delete: bool
    delete_url: str
    form: CommentForm | None = None
    """Open where the author edits it."""
    is_deleting: bool = False


@dataclass(frozen=True, kw_only=True)
class Place:
    """Where a member is: the object, and what the address says."""

    subject: Subject
    object_id: str
    member: Membership
    slug: str
    edited: int = 0
    deleted: int = 0
    shown: int = SHOWN

    @property
    def path(self) -> str:
        return reverse("comments:thread", args=[self.slug, self.subject.kind, self.object_id])

    @property
    def address(self) -> str:
        """Where the list asks whether it has changed, as it stands."""
        values = {"edit": self.edited, "delete": self.deleted, "shown": self.shown if self.shown != SHOWN else 0}
        query = "&".join(f"{name}={value}" for name, value in values.items() if value)
        return f"{self.path}?{query}" if query else self.path

    @property
    def list_url(self) -> str:
        """The list as it stands, with no comment open."""
        return replace(self, edited=0, deleted=0).address

    @property
    def page_version(self) -> str:
        return version_at(area_version(AREA), self.address)


def read_place(query: Mapping[str, str], **where: Any) -> Place:
    """Read the address of a list; what makes no sense means the default."""
    shown = min(max(_number(query.get("shown")), SHOWN), MAX_SHOWN)
    return Place(**where, edited=_number(query.get("edit")), deleted=_number(query.get("delete")), shown=shown)


def context_of(place: Place, *, form: CommentForm | None = None, edit_form: CommentForm | None = None) -> dict[str, Any]:
    """Gather what the templates of this room need."""
    seen, subject = place.page_version, place.subject
    threads = [thread_of(subject.kind, each) for each in subject.together(place.object_id)]
    comments = Comment.objects.filter(thread__in=threads)
    mentions = Prefetch("mentions", Mention.objects.select_related("user"))
    rows = list(comments.order_by("-id").prefetch_related(mentions)[: place.shown + 1])
    has_more, rows = len(rows) > place.shown, rows[: place.shown][::-1]
    may_comment = place.member.may(max(Role.ANALYST, subject.role))
    total = comments.filter(deleted_at=None).count() if has_more else sum(row.deleted_at is None for row in rows)
    return {
        "place": place,
        "subject": subject,
        "rows": [_row(place, row, may_comment, edit_form) for row in rows],
        "total": total,
        "more": min(place.shown + MORE, MAX_SHOWN) if has_more and place.shown < MAX_SHOWN else 0,
        "may_comment": may_comment,
        "form": form or CommentForm(auto_id="comment-%s"),
        "add_url": reverse("comments:add", args=[place.slug, subject.kind, place.object_id]),
        "people_url": reverse("comments:people", args=[place.slug, subject.kind, place.object_id]),
        "page_version": seen,
    }


def _row(place: Place, comment: Comment, may_comment: bool, edit_form: CommentForm | None) -> Row:
    is_own = comment.author_id == place.member.user_id
    is_there = comment.deleted_at is None
    may_edit = may_comment and is_there and is_own
    may_delete = may_comment and is_there and (is_own or place.member.may(Role.ADMIN))
    names = {name for mention in comment.mentions.all() for name in names_of(mention.user)}
    form = None
    if may_edit and comment.pk == place.edited:
        form = edit_form or CommentForm({"body": comment.body}, auto_id="comment-edit-%s")
    return Row(
        comment=comment,
        html=comment_html(comment.body, names),
        may_edit=may_edit,
        may_delete=may_delete,
        delete_url=reverse("comments:delete" if is_own else "comments:remove", args=[place.slug, comment.pk]),
        form=form,
        is_deleting=may_delete and comment.pk == place.deleted,
    )


def _number(value: str | None) -> int:
    return int(value) if value and value.isascii() and value.isdigit() and len(value) < 19 else 0
