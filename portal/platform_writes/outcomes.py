"""Writes whose outcome may stay unknown: settled by looking, never by blindly repeating (guarantee W1)."""

from collections.abc import Callable, Collection
from datetime import timedelta

from django.utils import timezone

from portal.connections.services import NotConnected
from portal.connections.services.calls import reserved_calls
from portal.lib.storable import storable
from portal.platform_api.errors import NotFound, OutcomeUnknown, PlatformError, Unavailable, UnexpectedAnswer
from portal.platform_api.models import Remote
from portal.sync.services.marks import GONE_AFTER, note_fetched

type Mirrored = tuple[str, Collection[str]]
"""The kind and the ids of what a look reads: lists and fetches that were asked for before it change none of that any more."""

__all__ = [
    "Mirrored",
    "NotYetGone",
    "OutcomeUnknown",
    "check_shown",
    "delete_and_verify",
    "verify_and_write",
    "write_and_verify",
]

MIRROR_KNOWS_AFTER = GONE_AFTER + timedelta(seconds=30)
"""When the mirror has looked a second time for what was not there: a worker has to get to it."""


class NotYetGone(OutcomeUnknown):
    """The platform says that it has no such object, and has said so once only: the mirror looks again (guarantee Q15)."""


def write_and_verify[T](
    *, write: Callable[[], object], look: Callable[[], T], is_done: Callable[[T], bool], of: Mirrored | None = None
) -> T:
    """Make a write, then return the object as the platform has it. Raises OutcomeUnknown, or why the write was refused."""
    look = _noted(look, is_done, of)
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
    except (PlatformError, NotConnected) as error:
        raise OutcomeUnknown(is_accepted=True) from error


def verify_and_write[T](
    *, write: Callable[[], object], look: Callable[[], T], is_done: Callable[[T], bool], of: Mirrored | None = None
) -> T:
    """Make a write that may have been made before: look first, and write only what has not been done."""
    found = _noted(look, is_done, of)()
    return found if is_done(found) else write_and_verify(write=write, look=look, is_done=is_done, of=of)


def check_shown(found: Remote, *, before: object, is_done: bool) -> None:
    """Raise OutcomeUnknown where the platform has accepted a write and shows the object just as our copy has it.

    It takes effect later, or never. Whatever else is shown stands: the platform may write down another value than it was sent.
    """
    if not is_done and storable(found.raw) == before:
        raise OutcomeUnknown(is_accepted=True)


def delete_and_verify(
    *,
    delete: Callable[[], object],
    look: Callable[[], object],
    is_known_gone: Callable[[], bool],
    checks_before_retry: bool = False,
    of: Mirrored | None = None,
) -> bool:
    """Delete an object, and return whether a look at it says that it is not there. Raises what `write_and_verify` raises.

    A 404 may pass (guarantee Q15): where the platform has taken no deletion in this attempt, it counts only when the mirror has
    seen it twice (`is_known_gone`). Until then the outcome is unknown, and the caller has the mirror look.
    """

    def is_missing() -> bool:
        try:
            look()
        except NotFound:
            return True
        return False

    if checks_before_retry and is_missing():
        if is_known_gone():
            return True
        raise NotYetGone
    try:
        return write_and_verify(write=delete, look=is_missing, is_done=bool, of=of)
    except NotFound as error:
        if is_known_gone():
            return True
        raise NotYetGone from error


def _noted[T](look: Callable[[], T], is_done: Callable[[T], bool], of: Mirrored | None) -> Callable[[], T]:
    """Have the mirror know of a look that found what was to be done: nothing older replaces that (guarantee Q11)."""
    if of is None:
        return look
    kind, ids = of

    def noted() -> T:
        asked_at = timezone.now()
        found = look()
        if is_done(found):
            note_fetched(kind, ids, fetched_at=asked_at)
        return found

    return noted


def _look_after_silence[T](look: Callable[[], T], silence: PlatformError) -> T:
    try:
        with reserved_calls():
            return look()
    except (PlatformError, NotConnected):
        raise OutcomeUnknown from silence
