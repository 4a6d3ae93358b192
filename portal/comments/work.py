"""A mention as work: somebody was asked in a comment, and has neither answered nor resolved it."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import partial

from portal.comments.models import Comment, Mention
from portal.comments.services import Gone, resolve_comment
from portal.comments.subjects import Subject, subject_named
from portal.tenants.models import Membership, Role
from portal.work_items.kinds import Action, Item, Key, Kind, Searched, Source, register_kind
from portal.work_items.services import Members, members_among

NAME = "comment"


def build(ids: Iterable[int]) -> dict[int, Item]:
    """Make the items of those mentions that still ask for something of somebody who can do it."""
    found = list(Mention.objects.open().filter(pk__in=list(ids)).select_related("comment", "user"))
    by_kind: dict[str, list[Mention]] = defaultdict(list)
    for row in found:
        by_kind[row.comment.kind].append(row)
    askers = members_among((row.tenant_id, row.comment.author_id) for row in found)
    wanted = Membership.objects.active().filter(user__in=[row.user for row in found])
    members = {member.user_id: member for member in wanted}
    items = {}
    for kind, rows in by_kind.items():
        if subject := subject_named(kind):
            titles = subject.titles({row.comment.object_id for row in rows})
            doable = [row for row in rows if row.comment.object_id in titles and _may(subject, members.get(row.user_id))]
            items.update({row.pk: _item(subject, row, titles, askers) for row in doable})
    return items


def _may(subject: Subject, member: Membership | None) -> bool:
    """Say whether somebody can answer or resolve: viewers and those who left cannot."""
    return member is not None and member.may(max(Role.ANALYST, subject.role))


def _item(subject: Subject, row: Mention, titles: Mapping[str, str], askers: Members) -> Item:
    comment = row.comment
    is_here = (row.tenant_id, comment.author_id) in askers
    asker_id = comment.author_id if is_here and comment.author_id != row.user_id else None
    return Item(
        title=titles[comment.object_id],
        to_do=f"Asked in a comment by {comment.author_name}",
        url=partial(_url, subject, comment.object_id),
        owner_id=row.user_id,
        owner_name=str(row.user),
        asked_by_id=asker_id,
        role=max(Role.ANALYST, subject.role),
        actions=("resolve",),
    )


def _url(subject: Subject, object_id: str, slug: str) -> str:
    return f"{subject.url(slug, object_id)}#comments"


def _resolve(object_id: int, member: Membership, choice: Mapping[str, str]) -> str:
    mention = Mention.objects.select_related("comment").get(pk=object_id)
    comment = resolve_comment(mention.comment, member=member)
    return f"Resolved the comment by {comment.author_name}"


def register() -> None:
    register_kind(
        Kind(
            name=NAME,
            label="Comment",
            icon="message-square",
            desk="Comments",
            sources=(
                Source(model=Mention, columns=("answered_at",)),
                Source(model=Comment, columns=("resolved_at", "deleted_at"), children=(Mention, "comment")),
            ),
            build=build,
            searched=Searched(Comment, "comment"),
            objects=lambda: Mention.objects.open(),
            has_owners=True,
            # What is commented on is known by the platform's ids, which several tenants may have.
            is_asked_by_tenant=True,
            actions={"resolve": Action(label="Resolve", key=Key.CLOSE, role=Role.ANALYST, run=_resolve)},
            refusals=(Gone, Mention.DoesNotExist),
            error_message=lambda error, slug: "This comment was deleted meanwhile.",
        )
    )
