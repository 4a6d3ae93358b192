"""Why a decision did not work out, in words for the person who made it."""

from dataclasses import dataclass
from math import ceil

from django.urls import reverse

from portal.access_requests.models import Decision, DecisionState
from portal.access_requests.services.failures import BeingDecided, DecidedElsewhere, RequestGone, SamePerson, TooLate
from portal.connections.services import NotConnected, NoTrustCenter
from portal.platform_api import errors

REFUSALS = (
    errors.PlatformError,
    errors.InvalidIdentifier,
    NotConnected,
    NoTrustCenter,
    BeingDecided,
    DecidedElsewhere,
    RequestGone,
    SamePerson,
    TooLate,
)


@dataclass(frozen=True)
class Refusal:
    """What a callout says."""

    title: str
    text: str
    tone: str = "bad"
    url: str = ""
    link: str = ""


def explain(error: Exception, *, slug: str) -> Refusal:
    """Say what happened and what to do now."""
    match error:
        case NotConnected():
            text = "Nothing can be decided until an owner connects this tenant."
            return Refusal("This tenant is not connected", text, **connection_link(slug))
        case NoTrustCenter():
            text = "The platform tells it to nobody: enter it on the connection page, or wait for the first Trust Center event."
            return Refusal("The Trust Center's id is not known yet", text, **connection_link(slug))
        case BeingDecided():
            return explain_being_decided(error.decision)
        case DecidedElsewhere():
            text = "Somebody was faster, here or on the platform. Yours did not count; what counts is shown below."
            return Refusal("This request had been decided already", text, tone="warn")
        case RequestGone():
            return Refusal("The platform has no such request any more", "It was deleted there. Nothing was decided.")
        case SamePerson():
            return Refusal(
                "Somebody else has to confirm it", "You have asked for it: a second person confirms or turns it down."
            )
        case TooLate():
            return explain_too_late(error.decision)
        case errors.InvalidIdentifier():
            return Refusal("This request cannot be decided here", "Its id is not one that the platform could have given.")
        case errors.PlatformError():
            return explain_platform(error)
    raise error


def explain_being_decided(decision: Decision) -> Refusal:
    has_decided = f"{decision.decided_by_name} has {decision.get_verb_display().lower()} it"
    match decision.state:
        case DecisionState.HELD:
            text = f"{has_decided}. It leaves in {decision.seconds_left} s unless somebody undoes it; yours does not count."
        case DecisionState.ASKED:
            text = f"{has_decided} and asks for a second person: confirm it, or turn it down first."
        case _:
            text = f"{decision.decided_by_name} has sent a decision, and the platform has yet to confirm it. Yours was not."
    return Refusal("Somebody is deciding this request right now", text, tone="warn")


def explain_too_late(decision: Decision) -> Refusal:
    if decision.state == DecisionState.UNDONE:
        return Refusal("It was undone already", f"{decision.undone_by_name} was faster. Nothing has left.", tone="info")
    if decision.is_waiting:
        return Refusal("It does not wait for you", "Nothing was changed; what counts is shown below.", tone="warn")
    return Refusal("It is too late for that", "The decision has left, or has ended. What counts is shown below.", tone="warn")


def words_of(error: Exception, *, slug: str) -> str:
    """The same in one line, for a row that shows why it was not made."""
    refusal = explain(error, slug=slug)
    return f"{refusal.title}. {refusal.text}"[:300]


def explain_platform(error: errors.PlatformError) -> Refusal:
    match error:
        case errors.PermissionRefused():
            return Refusal(
                "This connection does not cover the Trust Center",
                "The platform allows deciding access requests only to another kind of grant. Nothing was changed.",
            )
        case errors.TemporaryError() if error.retry_after:
            wait = ceil(error.retry_after)
            return Refusal(f"The platform asks us to wait {wait} s", "The request is still open. Try again then.", tone="warn")
        case errors.TemporaryError():
            text = "The request is still open there: nothing was decided. Try again in a moment."
            return Refusal("The platform did not do it", text, tone="warn")
        case errors.ValidationFailed():
            return Refusal("The platform did not take this", error.reason)
    return Refusal("The platform refused this", error.message or "It gave no reason. Nothing was decided.")


def connection_link(slug: str) -> dict[str, str]:
    return {"url": reverse("connections:connection", args=[slug]), "link": "Look at the connection"}
