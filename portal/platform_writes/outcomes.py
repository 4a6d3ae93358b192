"""Writes whose outcome may stay unknown: settled by looking, never by blindly repeating (guarantee W1)."""

from collections.abc import Callable

from portal.connections.services.calls import reserved_calls
from portal.platform_api.errors import OutcomeUnknown, PlatformError, Unavailable, UnexpectedAnswer

__all__ = ["OutcomeUnknown", "verify_and_write", "write_and_verify"]


def write_and_verify[T](*, write: Callable[[], object], look: Callable[[], T], is_done: Callable[[T], bool]) -> T:
    """Make a write, then return the object as the platform has it. Raises OutcomeUnknown, or why the write was refused."""
    try:
        write()
    except (Unavailable, UnexpectedAnswer) as error:
        if isinstance(error, Unavailable) and not error.sent:
            raise
        found = _look_after_silence(look, error)
        if not is_done(found):
            raise
        return found
    try:
        with reserved_calls():
            return look()
    except PlatformError as error:
        raise OutcomeUnknown(is_accepted=True) from error


def verify_and_write[T](*, write: Callable[[], object], look: Callable[[], T], is_done: Callable[[T], bool]) -> T:
    """Make a write that may have been made before: look first, and write only what has not been done."""
    found = look()
    return found if is_done(found) else write_and_verify(write=write, look=look, is_done=is_done)


def _look_after_silence[T](look: Callable[[], T], silence: PlatformError) -> T:
    try:
        with reserved_calls():
            return look()
    except PlatformError:
        raise OutcomeUnknown from silence
