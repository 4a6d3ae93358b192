"""Why a decision did not work out, in words for the person who made it."""

from dataclasses import dataclass
from math import ceil

from django.urls import reverse

from portal.access_requests.services import BeingDecided, DecidedElsewhere, OutcomeUnknown, RequestGone
from portal.connections.services import NotConnected, NoTrustCenter
from portal.platform_api import errors

REFUSALS = (
    errors.PlatformError,
    errors.InvalidIdentifier,
    NotConnected,
    NoTrustCenter,
    BeingDecided,
    DecidedElsewhere,
    OutcomeUnknown,
    RequestGone,
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
            who = error.decision.decided_by_name
            text = f"{who} has sent a decision, and the platform has yet to confirm it. Yours was not sent."
            return Refusal("Somebody is deciding this request right now", text, tone="warn")
        case DecidedElsewhere():
            text = "Somebody was faster, here or on the platform. Yours did not count; what counts is shown below."
            return Refusal("This request had been decided already", text, tone="warn")
        case OutcomeUnknown():
            text = (
                "The platform did not answer in time and may have done it. This page shows the truth as soon as it is known; "
                "nothing is sent twice."
            )
            return Refusal("We could not confirm it and are checking", text, tone="warn")
        case RequestGone():
            return Refusal("The platform has no such request any more", "It was deleted there. Nothing was decided.")
        case errors.InvalidIdentifier():
            return Refusal("This request cannot be decided here", "Its id is not one that the platform could have given.")
        case errors.PlatformError():
            return explain_platform(error)
    raise error


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
