"""Why a change of a customer did not work out, in words for the person who made it."""

from dataclasses import dataclass
from math import ceil

from django.urls import reverse

from portal.connections.services import NotConnected
from portal.customers.services import AlreadyOnItsWay, CustomerGone
from portal.lib.sealed import Locked
from portal.platform_api import errors
from portal.writes.settling import OutcomeUnknown

REFUSALS = (
    errors.PlatformError,
    errors.InvalidIdentifier,
    NotConnected,
    Locked,
    OutcomeUnknown,
    CustomerGone,
    AlreadyOnItsWay,
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
        case NotConnected() | Locked():
            return Refusal(
                "This tenant is not connected",
                "Nothing can be changed on the platform until an owner connects it.",
                url=reverse("connections:connection", args=[slug]),
                link="Look at the connection",
            )
        case OutcomeUnknown():
            return Refusal(
                "We could not confirm it and are checking",
                "The platform did not answer in time and may have done it. The customer's page shows the truth as soon as it "
                "is known; nothing is sent twice.",
                tone="warn",
            )
        case AlreadyOnItsWay():
            return Refusal(
                "This customer is being created already",
                "Somebody has sent the same name and mail domain a moment ago. The list tells what comes of it.",
                tone="warn",
            )
        case CustomerGone():
            return Refusal("The platform has no such customer any more", "It was deleted there.")
        case errors.InvalidIdentifier():
            return Refusal("Nothing was sent", "Its id is not one that the platform could have given.")
        case errors.PlatformError():
            return _explain_platform(error)
    raise error


def _explain_platform(error: errors.PlatformError) -> Refusal:
    match error:
        case errors.PermissionRefused():
            return Refusal(
                "This connection does not cover customers",
                "The platform allows writing them only to another kind of grant. Nothing was changed.",
            )
        case errors.RateLimited():
            wait = ceil(error.retry_after)
            return Refusal(f"The platform asks us to wait {wait} s", "Nothing was changed. Try again then.", tone="warn")
        case errors.TemporaryError():
            return Refusal("The platform cannot be reached", "Nothing was changed. Try again in a moment.", tone="warn")
        case errors.ValidationFailed():
            return Refusal("The platform did not take this", error.reason)
    return Refusal("The platform refused this", error.message or "It gave no reason. Nothing was changed.")
