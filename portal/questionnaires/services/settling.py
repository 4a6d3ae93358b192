"""Writes whose outcome may stay unknown: settled by looking, never by blindly repeating (guarantee W1)."""

from collections.abc import Callable

from portal.platform_api.errors import PlatformError, Unavailable


class OutcomeUnknown(Exception):
    """The platform may have done it, and cannot be asked right now. The mirror will show the truth."""


def write_and_look[T](*, write: Callable[[], object], look: Callable[[], T], is_done: Callable[[T], bool]) -> T:
    """Make a write, then return the object as the platform has it. Raises OutcomeUnknown, or why the write was refused."""
    try:
        write()
    except Unavailable as error:
        if not error.sent:
            raise
        found = _look_after_silence(look, error)
        if not is_done(found):
            raise
        return found
    try:
        return look()
    except PlatformError as error:
        raise OutcomeUnknown from error


def _look_after_silence[T](look: Callable[[], T], silence: Unavailable) -> T:
    try:
        return look()
    except PlatformError:
        raise OutcomeUnknown from silence
