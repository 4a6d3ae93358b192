"""What each member wants to hear of, and when."""

from collections.abc import Collection
from zoneinfo import ZoneInfo

from django.db import transaction
from django.utils import timezone

from portal.audit.services import record
from portal.calendars.selectors import office_hours
from portal.notifications.kinds import PERSONAL, Channel, Frequency, Kind, kind_named
from portal.notifications.models import Dispatch, DispatchState, Preference, QuietHours
from portal.notifications.selectors import team_channels
from portal.notifications.services.notifications import moment_of
from portal.tenants.models import Membership
from portal.users.models import User


class NotOffered(Exception):
    """There is no such kind, channel or frequency to choose."""


def set_preference(member: Membership, *, kind: str, channel: str, frequency: str) -> None:
    """Tell a member of a kind by a channel as often as they say. Raises NotOffered."""
    _set(member.user, PERSONAL, kind=kind, channel=channel, frequency=frequency)


@transaction.atomic
def set_team_preference(actor: Membership, *, kind: str, channel: str, frequency: str) -> None:
    """Tell the team of a kind by one of its channels as often as an admin says. Raises NotOffered."""
    if found := _set(None, [*team_channels()], kind=kind, channel=channel, frequency=frequency):
        label, when = Channel(channel).label, Frequency(frequency).label.lower()
        record(
            "team_channel.choose",
            target=("team_channel", channel),
            summary=f"Notifications by {label}, {found.label}: {when}.",
            actor=actor.user,
        )


@transaction.atomic
def _set(user: User | None, channels: Collection[str], *, kind: str, channel: str, frequency: str) -> Kind | None:
    """Keep a choice; return the kind, or None where that is what holds already."""
    found = kind_named(kind)
    if found is None or channel not in channels or frequency not in found.choices.get(Channel(channel), ()):
        raise NotOffered(f"{kind}, {channel}, {frequency}")
    rows = Preference.objects.filter(user=user, kind=found.name, channel=channel)
    chosen = rows.values_list("frequency", flat=True).first()
    if found.frequency(Channel(channel), chosen) == frequency:
        return None
    Preference.objects.update_or_create(
        user=user, kind=found.name, channel=channel, defaults={"frequency": Frequency(frequency)}
    )
    _apply_to_waiting(user, found, Channel(channel), Frequency(frequency))
    return found


def _apply_to_waiting(user: User | None, kind: Kind, channel: Channel, frequency: Frequency) -> None:
    """Have what waits follow a new choice. What is of one day, such as what is due, does not wait for another one."""
    now = timezone.now()
    waiting = Dispatch.objects.filter(
        state=DispatchState.WAITING, channel=channel, notification__user=user, notification__kind=kind.name
    )
    if frequency == Frequency.NEVER:
        waiting.update(state=DispatchState.NOT_NEEDED, settled_at=now)
    elif Frequency.NOW in kind.choices[channel]:
        zone = user.zone if user else ZoneInfo(office_hours().zone)
        waiting.update(due_at=moment_of(frequency, zone, now))


def set_quiet(member: Membership, *, is_quiet: bool) -> None:
    """Send a member email only while the office is open, or at any time."""
    if is_quiet:
        QuietHours.objects.get_or_create(user=member.user)
    else:
        QuietHours.objects.filter(user=member.user).delete()
