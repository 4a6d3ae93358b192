"""Why a write did not work out, in words for the person who made it."""

from dataclasses import dataclass
from math import ceil

from django.urls import reverse

from portal.connections.services import NotConnected
from portal.platform_api import errors
from portal.questionnaires.services.answering import ResponseGone
from portal.questionnaires.services.deciding import NotAllowed, QuestionnaireGone
from portal.writes.settling import OutcomeUnknown

REFUSALS = (errors.PlatformError, NotConnected, NotAllowed, OutcomeUnknown, QuestionnaireGone, ResponseGone)


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
            return Refusal(
                "This tenant is not connected",
                "Nothing can be changed on the platform until an owner connects it.",
                url=reverse("connections:connection", args=[slug]),
                link="Look at the connection",
            )
        case OutcomeUnknown():
            return Refusal(
                "We could not confirm it and are checking",
                "The platform did not answer in time and may have done it. This page shows the truth as soon as it is known; "
                "nothing is sent twice.",
                tone="warn",
            )
        case QuestionnaireGone():
            return Refusal("The platform has no such questionnaire any more", "It was deleted there.")
        case ResponseGone():
            return Refusal(
                "The platform has no such question any more",
                "The question or its questionnaire was deleted there. Your text is below, so that you can copy it.",
            )
        case NotAllowed():
            return Refusal("This is not possible now", str(error), tone="warn")
        case errors.PlatformError():
            return explain_platform(error)
    raise error


def explain_platform(error: errors.PlatformError) -> Refusal:
    match error:
        case errors.PermissionRefused():
            return Refusal(
                "This connection does not cover questionnaires",
                "The platform allows reading or writing them only to another kind of grant. Nothing was changed.",
            )
        case errors.RateLimited():
            wait = ceil(error.retry_after or 60)
            return Refusal(f"The platform asks us to wait {wait} s", "Nothing was changed. Try again then.", tone="warn")
        case errors.Unavailable():
            return Refusal("The platform cannot be reached", "Nothing was changed. Try again in a moment.", tone="warn")
        case errors.ValidationFailed():
            return Refusal("The platform did not take this", error.reason)
    return Refusal("The platform refused this", error.message or "It gave no reason. Nothing was changed.")
