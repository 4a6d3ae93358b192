"""Why a switch did not move, in words for the person who pressed it."""

from math import ceil

from portal.connections.services import NotConnected
from portal.lib.sealed import Locked
from portal.platform_api import errors
from portal.trust_documents.services import AlreadyOnItsWay, NotSwitchable
from portal.trust_documents.services.settling import words_of

REFUSALS = (errors.PlatformError, errors.InvalidIdentifier, NotConnected, Locked, AlreadyOnItsWay, NotSwitchable)


def explain(error: Exception) -> str:
    """Say what happened and what to do now."""
    match error:
        case NotSwitchable():
            return f"Nothing was changed. {error}"
        case AlreadyOnItsWay():
            if error.change is None:
                return "Somebody pressed this switch in the same moment. The matrix shows how it stands now."
            who, wanted = error.change.begun_by_name, error.change.wanted
            return f"{who} has just switched this {wanted}, and the platform has not said yet what came of it. Wait for that."
        case NotConnected() | Locked():
            return "Nothing was changed: this tenant is not connected. An owner connects it first."
        case errors.RateLimited():
            return f"Nothing was changed: the platform asks us to wait {ceil(error.retry_after)} s. Press it again then."
        case errors.TemporaryError():
            return "Nothing was changed: the platform cannot be reached. Press it again in a moment."
    return f"Nothing was changed. {words_of(error)}"
