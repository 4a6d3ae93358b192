"""Why a change at this desk did not work out, in words for the person who made it."""

from portal.connections.error_messages import Refusal, refusal_of
from portal.connections.services import NotConnected
from portal.lib.sealed import Locked
from portal.platform_api import errors
from portal.platform_writes.outcomes import OutcomeUnknown
from portal.vendors.errors import AlreadyThere, ChangedMeanwhile, Gone

AREA_WORDS = "vendors"
REFUSALS = (
    errors.PlatformError,
    errors.InvalidIdentifier,
    NotConnected,
    Locked,
    OutcomeUnknown,
    AlreadyThere,
    ChangedMeanwhile,
    Gone,
)


def refusal_for(error: Exception, *, slug: str) -> Refusal:
    """Say what happened and what to do now."""
    match error:
        case Gone():
            return Refusal("The platform doesn't have this anymore", "It was deleted there. Nothing was changed.")
        case ChangedMeanwhile():
            text = "Nothing was saved. The current version is shown below. Save again to replace it with yours."
            return Refusal("Someone changed this while you were editing", text, tone="warn")
        case AlreadyThere():
            text = "Nothing was added: this vendor already has a finding with this text. Edit that one instead."
            return Refusal("This finding already exists", text, tone="warn")
    return refusal_of(error, slug=slug, area=AREA_WORDS)
