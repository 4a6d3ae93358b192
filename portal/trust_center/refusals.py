"""Why a change at this desk did not work out, in words for the person who made it."""

from portal.connections.error_messages import NOTHING_CHANGED, Refusal, error_message, error_title, refusal_of
from portal.connections.errors import NoTrustCenter
from portal.connections.services import NotConnected
from portal.lib.sealed import Locked
from portal.platform_api import errors
from portal.platform_writes.bulk import AnotherOnItsWay
from portal.platform_writes.outcomes import OutcomeUnknown
from portal.trust_center.errors import AlreadyThere, BadgeRefused, ChangedMeanwhile, Gone, SameDocument

AREA_WORDS = "the Trust Center"
REFUSALS = (
    errors.PlatformError,
    errors.InvalidIdentifier,
    NotConnected,
    NoTrustCenter,
    Locked,
    OutcomeUnknown,
    AnotherOnItsWay,
    AlreadyThere,
    BadgeRefused,
    ChangedMeanwhile,
    Gone,
)

__all__ = ["REFUSALS", "Refusal", "refusal_for", "refusal_message"]


def refusal_for(error: Exception, *, slug: str) -> Refusal:
    """Say what happened and what to do now."""
    match error:
        case Gone():
            return Refusal("The platform doesn't have this anymore", "It was deleted there. Nothing was changed.")
        case ChangedMeanwhile():
            text = "Nothing was saved. The current version is shown below. Save again to replace it with yours."
            return Refusal("Someone changed this while you were editing", text, tone="warn")
        case AnotherOnItsWay():
            text = "Nothing was sent. Wait until the other one is sent, or undo it under Updates."
            return Refusal("Another update with this title is in progress", text, tone="warn")
        case BadgeRefused():
            return Refusal("The platform rejected this badge", "Try another image, such as a PNG.", tone="warn")
        case SameDocument():
            text = "Nothing was uploaded: if you sent it a moment ago, it has arrived. Otherwise choose another title."
            return Refusal("A document with this title and file name already exists", text, tone="warn")
        case AlreadyThere():
            text = "Nothing was added: the platform already has this. Edit the existing one instead."
            return Refusal("It's already on the Trust Center", text, tone="warn")
    return refusal_of(error, slug=slug, area=AREA_WORDS)


def refusal_message(error: Exception, slug: str) -> str:
    """Say in a sentence or two why an update was not published."""
    match error:
        case Gone() | errors.NotFound():
            return "The platform doesn't have this anymore."
        case OutcomeUnknown():
            return f"{error_title(error)}. {error_message(error)}"
        case errors.PlatformError() | NotConnected() | NoTrustCenter() | Locked():
            return f"{error_message(error, area=AREA_WORDS)} {NOTHING_CHANGED}"
    return str(error)
