"""What the connection page says of a grant, in words."""

from dataclasses import dataclass
from datetime import datetime

from portal.connections.areas import AREAS, BY_KEY
from portal.connections.models import Answer, Capability, Connection, State
from portal.page_refresh.services import cached_by_version

TONES = {Answer.YES: "good", Answer.NO: "bad", Answer.UNKNOWN: "muted"}


@dataclass(frozen=True)
class AreaLine:
    """Whether the grant covers one area."""

    key: str
    title: str
    label: str
    tone: str
    detail: str
    asked_at: datetime | None


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
    "An owner grants access once on the platform's page. Then questionnaires, access requests and contracts appear here.",
)
WORDS = {
    State.ACTIVE: Words(
        "Connected",
        "Connected",
        "good",
        "Pages show a copy of your work on the platform, and what you change here is changed there.",
    ),
    State.UNCONFIRMED: Words(
        "Connected: confirm the account",
        "Needs confirmation",
        "warn",
        "The platform has granted access. Nothing is fetched or changed until an owner answers.",
    ),
    State.NEEDS_RECONNECTION: Words(
        "The connection has ended",
        "Needs reconnection",
        "bad",
        "Everything here stays as it was. Nothing can be fetched or changed on the platform until an owner reconnects.",
    ),
    State.DISCONNECTED: Words(
        "Disconnected",
        "Disconnected",
        "muted",
        "The portal holds no token. What was fetched before stays readable; reconnecting brings it up to date.",
    ),
}
LOCKED = Words(
    "The stored tokens cannot be opened",
    "Locked",
    "bad",
    "An encryption key of this portal is missing. Nothing is lost and nothing has to be reconnected: everything resumes as "
    "soon as the portal's operator has put the key back. Until then nothing can be fetched or changed on the platform.",
)


def state_words(connection: Connection | None, *, is_locked: bool = False) -> Words:
    """Say how the connection is. `is_locked`: no key of the portal opens what is stored."""
    if connection is None or connection.connected_at is None:
        return NEVER
    if is_locked and connection.holds_grant:
        return LOCKED
    words = WORDS[State(connection.state)]
    if connection.state == State.NEEDS_RECONNECTION and connection.last_error:
        return Words(words.title, words.label, words.tone, f"{connection.last_error} {words.text}")
    return words


def token_words(connection: Connection, *, now: datetime, is_locked: bool = False) -> tuple[str, datetime | None]:
    """Say how the access token is, with the moment that belongs to it. Only a token that calls can use is called good."""
    match connection.state:
        case State.DISCONNECTED:
            return "none", None
        case State.NEEDS_RECONNECTION if connection.access_token:
            return "refused by the platform", connection.ended_at
        case State.NEEDS_RECONNECTION:
            return "none", None
    if is_locked:
        return "cannot be opened", None
    if connection.has_live_token(now):
        return "valid until", connection.access_expires_at
    return "expired; a new one is fetched when needed", None


def areas() -> list[AreaLine]:
    """Return what is known of each area for the tenant in scope, in the order of the pages."""
    known = {row.area: row for row in Capability.objects.all()}
    lines = []
    for area in AREAS:
        row = known.get(area.key) or Capability(area=area.key, detail="Not checked yet.")
        answer = Answer(row.answer)
        lines.append(AreaLine(area.key, area.title, answer.label, TONES[answer], row.detail, row.asked_at))
    return lines


def refused_area(key: str) -> AreaLine | None:
    """Return an area of the tenant in scope if the platform refuses it; a page of it has to say so.

    Nothing while there is no grant: what the last one did not cover says nothing of the next.
    """
    refused = cached_by_version("connection", "refused_areas", _refused_areas)
    if key not in refused or not Connection.objects.filter(state=State.ACTIVE).exists():
        return None
    detail, asked_at = refused[key]
    return AreaLine(key, BY_KEY[key].title, Answer.NO.label, TONES[Answer.NO], detail, asked_at)


def _refused_areas() -> dict[str, tuple[str, datetime | None]]:
    rows = Capability.objects.filter(answer=Answer.NO).values_list("area", "detail", "asked_at")
    return {area: (detail, asked_at) for area, detail, asked_at in rows}
