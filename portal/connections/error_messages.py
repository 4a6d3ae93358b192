"""Who refused, and why, in words for people: the one place that decides it, for every desk, task, page and comparison (R5).

A message never tells what became of the caller's own work: "Nothing was changed." is the caller's to add, who knows.
"""

from dataclasses import dataclass
from functools import singledispatch
from math import ceil

from django.core.exceptions import PermissionDenied
from django.urls import reverse

from portal.connections.errors import KEY_MISSING, KeyMissing, NotConnected, NoTrustCenter, TokenWait
from portal.lib.sealed import Locked
from portal.platform_api import errors
from portal.platform_api.errors import Party

IN_LINE = "Queued for a token."
"""Begins the message of everything that waits for a token: its arrival wakes what waits with these words."""
PAUSED = "The platform asked for a pause at its token endpoint."
UNREADABLE_TOKEN = "The platform's answer to the request for a token could not be read."  # noqa: S105 - a sentence
NOTHING_CHANGED = "Nothing was changed."

TITLES = {
    Party.PLATFORM: "The platform refused this",
    Party.UNREADABLE: "The platform's answer could not be read",
    Party.UNREACHABLE: "The platform cannot be reached",
    Party.PLATFORM_LIMIT: "The platform's rate limit is reached",
    Party.CALL_LIMIT: "The portal's own call limit is reached",
    Party.TOKEN_RULE: "The portal's own token limit is reached",
    Party.CONNECTION: "This tenant is not connected",
    Party.STORAGE: "The platform's file storage refused this",
    Party.AREA: "The connection does not cover this area",
    Party.PORTAL: "The portal could not send this",
    Party.ROLE: "Your role does not allow this",
    Party.OPEN: "We could not confirm it and are checking",
}
WARNINGS = frozenset({Party.UNREACHABLE, Party.PLATFORM_LIMIT, Party.CALL_LIMIT, Party.TOKEN_RULE, Party.OPEN})
"""Nothing is wrong for good: trying again, or waiting, is enough."""


@dataclass(frozen=True)
class Refusal:
    """What a callout says."""

    title: str
    text: str
    tone: str = "bad"
    url: str = ""
    link: str = ""


def party_of(error: BaseException) -> Party:
    """Return who is behind an error. What is no error of a call is the portal's own matter."""
    if isinstance(error, PermissionDenied):
        return Party.ROLE
    party = getattr(error, "party", None)
    return party if isinstance(party, Party) else Party.PORTAL


def error_title(error: BaseException) -> str:
    """Name who refused, as a heading. `error_message` says why."""
    match error:
        case NoTrustCenter():
            return "The Trust Center id is not known yet"
        case KeyMissing() | Locked():
            return "The connection's tokens cannot be opened"
        case errors.RedirectRefused() | errors.InvalidClient():
            return "The portal's connection settings are wrong"
        case errors.RefreshTooSoon():
            return "The platform refuses a token it has just issued"
        case errors.AuthenticationFailed() | errors.OAuthError():
            return "The platform refuses the connection's token"
        case errors.ValidationFailed(status=int()):
            return "The platform rejected this"
        case errors.StorageUnavailable(status=int()):
            return "The platform's file storage is not available right now"
        case errors.StorageUnavailable():
            return "The platform's file storage cannot be reached"
        case errors.Unavailable(party=Party.UNREACHABLE, status=int()):
            return "The platform is not available right now"
    return TITLES[party_of(error)]


def error_message(error: BaseException, *, area: str = "this area") -> str:
    """Say in one or two sentences who refused and why. Holds no word of a web page, no id, no token and no address.

    It is good to keep: it says nothing of when, which `when_to_retry` does.

    `area` is what the caller's call was about, in words.
    """
    if isinstance(error, errors.PermissionRefused):
        return f"The connection does not cover {area}."
    return _describe(error)


def refusal_of(error: BaseException, *, slug: str, area: str = "", nothing: str = NOTHING_CHANGED) -> Refusal:
    """Make a callout of an error: who refused, why, what became of it, and the way on in the tenant of a slug.

    `area` is what the caller's pages are about, in words; `nothing` says what did not happen.
    """
    tone = "warn" if party_of(error) in WARNINGS else "bad"
    to_connection = {"url": reverse("connections:connection", args=[slug]), "link": "View connection"}
    match party_of(error):
        case Party.OPEN:
            return Refusal(error_title(error), error_message(error), tone)
        case Party.CONNECTION if isinstance(error, NotConnected):
            text = f"{error_message(error)} {nothing} An owner can connect it."
            return Refusal(error_title(error), text, tone, **to_connection)
        case Party.CONNECTION:
            return Refusal(error_title(error), error_message(error), tone, **to_connection)
        case Party.AREA:
            text = f"The platform allows this only for another type of grant. {nothing}"
            return Refusal(f"This connection does not cover {area or 'this area'}", text, tone, **to_connection)
    sentences = (error_message(error), nothing, when_to_retry(error))
    return Refusal(error_title(error), " ".join(filter(None, sentences)), tone)


def when_to_retry(error: BaseException) -> str:
    """Say when it may work, for whoever reads it now; empty when trying again is no help. It is not to be stored."""
    if party_of(error) not in WARNINGS - {Party.OPEN} and not isinstance(error, errors.NotAnApiAnswer):
        return ""
    seconds: float | None = getattr(error, "retry_after", None)
    if seconds is None:
        return "Try again in a moment."
    return f"Try again in {in_time(seconds)}."


def in_time(seconds: float) -> str:
    """Say for how long somebody waits: "45 s", "5 min"."""
    return f"{max(1, ceil(seconds))} s" if seconds <= 120 else f"{ceil(seconds / 60)} min"


@singledispatch
def _describe(error: BaseException) -> str:
    return "Something went wrong in the portal. The error was logged for its developers."


@_describe.register
def _(error: PermissionDenied) -> str:
    return "Your role in this tenant does not allow this."


@_describe.register(Locked)
@_describe.register(KeyMissing)
def _(error: BaseException) -> str:
    return KEY_MISSING


@_describe.register
def _(error: NotConnected) -> str:
    return str(error) or "The platform is not connected."


@_describe.register
def _(error: NoTrustCenter) -> str:
    return "The Trust Center id is not known yet. Enter it on the connection page, or wait for the first Trust Center event."


@_describe.register
def _(error: errors.InvalidIdentifier) -> str:
    return "The portal does not send this id: it would change the address of the request."


@_describe.register
def _(error: errors.OutcomeUnknown) -> str:
    cause = error.__cause__
    why = f" {error_message(cause)}" if isinstance(cause, errors.PlatformError) else ""
    if error.is_accepted:
        return f"The platform accepted it, but it could not be read back yet.{why} It shows up here once it is."
    return f"It may have arrived. The portal checks before sending anything again.{why}"


@_describe.register
def _(error: TokenWait) -> str:
    why = error.because or "The platform issues five a minute to all tenants of this portal, and the portal keeps to that."
    return f"{IN_LINE} {why}"


@_describe.register
def _(error: errors.RefreshTooSoon) -> str:
    rule = "The portal fetches a new one at most every 10 minutes, because all tenants share the platform's limit."
    return f"The platform refuses the token it has just issued. {rule}"


@_describe.register(errors.AuthenticationFailed)
@_describe.register(errors.OAuthError)
def _(error: errors.PlatformError) -> str:
    return f"The platform refuses this connection's token ({error.status})."


@_describe.register
def _(error: errors.InvalidClient) -> str:
    return "The platform does not accept this portal's registration. The portal's operator has to check it."


@_describe.register
def _(error: errors.InvalidGrant) -> str:
    return "The platform has ended this connection's grant. An owner has to reconnect."


@_describe.register
def _(error: errors.InvalidScope) -> str:
    return "The platform does not grant this connection the scopes it asks for."


@_describe.register
def _(error: errors.RedirectRefused) -> str:
    return "The platform's address in this portal's settings redirects elsewhere. The portal's operator has to correct it."


@_describe.register
def _(error: errors.CallLimitReached) -> str:
    return "The portal has reached its own call limit, which is below the platform's limit of calls a minute."


@_describe.register
def _(error: errors.RateLimited) -> str:
    return "The platform asks us to wait: its rate limit is reached."


@_describe.register
def _(error: errors.UnexpectedAnswer) -> str:
    if error.path_template.startswith("/oauth/"):
        return UNREADABLE_TOKEN
    # The client's own words, never the platform's.
    return f"The platform's answer could not be read{f' ({error.message})' if error.message else ''}."


@_describe.register
def _(error: errors.NotAnApiAnswer) -> str:
    if error.path_template.startswith("/oauth/"):
        return UNREADABLE_TOKEN
    return f"The platform answered with a web page instead of its API ({error.status})."


@_describe.register
def _(error: errors.StorageUnavailable) -> str:
    return f"The platform's file storage {f'failed ({error.status})' if error.status else 'did not answer'}."


@_describe.register
def _(error: errors.StorageRefused) -> str:
    return f"The platform's file storage refused the link to the file ({error.status})."


@_describe.register
def _(error: errors.LinkExpired) -> str:
    return f"The platform's file storage refused the link to the file, and a new one as well ({error.status})."


@_describe.register
def _(error: errors.TemporaryError) -> str:
    if error.party == Party.OPEN:
        return "The outcome is not known yet. The portal will check again."
    return f"The platform failed ({error.status})." if error.status else "The platform did not answer."


@_describe.register
def _(error: errors.NotFound) -> str:
    return "The platform no longer has this object."


@_describe.register
def _(error: errors.ValidationFailed) -> str:
    if error.status is None:
        return "The portal could not turn this into a request."
    return f"The platform rejected this: {error.reason.rstrip('. ')}."


@_describe.register
def _(error: errors.PlatformError) -> str:
    return f"The platform refused this: {error.reason.rstrip('. ')}."
