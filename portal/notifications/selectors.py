from collections.abc import Sequence

from portal.notifications.kinds import KINDS, PERSONAL, TEAM, Channel, Frequency, Kind
from portal.notifications.models import (
    AREA,
    Dispatch,
    DispatchState,
    Notification,
    NotificationQuerySet,
    Preference,
    QuietHours,
    TeamChannel,
)
from portal.page_refresh.services import cached_by_version
from portal.tenants.models import Membership, Role

MAX_COUNTED = 99

type Line = tuple[Kind, list[tuple[Channel, Sequence[Frequency], Frequency]]]
type Table = list[Line]


def unread_count(member: Membership) -> str:
    """Count what a member has not read; empty for nothing. Counting stops early: a page costs the same with any number."""

    unread = Notification.objects.in_bell_of(member.user_id).unread()
    return cached_by_version(AREA, f"unread:{member.user_id}", lambda: shown_count(unread))


def shown_count(rows: NotificationQuerySet) -> str:
    number = rows.order_by()[: MAX_COUNTED + 1].count()
    return f"{MAX_COUNTED}+" if number > MAX_COUNTED else str(number or "")


def members_from(role: Role, *, but: int | None = None) -> list[int]:
    """Return the users who have this role in the tenant in scope, or a higher one, and can sign in, without one of them."""
    members = Membership.objects.who_may(role).exclude(user=but)
    return list(members.values_list("user_id", flat=True))


def frequencies(user_ids: list[int], kind: Kind) -> dict[tuple[int, Channel], Frequency]:
    """Return when each of these members is told of a kind, by each channel that reaches them."""
    chosen = Preference.objects.filter(user__in=user_ids, kind=kind.name)
    found = {(row.user_id, row.channel): row.frequency for row in chosen}
    wanted = ((user_id, channel) for user_id in user_ids for channel in PERSONAL)
    return {(user_id, channel): kind.frequency(channel, found.get((user_id, channel))) for user_id, channel in wanted}


def team_frequencies(kind: Kind) -> dict[Channel, Frequency]:
    """Return when the team is told of a kind, by each channel that was set up for it."""
    chosen = dict(Preference.objects.filter(user=None, kind=kind.name).values_list("channel", "frequency"))
    return {channel: kind.frequency(channel, chosen.get(channel)) for channel in team_channels()}


def team_channels() -> dict[Channel, TeamChannel]:
    """Return the channels that were set up for the team of the tenant in scope."""
    rows = {row.channel: row for row in TeamChannel.objects.all()}
    return {channel: rows[channel] for channel in TEAM if channel in rows}


def preferences_of(user_id: int) -> Table:
    """Return for each kind what one member can choose by each channel, and what holds."""
    return _table(user_id, PERSONAL)


def preferences_of_team(channels: Sequence[Channel]) -> Table:
    """Return the same for the team, by the channels that were set up for it; empty without one."""
    return _table(None, channels)


def _table(user_id: int | None, channels: Sequence[Channel]) -> Table:
    rows = Preference.objects.filter(user=user_id).values_list("kind", "channel", "frequency")
    chosen = {(kind, channel): frequency for kind, channel, frequency in rows}
    return [
        (kind, [(each, kind.choices[each], kind.frequency(each, chosen.get((kind.name, each)))) for each in channels])
        for kind in KINDS
        if channels and kind.choices.keys() >= {*channels}
    ]


def is_quiet(user_id: int) -> bool:
    return QuietHours.objects.filter(user=user_id).exists()


def last_email(user_id: int) -> Dispatch | None:
    """Return the dispatch by email that was sent, failed or tried last; None when there was none."""
    mine = Dispatch.objects.by_email().filter(notification__user=user_id)
    tried = mine.exclude(state=DispatchState.NOT_NEEDED).exclude(state=DispatchState.WAITING, attempts=0)
    return tried.order_by("-id").first()
