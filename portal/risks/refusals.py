"""Why a change at this desk did not work out, in words for the person who made it."""

from portal.connections.error_messages import Refusal, refusal_of
from portal.connections.services import NotConnected
from portal.lib.sealed import Locked
from portal.platform_api import errors
from portal.platform_writes.outcomes import OutcomeUnknown
from portal.risks.errors import AlreadyThere, Gone

AREA_WORDS = "risk scenarios"
REFUSALS = (
    errors.PlatformError,
    errors.InvalidIdentifier,
    NotConnected,
    Locked,
    OutcomeUnknown,
    AlreadyThere,
    Gone,
)


def refusal_for(error: Exception, *, slug: str) -> Refusal:
    """Say what happened and what to do now."""
    match error:
        case Gone():
            return Refusal("The platform doesn't have this anymore", "It was removed there. Nothing was changed.")
        case AlreadyThere():
            text = "Nothing was added: the scenario already has this control. Change its type instead."
            return Refusal("The control is already there", text, tone="warn")
    return refusal_of(error, slug=slug, area=AREA_WORDS)
