"""Why a change at this desk did not work out, in words for the person who made it."""

from portal.connections.error_messages import NOTHING_CHANGED, Refusal, error_message, error_title, refusal_of
from portal.connections.services import NotConnected
from portal.lib.sealed import Locked
from portal.people.errors import AlreadyThere, Gone, NotPossible
from portal.platform_api import errors
from portal.platform_writes.outcomes import OutcomeUnknown

AREA_WORDS = "people and groups"
REFUSALS = (
    errors.PlatformError,
    errors.InvalidIdentifier,
    NotConnected,
    Locked,
    OutcomeUnknown,
    Gone,
    NotPossible,
    AlreadyThere,
)


def refusal_for(error: Exception, *, slug: str) -> Refusal:
    """Say what happened and what to do now, as a callout."""
    if isinstance(error, AlreadyThere):
        text = (
            f"Nothing was sent. “{error.group}” is already on the platform; choose another name, or add people to that group."
        )
        return Refusal("This group already exists", text, tone="warn")
    return refusal_of(error, slug=slug, area=AREA_WORDS)


def refusal_message(error: Exception, slug: str) -> str:
    """Say in a sentence or two why one person was not changed."""
    match error:
        case Gone() | errors.NotFound():
            return "The platform doesn't have this person or this group anymore."
        case OutcomeUnknown():
            return f"{error_title(error)}. {error_message(error)}"
        case errors.PlatformError() | NotConnected():
            return f"{error_message(error, area=AREA_WORDS)} {NOTHING_CHANGED}"
        case errors.InvalidIdentifier():
            return error_message(error)
    return str(error)
