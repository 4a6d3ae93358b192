"""Why a switch did not move, in words for the person who pressed it."""

from portal.connections.error_messages import NOTHING_CHANGED, error_message, when_to_retry
from portal.connections.services import NotConnected
from portal.lib.sealed import Locked
from portal.platform_api import errors
from portal.tags.services import AlreadyOnItsWay, NotSwitchable

REFUSALS = (errors.PlatformError, errors.InvalidIdentifier, NotConnected, Locked, AlreadyOnItsWay, NotSwitchable)


def refusal_message(error: Exception) -> str:
    """Say what happened and what to do now."""
    match error:
        case NotSwitchable():
            return f"Nothing was changed. {error}"
        case AlreadyOnItsWay():
            if error.change is None:
                return "Someone else changed this switch at the same time. The matrix shows its current state."
            who, wanted = error.change.begun_by_name, error.change.wanted
            return f"{who} just switched this {wanted}, and the platform has not confirmed it yet. Wait for the result."
    return f"{NOTHING_CHANGED} {error_message(error, area='tags')} {when_to_retry(error)}".strip()
