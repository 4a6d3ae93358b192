"""What members and teams are told of, by which channel, and how often they can have it told."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta

from django.db import models


class Channel(models.TextChoices):
    """A way to reach somebody: the first two reach one member, the others a whole team."""

    BELL = "bell", "Bell"
    EMAIL = "email", "Email"
    SLACK = "slack", "Slack"
    TEAMS = "teams", "Microsoft Teams"
    WEBHOOK = "webhook", "Webhook"


PERSONAL = (Channel.BELL, Channel.EMAIL)
TEAM = (Channel.SLACK, Channel.TEAMS, Channel.WEBHOOK)


class Frequency(models.TextChoices):
    """When a channel tells somebody."""

    NOW = "now", "Now"
    DAILY = "daily", "Daily"
    WEEKLY = "weekly", "Weekly"
    NEVER = "never", "Never"


MAY_COME_BACK = timedelta(minutes=5)
"""Work that was told so short a time ago may be gone and come back: somebody undoes what they decided."""

type Choices = Mapping[Channel, tuple[Frequency, ...]]

MORNINGS = (Frequency.DAILY, Frequency.WEEKLY, Frequency.NEVER)
AS_IT_COMES = (Frequency.NOW, *MORNINGS)
TO_A_MEMBER: Choices = {Channel.BELL: (Frequency.NOW, Frequency.NEVER), Channel.EMAIL: AS_IT_COMES}
TO_A_TEAM: Choices = dict.fromkeys(TEAM, AS_IT_COMES)
EACH_MORNING: Choices = {Channel.BELL: (Frequency.DAILY, Frequency.NEVER), **dict.fromkeys((Channel.EMAIL, *TEAM), MORNINGS)}


@dataclass(frozen=True, kw_only=True)
class Kind:
    """One kind of news. By a channel that stands in no choice of it nobody is told."""

    name: str
    label: str
    icon: str
    choices: Choices = field(default_factory=lambda: TO_A_MEMBER)
    at_first: Mapping[Channel, Frequency] = field(default_factory=dict)
    """What holds until somebody chooses, where that is not the first choice."""
    desks: tuple[str, ...] = ()
    """New work of these desks is of this kind."""

    def frequency(self, channel: Channel, chosen: str | None = None) -> Frequency:
        """Return what holds for a channel: what was chosen if it is offered, else what holds at first."""
        offered = self.choices.get(channel, (Frequency.NEVER,))
        return Frequency(chosen) if chosen in offered else self.at_first.get(channel, offered[0])


def _new_work(name: str, label: str, icon: str, *, desks: tuple[str, ...], email: Frequency = Frequency.NOW) -> Kind:
    choices = {**TO_A_MEMBER, **TO_A_TEAM}
    return Kind(name=name, label=label, icon=icon, desks=desks, choices=choices, at_first={Channel.EMAIL: email})


ASSIGNED = Kind(name="assigned", label="Assigned to you or asked of you", icon="user-check")
MENTION = Kind(name="mention", label="Mentions in comments", icon="at-sign")
DUE = Kind(name="due", label="Due today and overdue", icon="calendar-clock", choices=EACH_MORNING)
DEADLINE = Kind(
    name="deadline",
    label="Upcoming or missed targets, notice dates and deadlines",
    icon="timer",
    # The bell tells of what is overdue by itself, and Today has the rest in its order.
    at_first={Channel.BELL: Frequency.NEVER},
)
OVERDUE = Kind(
    name="overdue",
    label="Overdue, as it happens",
    icon="alarm-clock",
    choices={**TO_A_MEMBER, **TO_A_TEAM},
    at_first={Channel.EMAIL: Frequency.NEVER},
)
TEAM_CHANNEL = Kind(name="team_channel", label="Team channel stops delivering", icon="unplug")
EMAIL_FAILS = Kind(
    name="email_fails", label="Email stops reaching you", icon="mail-x", choices={Channel.BELL: (Frequency.NOW,)}
)
"""Stands in no table of choices: there is nothing to choose."""
ACCESS_REQUESTS = _new_work(
    *("requests", "New access requests and second approvals", "key-round"), desks=("Access requests",), email=Frequency.DAILY
)
QUESTIONNAIRES = _new_work(
    *("questionnaires", "New questionnaires", "clipboard-list"), desks=("Questionnaires",), email=Frequency.DAILY
)
DELETION_REQUESTS = _new_work("deletions", "New deletion requests", "eraser", desks=("Deletion requests",))
INCIDENTS = _new_work("incidents", "Customers to notify of an incident", "siren", desks=("Incidents",))
PAPERS = _new_work(
    *("papers", "New work at all other desks", "file-text"),
    desks=(
        *("Contracts", "Commitments", "Customers", "Library", "Trust Center"),
        *("People", "Documents", "Vendors", "Audits", "Risks"),
    ),
    email=Frequency.NEVER,
)
CONNECTION = Kind(
    name="connection",
    label="Problems with the connection, webhooks or sign-in",
    icon="plug",
    choices={**TO_A_MEMBER, **TO_A_TEAM},
)
ASKED = Kind(name="asked", label="Visitors ask about a word you follow", icon="message-circle-question-mark")

KINDS = (
    *(ASSIGNED, MENTION, DUE, DEADLINE, OVERDUE, ACCESS_REQUESTS, QUESTIONNAIRES, DELETION_REQUESTS, INCIDENTS, PAPERS),
    *(ASKED, CONNECTION, TEAM_CHANNEL),
)
_by_name = {kind.name: kind for kind in (*KINDS, EMAIL_FAILS)}
_by_desk = {desk: kind for kind in KINDS for desk in kind.desks}


def kind_named(name: str) -> Kind | None:
    """Return the kind of this name; None for one that a later release has removed."""
    return _by_name.get(name)


def kind_of_desk(desk: str) -> Kind | None:
    """Return the kind that new work of a desk is; None where nobody is told of it."""
    return _by_desk.get(desk)
