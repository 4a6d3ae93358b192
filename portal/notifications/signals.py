"""What other rooms send: who is mentioned in a comment hears of it, of new work those who can take it.

Admins hear which secrets of the team's channels a former admin may know.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import Any
from urllib.parse import urlencode

from django.urls import reverse
from django.utils import timezone

from portal.comments.models import Comment
from portal.comments.personal_data import without_addresses
from portal.comments.signals import mentioned
from portal.comments.subjects import registered
from portal.members.signals import admin_lost
from portal.notifications.kinds import CONNECTION, MAY_COME_BACK, MENTION, OVERDUE, Kind, kind_of_desk
from portal.notifications.models import MAX_TEXT, Notification, TeamChannel
from portal.notifications.selectors import members_from, team_channels
from portal.notifications.services import mark_unread, notify
from portal.notifications.services.notifications import cut
from portal.tenants.models import Membership, Role
from portal.users.models import User
from portal.work_items.kinds import Item
from portal.work_items.kinds import Kind as Work
from portal.work_items.models import WorkItem
from portal.work_items.selectors import Line
from portal.work_items.signals import arrived, overdue

MAX_SINGLE = 3
"""More that come at once are one notification."""
AN_HOUR = timedelta(hours=1)


def connect() -> None:
    mentioned.connect(tell_mentioned, dispatch_uid="notifications.mentioned")
    arrived.connect(tell_of_new_work, dispatch_uid="notifications.arrived")
    overdue.connect(tell_of_overdue_work, dispatch_uid="notifications.overdue")
    admin_lost.connect(tell_of_known_secrets, dispatch_uid="notifications.admin_lost")


def tell_mentioned(sender: object, *, comment: Comment, membership_ids: Collection[int], actor: User, **_: Any) -> None:
    """Tell the members. What was said stays in the comment, which can be changed and deleted."""
    subject = registered(comment.kind)
    title = subject.title(comment.object_id) or f"a {subject.label}"
    members = Membership.objects.filter(pk__in=membership_ids)
    notify(
        MENTION,
        list(members.values_list("user_id", flat=True)),
        key=f"mention:{comment.pk}",
        title=without_addresses(f"{actor} mentioned you on {title}"),
        text=subject.label.capitalize(),
        url=lambda slug: f"{subject.url(slug, comment.object_id)}#comments",
        about=("", comment.pk),
    )


def tell_of_new_work(sender: object, *, kind: Work, items: Mapping[int, Item], at: datetime, **_: Any) -> None:
    """Tell those who can take it, and the team. Many at once, as after a first sync, are told at most twice an hour."""
    news = kind_of_desk(kind.desk)
    if news is None:
        return
    since = at - MAY_COME_BACK
    before = Notification.objects.filter(work_kind=kind.name, object_id__in=items, kind=news.name, made_at__gt=since)
    told = set(before.values_list("object_id", "text"))
    of_asker: dict[int | None, dict[int, Item]] = defaultdict(dict)
    for object_id, item in items.items():
        if (object_id, _text_of(item)) in told:
            # It was gone for a moment, as somebody undid what they decided.
            continue
        of_asker[item.asked_by_id][object_id] = item
    for asker_id, asked in of_asker.items():
        if len(asked) > MAX_SINGLE:
            _tell_of_many(news, kind, list(asked.values()), at, asker_id)
        else:
            _tell_of_each(news, kind, asked, at)


def _tell_of_many(news: Kind, kind: Work, items: Sequence[Item], at: datetime, asker_id: int | None) -> None:
    people = members_from(min(item.role for item in items), but=asker_id)
    hour = at.replace(minute=0, second=0, microsecond=0)
    key = f"new:{kind.name}:{asker_id or ''}:{hour:%Y-%m-%d %H}"
    tell = partial(
        notify,
        news,
        title=f"New work: {kind.desk}",
        text=f"{' · '.join(item.title for item in items[:MAX_SINGLE])}, and more",
        url=lambda slug: f"{reverse('today:today', args=[slug])}?{urlencode({'desk': kind.desk, 'whose': 'team'})}",
    )
    told = {row.user_id for row in tell(people, key=key, with_team=True)}
    # Whoever was told in this hour before is told once more: in the bell now, elsewhere when all that comes in it is there.
    others = [user_id for user_id in people if user_id not in told]
    tell(others, key=f"{key}:later", with_team=None not in told, not_before=hour + AN_HOUR)
    mark_unread(f"{key}:later")


def _tell_of_each(news: Kind, kind: Work, items: Mapping[int, Item], at: datetime) -> None:
    for object_id, item in items.items():
        notify(
            news,
            members_from(item.role, but=item.asked_by_id),
            key=f"new:{kind.name}:{object_id}:{at:%Y%m%d%H%M%S%f}",
            title=f"{kind.label}: {item.title}",
            text=_text_of(item),
            url=item.url,
            about=(kind.name, object_id),
            with_team=True,
        )


def _text_of(item: Item) -> str:
    return cut(" · ".join(filter(None, (item.customer, item.to_do))), MAX_TEXT)


def tell_of_overdue_work(sender: object, *, lines: Sequence[Line], at: datetime, **_: Any) -> None:
    """Tell whoever has it, or those who can take it, and the team."""
    of_person: dict[int, list[Line]] = defaultdict(list)
    for line in lines:
        for user_id in _who_has(line.row):
            of_person[user_id].append(line)
    for user_id, mine in of_person.items():
        _tell_overdue(mine, at, [user_id])
    _tell_overdue(lines, at, [], with_team=True)


def _tell_overdue(lines: Sequence[Line], at: datetime, user_ids: list[int], *, with_team: bool = False) -> None:
    """Many at once, as the day of a whole office ends, are one notification."""
    if len(lines) > MAX_SINGLE:
        query = {"tab": "overdue", "whose": "team"} if with_team else {"tab": "overdue"}
        notify(
            OVERDUE,
            user_ids,
            key=f"overdue:{at:%Y%m%d%H%M}",
            title="Several items are overdue",
            text=f"{' · '.join(line.item.title for line in lines[:MAX_SINGLE])}, and more",
            url=lambda slug: f"{reverse('today:today', args=[slug])}?{urlencode(query)}",
            with_team=with_team,
        )
        return
    for line in lines:
        notify(
            OVERDUE,
            user_ids,
            key=f"overdue:{line.row.kind}:{line.row.object_id}:{line.row.due_sort:%Y%m%d%H%M%S}",
            title=f"Overdue: {line.item.title}",
            text=_text_of(line.item),
            url=line.item.url,
            about=(line.row.kind, line.row.object_id),
            with_team=with_team,
        )


def _who_has(row: WorkItem) -> list[int]:
    if row.owner_id or row.is_taken:
        return [row.owner_id] if row.owner_id else []
    return members_from(Role(row.role), but=row.asked_by_id)


def tell_of_known_secrets(sender: object, *, user: User, **_: Any) -> None:
    """Have the admins replace what the team's channels are signed with: whoever was one may have seen or entered it."""
    for row in team_channels().values():
        if row.secret or row.signing_secret:
            notify(
                CONNECTION,
                members_from(Role.ADMIN),
                key=f"known_secret:{row.pk}:{user.pk}:{timezone.now():%Y%m%d%H%M%S%f}",
                title=f"Replace the signing secret of “{row.name}”",
                text=f"{user} is no longer an admin or owner and may still know it.",
                url=partial(_settings_of, row),
            )


def _settings_of(row: TeamChannel, slug: str) -> str:
    if row.has_app:
        return reverse("notification_settings:slack_app", args=[slug])
    return reverse("notification_settings:channel", args=[slug, row.channel])
