"""Why a change at this desk did not work out, in words for the person who made it."""

from portal.connections.error_messages import Refusal, refusal_of
from portal.connections.services import NotConnected
from portal.documents.errors import AlreadyThere, Gone, UploadUnderWay
from portal.lib.sealed import Locked
from portal.platform_api import errors
from portal.platform_writes.outcomes import OutcomeUnknown

AREA_WORDS = "documents"
REFUSALS = (
    errors.PlatformError,
    errors.InvalidIdentifier,
    NotConnected,
    Locked,
    OutcomeUnknown,
    AlreadyThere,
    Gone,
    UploadUnderWay,
)


def refusal_for(error: Exception, *, slug: str) -> Refusal:
    """Say what happened and what to do now."""
    match error:
        case Gone():
            return Refusal("The platform doesn't have this anymore", "It was deleted there. Nothing was changed.")
        case AlreadyThere():
            return Refusal("The document already has this link", "Nothing was added.", tone="warn")
        case UploadUnderWay():
            text = "Nothing was sent. The portal is still checking whether the last file arrived; try again in a minute."
            return Refusal("Another upload to this document isn't finished", text, tone="warn")
    return refusal_of(error, slug=slug, area=AREA_WORDS)
