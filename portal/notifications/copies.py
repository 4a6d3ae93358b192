"""What the team and a person want to hear of, as it is copied to another tenant. Addresses and secrets of channels are not."""

from collections.abc import Sequence
from dataclasses import dataclass

from portal.notifications.kinds import Channel, Frequency, kind_named
from portal.notifications.models import Preference
from portal.notifications.selectors import is_quiet, preferences_of, preferences_of_team, team_channels
from portal.notifications.services.preferences import set_preference, set_quiet, set_team_preference
from portal.tenants.copied_settings import CopiedSettings, register_copied_settings
from portal.tenants.models import Membership

type Frequencies = dict[tuple[str, str], Frequency]
"""By the kind of news and the channel."""


@dataclass(frozen=True)
class Choices:
    """What one person, or the team, wants to hear of by each channel that reaches them."""

    frequencies: Frequencies
    is_quiet: bool = False

    def beside(self, other: "Choices") -> Frequencies:
        """Return those that the other one has chosen otherwise; a channel that it does not have gets nothing."""
        return {key: each for key, each in self.frequencies.items() if other.frequencies.get(key, each) != each}


def read_team(member: Membership) -> Choices:
    table = preferences_of_team([*team_channels()])
    chosen: Frequencies = {(kind.name, channel): each for kind, cells in table for channel, _, each in cells}
    return Choices(chosen)


def read_own(member: Membership) -> Choices:
    table = preferences_of(member.user_id)
    chosen: Frequencies = {(kind.name, channel): each for kind, cells in table for channel, _, each in cells}
    return Choices(chosen, is_quiet(member.user_id))


def describe_team(choices: Choices) -> Sequence[str]:
    channels = dict.fromkeys(channel for _, channel in choices.frequencies)
    return [str(Channel(channel).label) for channel in channels] or ["No team channel"]


def describe_own(choices: Choices) -> Sequence[str]:
    told = sum(each != Frequency.NEVER for each in choices.frequencies.values())
    return (f"{told} of {len(choices.frequencies)} choices on", _quiet(choices))


def plan_team(given: Choices, before: Choices) -> Sequence[str]:
    return [_line(key, frequency) for key, frequency in given.beside(before).items()]


def plan_own(given: Choices, before: Choices) -> Sequence[str]:
    quiet = () if given.is_quiet == before.is_quiet else (_quiet(given),)
    return (*plan_team(given, before), *quiet)


def apply_team(given: Choices, member: Membership) -> None:
    for (kind, channel), frequency in given.beside(read_team(member)).items():
        set_team_preference(member, kind=kind, channel=channel, frequency=frequency)


def apply_own(given: Choices, member: Membership) -> None:
    before = read_own(member)
    for (kind, channel), frequency in given.beside(before).items():
        set_preference(member, kind=kind, channel=channel, frequency=frequency)
    if given.is_quiet != before.is_quiet:
        set_quiet(member, is_quiet=given.is_quiet)


def _line(key: tuple[str, str], frequency: Frequency) -> str:
    kind = kind_named(key[0])
    return f"{kind.label if kind else key[0]}, {Channel(key[1]).label}: {frequency.label.lower()}"


def _quiet(choices: Choices) -> str:
    return "Email within office hours only" if choices.is_quiet else "Email at any time"


def register() -> None:
    register_copied_settings(
        "team_notifications",
        CopiedSettings(
            label="Team notifications",
            note="Copies what the team is notified about, for channels both tenants have. Addresses and secrets aren't copied.",
            read=read_team,
            describe=describe_team,
            plan=plan_team,
            apply=apply_team,
            lock=lambda: list(Preference.objects.select_for_update()),
        ),
    )
    register_copied_settings(
        "own_notifications",
        CopiedSettings(
            label="Your notifications",
            note="Copies only your own choices. Your teammates keep theirs.",
            read=read_own,
            describe=describe_own,
            plan=plan_own,
            apply=apply_own,
            lock=lambda: list(Preference.objects.select_for_update()),
        ),
    )
