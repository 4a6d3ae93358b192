"""Each member's morning, and each team's: what is overdue and due today, told once a day where they are."""

from collections.abc import Iterator
from datetime import date, datetime, timedelta
from functools import partial
from itertools import chain
from zoneinfo import ZoneInfo

from django.db import transaction
from django.db.models import Exists, OuterRef
from django.urls import reverse
from django.utils import timezone

from portal.calendars.models import OfficeHours
from portal.calendars.selectors import office_hours, office_time
from portal.lib.time_budget import TASK_TIME_BUDGET_SECONDS
from portal.notifications.kinds import DUE, PERSONAL, Channel, Frequency
from portal.notifications.models import Morning, TeamChannel
from portal.notifications.selectors import frequencies, team_frequencies
from portal.notifications.services.notifications import MORNING_HOUR, notify
from portal.tenants.models import Membership, Role
from portal.tenants.scope import all_tenants, current_tenant_id
from portal.tenants.turns import serve_in_turn
from portal.users.dates import as_read_by
from portal.users.models import User
from portal.work_items.selectors import OVERDUE, TODAY, Queue, count

LATEST_HOUR = 17
"""Whoever was not told by then is told tomorrow."""
MAX_MEMBERS, MAX_NAMED = 200, 3

type Turn = tuple[int, int | None, date]
"""A tenant, a membership (None: the team), and the day there."""


def tell_of_due_work(*, seconds: float = TASK_TIME_BUDGET_SECONDS) -> int:
    """Tell those whose morning has come what is due for them, over all tenants, as far as the time goes; return how many."""
    now = timezone.now()
    turns = chain(_mornings(now), _mornings_of_teams(now))
    return serve_in_turn(turns, partial(_tell_whom, now=now), what="telling of due work", seconds=seconds)


def _mornings(now: datetime) -> Iterator[Turn]:
    with all_tenants("the mornings of all members"):
        zones = list(User.objects.filter(is_active=True).order_by().values_list("timezone", flat=True).distinct())
    for zone in zones:
        local, last = now.astimezone(ZoneInfo(zone)), 0
        while MORNING_HOUR <= local.hour < LATEST_HOUR and (members := _members_in(zone, local.date(), after=last)):
            for tenant_id, last in members:
                yield tenant_id, last, local.date()


def _members_in(zone: str, day: date, *, after: int) -> list[tuple[int, int]]:
    """Return the next members who were not told. Those before them were, or could not be: one of these is tried next time."""
    with all_tenants("the members whose morning it is"):
        seen = Morning.objects.filter(tenant=OuterRef("tenant"), user=OuterRef("user"), day=day)
        members = Membership.objects.filter(pk__gt=after, user__timezone=zone, user__is_active=True).exclude(Exists(seen))
        return list(members.order_by("pk").values_list("tenant_id", "pk")[:MAX_MEMBERS])


def _mornings_of_teams(now: datetime) -> Iterator[Turn]:
    """Find the teams with channels where it is morning at the office, and nobody has looked today."""
    with all_tenants("the teams whose morning it is"):
        days = dict(Morning.objects.filter(user=None).values_list("tenant_id", "day"))
        rows = TeamChannel.objects.filter(tenant__closed_at=None).order_by()
        tenants = list(rows.values_list("tenant_id", flat=True).distinct())
        zones = dict(OfficeHours.objects.filter(tenant__in=tenants).values_list("tenant_id", "zone"))
    for tenant_id in tenants:
        local = now.astimezone(ZoneInfo(zones.get(tenant_id, OfficeHours().zone)))
        if MORNING_HOUR <= local.hour < LATEST_HOUR and days.get(tenant_id) != local.date():
            yield tenant_id, None, local.date()


def _tell_whom(member_id: int | None, day: date, *, now: datetime) -> bool:
    return _tell_team(day, now) if member_id is None else _tell(member_id, day, now)


def _tell(member_id: int, day: date, now: datetime) -> bool:
    """Look at what is due for one member. Two sweeps at once both come here; the key of the notification is one."""
    member = Membership.objects.select_related("user", "tenant").filter(pk=member_id).first()
    if member is None:
        return False
    with transaction.atomic(), as_read_by(member.user):
        Morning.objects.update_or_create(user=member.user, defaults={"day": day})
        wanted = frequencies([member.user_id], DUE)
        channels = [channel for channel in PERSONAL if _is_told_on(day, wanted[member.user_id, channel])]
        return _notify(Queue(member=member, now=now), day, channels, [member.user_id])


def _tell_team(day: date, now: datetime) -> bool:
    nobody = Membership(tenant_id=current_tenant_id(), role=Role.VIEWER)
    with transaction.atomic(), timezone.override(office_hours().zone):
        Morning.objects.update_or_create(user=None, defaults={"day": day})
        channels = [channel for channel, frequency in team_frequencies(DUE).items() if _is_told_on(day, frequency)]
        # Nobody has snoozed for the team.
        return _notify(Queue(member=nobody, now=now, is_team=True), day, channels, [])


def _is_told_on(day: date, frequency: Frequency) -> bool:
    """Say whether a channel tells on this day; a weekly one does on the first day of a week that the office works."""
    if frequency != Frequency.WEEKLY:
        return frequency == Frequency.DAILY
    before = [day - timedelta(days=number) for number in range(1, day.weekday() + 1)]
    return all(office_time().opening_on(each) is None for each in before)


def _notify(queue: Queue, day: date, channels: list[Channel], user_ids: list[int]) -> bool:
    """Tell what is overdue and due today, if anything is and the office works on this day."""
    if not channels or office_time().opening_on(day) is None:
        return False
    overdue, today = count(queue.section(OVERDUE)), count(queue.section(TODAY))
    if not overdue and not today:
        return False
    parts = [f"{overdue} overdue" if overdue else "", f"{today} due today" if today else ""]
    lines = queue.lines([*queue.section(OVERDUE)[:MAX_NAMED], *queue.section(TODAY)[:MAX_NAMED]][:MAX_NAMED])
    told = notify(
        DUE,
        user_ids,
        key=f"due:{day.isoformat()}",
        title=", ".join(filter(None, parts)),
        text=" · ".join(line.item.title for line in lines),
        url=lambda slug: reverse("today:today", args=[slug]) + ("?whose=team" if queue.is_team else ""),
        only_by=channels,
        with_team=queue.is_team,
    )
    return bool(told)
