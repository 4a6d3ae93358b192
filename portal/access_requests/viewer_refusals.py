"""Why a change of a viewer did not work out, in words for the person who asked for it."""

from math import ceil

from portal.access_requests.services.viewer_changing import NotPossible, ViewerGone
from portal.access_requests.services.viewer_reminding import MayHaveBeenSent, NotSent, RemindedToday
from portal.connections.services import NotConnected, NoTrustCenter
from portal.platform_api import errors
from portal.writes.settling import OutcomeUnknown

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
    NotConnected: "This tenant is not connected. Nothing can be changed until an owner connects it.",
    NoTrustCenter: "The Trust Center's id is not known yet. Enter it on the connection page.",
    ViewerGone: "The platform has no such person with access any more.",
    RemindedToday: "An invitation was sent within the last day, or may have been. One a day is enough.",
    MayHaveBeenSent: "It may have been sent: the platform did not say. No mail is sent twice, so it is left at that.",
    NotSent: "The platform says that it did not send the mail, and gives no reason.",
    OutcomeUnknown: "We could not confirm it and are checking. It is looked at before anything is sent again.",
    errors.InvalidIdentifier: "Its id is not one that the platform could have given.",
}


def say(error: Exception, slug: str) -> str:
    """Say what happened and what to do now."""
    if isinstance(error, errors.PlatformError):
        return _say_of_platform(error)
    return next((words for kind, words in SENTENCES.items() if isinstance(error, kind)), str(error))


def _say_of_platform(error: errors.PlatformError) -> str:
    match error:
        case errors.PermissionRefused():
            return "This connection does not cover changing viewers. The platform allows that only to another kind of grant."
        case errors.NotFound():
            return "The platform has no such person with access any more."
        case errors.RateLimited():
            return f"The platform asks us to wait {ceil(error.retry_after)} s."
        case errors.TemporaryError():
            return "The platform cannot be reached. Nothing was changed."
        case errors.ValidationFailed():
            return f"The platform did not take this: {error.reason}"
    return f"The platform refused this: {error.message or 'it gave no reason.'}"
