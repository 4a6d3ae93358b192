"""Why a change of a customer did not work out, in words for the person who made it."""

from portal.connections.error_messages import Refusal, refusal_of
from portal.connections.services import NotConnected
from portal.customers.services import AlreadyOnItsWay, CustomerGone
from portal.lib.sealed import Locked
from portal.platform_api import errors
from portal.platform_writes.outcomes import OutcomeUnknown

REFUSALS = (
    errors.PlatformError,
    errors.InvalidIdentifier,
    NotConnected,
    Locked,
    OutcomeUnknown,
    CustomerGone,
    AlreadyOnItsWay,
)


__all__ = ["REFUSALS", "Refusal", "refusal_for"]


def refusal_for(error: Exception, *, slug: str) -> Refusal:
    """Say what happened and what to do now."""
    match error:
        case AlreadyOnItsWay():
            return Refusal(
                "This customer is already being created",
                "Someone sent the same name and email domain a moment ago. The list shows the outcome.",
                tone="warn",
            )
        case CustomerGone():
            return Refusal("This customer no longer exists on the platform", "It was deleted there.")
        case errors.PlatformError() | errors.InvalidIdentifier() | NotConnected() | Locked() | OutcomeUnknown():
            return refusal_of(error, slug=slug, area="customers")
    raise error
