"""Telling members and the team of something: one row for each, and one for each channel that has to bring it."""

from collections.abc import Callable, Collection, Iterator, Mapping
from datetime import UTC, datetime, timedelta, tzinfo
from zoneinfo import ZoneInfo

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from portal.calendars.selectors import office_hours, office_time
from portal.notifications.kinds import PERSONAL, Channel, Frequency, Kind
from portal.notifications.models import AREA, MAX_TEXT, MAX_TITLE, Dispatch, Notification, QuietHours
from portal.notifications.selectors import frequencies, members_from, team_frequencies
from portal.page_refresh.services import touch_areas
from portal.tenants.models import Membership, Role, Tenant, TenantModel
from portal.tenants.scope import current_tenant_id, tenant_scope
from portal.users.models import User

MORNING_HOUR = 9
MONDAY = 0
MOMENT = timedelta(seconds=1)

type Plan = dict[int | None, dict[Channel, datetime]]
"""When each person is told by which channel; None stands for the team."""


@transaction.atomic
def notify(
    kind: Kind,
    user_ids: Collection[int],
    *,
    key: str,
    title: str,
    url: Callable[[str], str],
    text: str = "",
    about: tuple[str, int | None] = ("", None),
    only_by: Collection[Channel] | None = None,
    with_team: bool = False,
    not_before: datetime | None = None,
) -> list[Notification]:
    """Tell these people, as far as they are members of the tenant in scope. Call it in the transaction of what it is about.

    Nobody is told twice under one `key` (at most 100 characters). `url` gives the page in the tenant of a slug. `about`: the
    kind and the object of a work item, which a chat may let people do. `only_by`: the channels that tell it, now; otherwise
    each member has said by which they want to hear, and when. `with_team`: so do the channels of the team.
    `not_before`: the bell tells it now, the other channels not until then.
    """
    members = Membership.objects.active().filter(user__in=user_ids)
    users = {each.user_id: each.user for each in members.select_related("user")}
    now = timezone.now()
    plan = _plan(kind, users, now, only_by)
    if with_team:
        plan[None] = _plan_of_team(kind, now, only_by)
    path = url(Tenant.objects.get(pk=current_tenant_id()).slug)
    rows = [
        Notification(
            tenant_id=current_tenant_id(),
            user_id=user_id,
            kind=kind.name,
            key=key,
            title=cut(title, MAX_TITLE),
            text=cut(text, MAX_TEXT),
            path=path,
            work_kind=about[0],
            object_id=about[1],
            in_bell=Channel.BELL in channels,
            made_at=now,
        )
        for user_id, channels in plan.items()
        if channels
    ]
    if not rows:
        return []
    Notification.objects.bulk_create(rows, ignore_conflicts=True)
    # Whom somebody has told before under this key has a row of another moment.
    told = list(Notification.objects.filter(Q(user=None) | Q(user__in=[*users]), key=key, made_at=now))
    Dispatch.objects.bulk_create(_dispatches(told, plan, not_before or now))
    if told:
        touch_areas(AREA)
    return told


@transaction.atomic
def notify_once(
    row: TenantModel,
    column: str,
    still: Q = Q(),  # noqa: B008 - a Q never changes
    *,
    kind: Kind,
    role: Role,
    person: User | None = None,
    title: str,
    text: str,
    url: Callable[[str], str],
    with_team: bool = False,
) -> bool:
    """Tell the members of a row's tenant from a role on, or one person, if it is `still` so and `column` says that nobody did.

    True when this call has told them. Two sweeps do not both tell: whoever writes the column does.
    """
    now = timezone.now()
    with tenant_scope(row.tenant_id):
        if not type(row).objects.filter(still, pk=row.pk, **{column: None}).update(**{column: now}):
            return False
        people = [person.pk] if person else members_from(role)
        key = f"{row._meta.label_lower}:{row.pk}:{column}:{now:%Y%m%d%H%M%S%f}"
        notify(kind, people, key=key, title=title, text=text, url=url, with_team=with_team)
    return True


def _plan(kind: Kind, users: Mapping[int, User], now: datetime, only_by: Collection[Channel] | None) -> Plan:
    """Return when each of these members is told by which channel; a channel by which they want to hear nothing is left out."""
    if only_by is not None:
        return {user_id: {channel: now for channel in only_by if channel in PERSONAL} for user_id in users}
    plan: Plan = {user_id: {} for user_id in users}
    for (user_id, channel), frequency in frequencies([*users], kind).items():
        if frequency != Frequency.NEVER:
            plan[user_id][channel] = moment_of(frequency, users[user_id].zone, now)
    return plan


def _plan_of_team(kind: Kind, now: datetime, only_by: Collection[Channel] | None) -> dict[Channel, datetime]:
    wanted = {channel: each for channel, each in team_frequencies(kind).items() if each != Frequency.NEVER}
    if only_by is not None:
        return {channel: now for channel in only_by if channel in wanted}
    zone = ZoneInfo(office_hours().zone) if wanted else UTC
    return {channel: moment_of(frequency, zone, now) for channel, frequency in wanted.items()}


def _dispatches(told: Collection[Notification], plan: Plan, not_before: datetime) -> Iterator[Dispatch]:
    people = [user_id for user_id in plan if user_id is not None]
    quiet = set(QuietHours.objects.filter(user__in=people).values_list("user_id", flat=True))
    for row in told:
        for channel, moment in plan[row.user_id].items():
            if channel != Channel.BELL:
                due_at = max(moment, not_before)
                due_at = while_open(due_at) if row.user_id in quiet else due_at
                yield Dispatch(tenant_id=row.tenant_id, notification=row, channel=channel, due_at=due_at)


def moment_of(frequency: Frequency, zone: tzinfo, now: datetime) -> datetime:
    """Return when something of now is told: at once, or with the next morning of a zone."""
    if frequency == Frequency.NOW:
        return now
    local = now.astimezone(zone)
    morning = local.replace(hour=MORNING_HOUR, minute=0, second=0, microsecond=0)
    if morning <= local:
        morning += timedelta(days=1)
    if frequency == Frequency.WEEKLY:
        morning += timedelta(days=(MONDAY - morning.weekday()) % 7)
    return morning


def while_open(moment: datetime) -> datetime:
    """Return that moment, or the next one at which the office of the tenant in scope is open."""
    passed = office_time().after(moment, MOMENT)
    return passed - MOMENT if passed else moment


def cut(words: str, length: int) -> str:
    """Return words as a notification keeps them: on one line, and no longer than this."""
    words = " ".join(words.split())
    return words if len(words) <= length else f"{words[: length - 1]}…"
