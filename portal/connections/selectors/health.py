"""What the connection page says of a grant, in words."""

from dataclasses import dataclass
from datetime import datetime

from portal.connections.areas import AREAS, BY_KEY
from portal.connections.models import Answer, Capability, Connection, State, Suspension

TONES = {Answer.YES: "good", Answer.NO: "bad", Answer.UNKNOWN: "muted"}


@dataclass(frozen=True)
class Suspensions:
    """How far the suspension of the last disconnect is."""

    waiting: int
    confirmed: int
    last_error: str


@dataclass(frozen=True)
class AreaLine:
    """Whether the grant covers one area."""

    key: str
    title: str
    label: str
    tone: str
    detail: str
    asked_at: datetime | None


def suspensions() -> Suspensions:
    """Sum up the tokens of the tenant in scope that had to be suspended."""
    rows = list(Suspension.objects.order_by("-created_at")[:20])
    waiting = [row for row in rows if row.confirmed_at is None]
    return Suspensions(
        waiting=len(waiting),
        confirmed=len(rows) - len(waiting),
        last_error=next((row.last_error for row in waiting), ""),
    )


@dataclass(frozen=True)
class Words:
    """A state as people read it."""

    title: str
    label: str
    tone: str
    text: str


NEVER = Words(
    "Not connected yet",
    "Not connected",
    "muted",
    "An owner consents once on the platform's page. From then on questionnaires, access requests and contracts appear here.",
)
WORDS = {
    State.ACTIVE: Words(
        "Connected",
        "Connected",
        "good",
        "Events arrive by webhook, pages show a copy of your work, and what you change here is changed on the platform.",
    ),
    State.UNCONFIRMED: Words(
        "Connected, with a question",
        "Needs confirmation",
        "warn",
        "The platform has granted the access. Nothing is fetched or changed until an owner has answered.",
    ),
    State.NEEDS_RECONNECTION: Words(
        "The connection has ended",
        "Needs reconnection",
        "bad",
        "Everything that is here stays, and events are still received. Nothing can be fetched or changed on the platform until "
        "an owner connects it again.",
    ),
    State.DISCONNECTED: Words(
        "Disconnected",
        "Disconnected",
        "muted",
        "The portal holds no token. What was fetched before stays readable; connecting again brings it up to date.",
    ),
}


def state_words(connection: Connection | None) -> Words:
    """Say how the connection is."""
    if connection is None or connection.connected_at is None:
        return NEVER
    words = WORDS[State(connection.state)]
    if connection.state == State.NEEDS_RECONNECTION and connection.last_error:
        return Words(words.title, words.label, words.tone, f"{connection.last_error} {words.text}")
    return words


def areas() -> list[AreaLine]:
    """Return what is known of each area for the tenant in scope, in the order of the pages."""
    known = {row.area: row for row in Capability.objects.all()}
    lines = []
    for area in AREAS:
        row = known.get(area.key) or Capability(area=area.key, detail="It has not been asked for yet.")
        answer = Answer(row.answer)
        lines.append(AreaLine(area.key, area.title, answer.label, TONES[answer], row.detail, row.asked_at))
    return lines


def refused_area(key: str) -> AreaLine | None:
    """Return an area of the tenant in scope if the platform refuses it; a page of it has to say so."""
    row = Capability.objects.filter(area=key, answer=Answer.NO).first()
    if row is None:
        return None
    return AreaLine(key, BY_KEY[key].title, Answer.NO.label, TONES[Answer.NO], row.detail, row.asked_at)
