"""Why a form about a grant was refused, in words."""

from portal.connections.services import TokenBusy
from portal.connections.services.budget import BudgetSpent
from portal.platform_api import errors


def words_of_own_application(error: errors.PlatformError) -> str:
    match error:
        case errors.InvalidClient():
            return "The platform does not accept this id and secret. Copy both again; a rotated secret ends the old one."
        case errors.InvalidScope():
            return "The platform does not give this application these scopes. It has to be of the type “Manage”."
        case BudgetSpent() | TokenBusy() | errors.RateLimited():
            return f"The platform takes no more sign-ins this minute. Try again in {error.retry_after or 60:.0f} seconds."
        case errors.RedirectRefused():
            return "This portal's address of the platform is wrong; its operator was told."
        case errors.TemporaryError():
            return "The platform does not answer. Nothing was changed; try again in a few minutes."
    return f"The platform refused: {error.reason}"
