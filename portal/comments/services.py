"""Write, edit, delete and resolve comments: who may, who is asked, what the audit trail keeps."""

from collections.abc import Iterable, Mapping
from typing import Any

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.utils import timezone

from portal.audit.services import record
from portal.comments.mentions import Mentioned, mentioned_in
from portal.comments.models import AREA, Comment, Mention, thread_of
from portal.comments.personal_data import without_addresses
from portal.comments.signals import mentioned
from portal.comments.subjects import Subject, registered
from portal.page_refresh.services import touch_areas
from portal.tenants.models import Membership, Role

MAX_MENTIONS = 20
"""Of one comment: nobody asks the whole company by accident."""
MAX_AUDITED = 500
"""Characters of a text that its entry in the audit trail shows."""


class NotSaved(Exception):
    """A comment cannot be kept like this; the message says why, for people."""


class Gone(NotSaved):
    """The comment was deleted meanwhile."""


@transaction.atomic
def add_comment(subject: Subject, object_id: str, body: str, *, member: Membership) -> tuple[Comment, Mentioned]:
    """Write a comment on an object. Raises NotSaved, and PermissionDenied for a role that may not."""
    _check(member, subject)
    found = _mentioned(subject, body, by=member)
    comment = Comment.objects.create(
        kind=subject.kind,
        object_id=object_id,
        thread=thread_of(subject.kind, object_id),
        author=member.user,
        author_name=str(member.user)[:120],
        body=body,
        search=body.casefold(),
    )
    _answer(subject, comment, member)
    _ask(comment, found, member)
    _note(comment, "add", "Commented.", member, {"mentioned": [str(each.user) for each in found.members.values()]})
    return comment, found


@transaction.atomic
def edit_comment(comment: Comment, body: str, *, member: Membership) -> tuple[Comment, Mentioned]:
    """Change one's own comment. Raises NotSaved, and PermissionDenied for somebody else's."""
    locked, subject = _locked(comment), registered(comment.kind)
    _check(member, subject)
    if locked.author_id != member.user_id:
        raise PermissionDenied
    found = _mentioned(subject, body, by=member)
    before, locked.body = locked.body, body
    if before != body:
        locked.search, locked.edited_at = body.casefold(), timezone.now()
        locked.save(update_fields=["body", "search", "edited_at"])
        locked.mentions.exclude(user__in=[each.user_id for each in found.members.values()]).delete()
        _ask(locked, found, member)
        changes = {"before": _audited(before), "after": _audited(body)}
        _note(locked, "edit", "Edited a comment.", member, changes)
    return locked, found


@transaction.atomic
def delete_comment(comment: Comment, *, member: Membership) -> None:
    """Delete a comment with its text. Raises Gone, and PermissionDenied for somebody else's unless an admin does it."""
    locked = _locked(comment)
    _check(member, registered(comment.kind))
    if locked.author_id != member.user_id and not member.may(Role.ADMIN):
        raise PermissionDenied
    locked.body = locked.search = ""
    locked.deleted_at, locked.deleted_by_name = timezone.now(), str(member.user)[:120]
    locked.save(update_fields=["body", "search", "deleted_at", "deleted_by_name"])
    locked.mentions.all().delete()
    whose = "a comment" if locked.author_id == member.user_id else f"a comment by {locked.author_name}"
    _note(locked, "delete", f"Deleted {whose}.", member)


@transaction.atomic
def resolve_comment(comment: Comment, *, member: Membership) -> Comment:
    """Say that nothing is left to do about a comment. Raises Gone."""
    locked = _locked(comment)
    _check(member, registered(comment.kind))
    if locked.resolved_at is None:
        locked.resolved_at, locked.resolved_by_name = timezone.now(), str(member.user)[:120]
        locked.save(update_fields=["resolved_at", "resolved_by_name"])
        _note(locked, "resolve", f"Resolved a comment by {locked.author_name}.", member)
    return locked


@transaction.atomic
def reopen_comment(comment: Comment, *, member: Membership) -> Comment:
    """Take the resolution of a comment back. Raises Gone."""
    locked = _locked(comment)
    _check(member, registered(comment.kind))
    if locked.resolved_at is not None:
        locked.resolved_at, locked.resolved_by_name = None, ""
        locked.save(update_fields=["resolved_at", "resolved_by_name"])
        _note(locked, "reopen", f"Reopened a comment by {locked.author_name}.", member)
    return locked


def _check(member: Membership, subject: Subject) -> None:
    if not member.may(max(Role.ANALYST, subject.role)):
        raise PermissionDenied


def _locked(comment: Comment) -> Comment:
    locked = Comment.objects.select_for_update().get(pk=comment.pk)
    if locked.deleted_at is not None:
        raise Gone("This comment was deleted meanwhile.")
    return locked


def _mentioned(subject: Subject, body: str, *, by: Membership) -> Mentioned:
    found = mentioned_in(body, by=by)
    if found.ambiguous:
        raise NotSaved(f"Several members are called {found.ambiguous[0]}. Write the email address of the one you mean.")
    if len(found.members) > MAX_MENTIONS:
        raise NotSaved(f"A comment can mention at most {MAX_MENTIONS} people; this one mentions {len(found.members)}.")
    for member in found.members.values():
        if not member.may(subject.role):
            raise NotSaved(f"{member.user} can't open this {subject.label}: that takes the {subject.role.label} role.")
    return found


def _answer(subject: Subject, comment: Comment, member: Membership) -> None:
    """Whoever writes has answered what they were asked above, also about the objects that are shown together with this one."""
    threads = [thread_of(subject.kind, each) for each in subject.together(comment.object_id)]
    asked = Mention.objects.filter(user=member.user, answered_at=None, comment__thread__in=threads, comment_id__lt=comment.pk)
    asked.update(answered_at=comment.created_at)


def _ask(comment: Comment, found: Mentioned, member: Membership) -> None:
    known = set(comment.mentions.values_list("user_id", flat=True))
    new = [each for each in found.members.values() if each.user_id not in known]
    Mention.objects.bulk_create([Mention(comment=comment, user=each.user) for each in new])
    if new:
        mentioned.send(Comment, comment=comment, membership_ids=[each.pk for each in new], actor=member.user)


def _audited(text: str) -> str:
    return without_addresses(text)[:MAX_AUDITED]


def _note(comment: Comment, verb: str, summary: str, member: Membership, details: Mapping[str, Any] | None = None) -> None:
    """Write it into the audit trail and show it on open pages."""
    subject = registered(comment.kind)
    record(
        f"comment.{verb}",
        target=(subject.kind, subject.target(comment.object_id)),
        summary=without_addresses(summary),
        actor=member.user,
        details={"comment": comment.pk, **subject.facts(comment.object_id), **(details or {})},
    )
    touch_areas(AREA)
    subject.changed(comment.object_id, without_addresses(summary), member)


def people_for(subject: Subject, words: str, *, members: Iterable[Membership], number: int) -> list[Membership]:
    """Return the members who can be mentioned and whose name or address begins like this."""
    folded = words.casefold().strip()
    fitting = [each for each in members if each.may(subject.role) and _fits(each, folded)]
    return fitting[:number]


def _fits(member: Membership, folded: str) -> bool:
    name, email = member.user.name.casefold(), member.user.email.casefold()
    return name.startswith(folded) or email.startswith(folded) or any(word.startswith(folded) for word in name.split())
