"""The five steps of the set-up, in the order in which a person takes them."""

from dataclasses import dataclass
from zlib import crc32

from portal.connections.models import Connection, State
from portal.lib.counted import counted

LOST = (State.NEEDS_RECONNECTION, State.DISCONNECTED)


@dataclass(frozen=True)
class Step:
    """One step. `url_name` is the address of its page, which is named like it."""

    key: str
    title: str
    purpose: str
    """What it is good for, while it is not done."""
    without: str
    """What happens meanwhile to whoever skips it; empty: it cannot be skipped."""

    @property
    def url_name(self) -> str:
        return f"first_hour:{self.key}"


STEPS = (
    Step("connect", "Connect the platform", "One consent screen", ""),
    Step(
        "trust_center",
        "Add your Trust Center",
        "Brings in access requests and viewers",
        "Access requests and viewers stay empty until the portal learns the id from the first Trust Center event.",
    ),
    Step(
        "webhooks",
        "Receive events",
        "Changes show up within seconds",
        "Without events, changes show up once an hour.",
    ),
    Step("invite", "Invite your team", "Share the work", "You can invite people at any time under Settings, Members."),
    Step(
        "hours",
        "Set office hours",
        "Deadlines count your working days",
        "Until you set them, deadlines count Monday to Friday, 9:00 to 17:00 UTC.",
    ),
)


@dataclass(frozen=True)
class Facts:
    """What the steps are ticked off by: rows of other rooms, each looked at anew."""

    connection: Connection | None
    has_secret: bool
    has_delivery: bool
    teammates: int
    """Members besides the first one, and invitations."""
    hours_zone: str
    """Where the office hours are set; empty while they are the usual ones."""
    is_dismissed: bool
    questionnaires: int

    @property
    def is_connected(self) -> bool:
        return self.connection is not None and self.connection.is_active

    @property
    def has_lost_connection(self) -> bool:
        """Say whether the grant has ended: the pages say so themselves, and reconnecting is not setting up."""
        connection = self.connection
        return connection is not None and connection.connected_at is not None and connection.state in LOST

    @property
    def slug_id(self) -> str:
        return self.connection.slug_id if self.connection else ""


@dataclass(frozen=True)
class Standing:
    """One step as it stands: `state` is "done", "now" or "todo", as the list of steps draws it."""

    step: Step
    state: str
    detail: str

    @property
    def is_done(self) -> bool:
        return self.state == "done"


@dataclass(frozen=True)
class FirstHour:
    """The whole set-up as it stands."""

    facts: Facts
    steps: tuple[Standing, ...]

    @property
    def done_count(self) -> int:
        return sum(each.is_done for each in self.steps)

    @property
    def next(self) -> Standing | None:
        """The first step that is left."""
        return next((each for each in self.steps if not each.is_done), None)

    @property
    def is_over(self) -> bool:
        """Say whether nothing is left to be led through."""
        return self.next is None or self.facts.is_dismissed or self.facts.has_lost_connection

    @property
    def may_dismiss(self) -> bool:
        return self.facts.is_connected

    def standing(self, key: str) -> Standing:
        return next(each for each in self.steps if each.step.key == key)

    def number(self, key: str) -> int:
        return 1 + [each.step.key for each in self.steps].index(key)

    def after(self, key: str) -> Step | None:
        """Return the next step that is not done; None after the last one."""
        return next((each.step for each in self.steps[self.number(key) :] if not each.is_done), None)

    @property
    def page_version(self) -> str:
        """Change whenever something that the steps show has changed."""
        shown = [(each.state, each.detail) for each in self.steps]
        return f"{crc32(repr((shown, self.facts.has_secret, self.facts.questionnaires, self.is_over)).encode()):x}"


def first_hour_of(facts: Facts) -> FirstHour:
    """Tick off the steps by the facts."""
    done = {
        "connect": (facts.is_connected, "Connected"),
        "trust_center": (bool(facts.slug_id), facts.slug_id),
        "webhooks": (facts.has_delivery, "Events are coming in"),
        "invite": (facts.teammates > 0, counted(facts.teammates, "teammate")),
        "hours": (bool(facts.hours_zone), facts.hours_zone.replace("_", " ")),
    }
    waiting = {"webhooks": "Waiting for the first delivery"} if facts.has_secret else {}
    first = next((step.key for step in STEPS if not done[step.key][0]), "")
    standings = []
    for step in STEPS:
        is_done, detail = done[step.key]
        state = "done" if is_done else "now" if step.key == first else "todo"
        standings.append(Standing(step, state, detail if is_done else waiting.get(step.key, step.purpose)))
    return FirstHour(facts, tuple(standings))
