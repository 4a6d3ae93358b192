"""Why a change of a viewer did not work out, in words for the person who asked for it."""

from portal.access_requests.services.viewer_changes import NotPossible, ViewerGone
from portal.access_requests.services.viewer_reminders import MayHaveBeenSent, NotSent, RemindedToday
from portal.connections.error_messages import NOTHING_CHANGED, error_message, error_title
from portal.connections.services import NotConnected, NoTrustCenter
from portal.platform_api import errors
from portal.platform_writes.outcomes import OutcomeUnknown

REFUSALS = (
    errors.PlatformError,
    errors.InvalidIdentifier,
    NotConnected,
    NoTrustCenter,
    ViewerGone,
    NotPossible,
    RemindedToday,
    MayHaveBeenSent,
    NotSent,
)


SENTENCES: dict[type[Exception], str] = {
    ViewerGone: "This viewer is no longer on the platform.",
    RemindedToday: "An invitation was sent within the last day, or may have been. One a day is enough.",
    MayHaveBeenSent: "It may have been sent; the platform didn't say. We never send the email twice, so we won't try again.",
    NotSent: "The platform says it didn't send the email, and gave no reason.",
    errors.NotFound: "This viewer is no longer on the platform.",
}


def refusal_message(error: Exception, slug: str) -> str:
    """Say what happened and what to do now."""
    if words := next((words for kind, words in SENTENCES.items() if isinstance(error, kind)), ""):
        return words
    match error:
        case OutcomeUnknown():
            return f"{error_title(error)}. {error_message(error)}"
        case errors.PlatformError() | NotConnected():
            return f"{error_message(error, area='changing viewers')} {NOTHING_CHANGED}"
        case NoTrustCenter() | errors.InvalidIdentifier():
            return error_message(error)
    return str(error)
