"""Writes whose outcome may stay unknown: verified by a fetch, never blindly repeated (guarantee W1)."""

from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from datetime import timedelta

from django.utils import timezone

from portal.connections.services import NotConnected
from portal.connections.services.calls import reserved_calls
from portal.platform_api.errors import (
    Conflict,
    NotFound,
    OutcomeUnknown,
    PlatformError,
    Unavailable,
    UnexpectedAnswer,
    ValidationFailed,
)
from portal.sync.services.marks import GONE_AFTER, note_fetched

type Mirrored = tuple[str, Collection[str]]
"""The kind and the ids of what `fetch` reads: lists and fetches that were asked for before it no longer change those rows."""

__all__ = [
    "Mirrored",
    "NotYetGone",
    "OutcomeUnknown",
    "check_shown",
    "delete_and_verify",
    "refetching",
    "verify_and_write",
    "write_and_verify",
]

MIRROR_KNOWS_AFTER = GONE_AFTER + timedelta(seconds=30)
"""When the mirror has checked a second time for what was not there: a worker has to get to it."""


class NotYetGone(OutcomeUnknown):
    """The platform says that it has no such object, and has said so once only: the mirror checks again (guarantee Q15)."""


def write_and_verify[T](
    *,
    write: Callable[[], object],
    fetch: Callable[[], T],
    is_done: Callable[[T], bool],
    of: Mirrored | None = None,
    must_show: bool = False,
) -> T:
    """Make a write, then return the object as the platform has it. Raises OutcomeUnknown, or why the write was refused.

    `must_show`: what the platform has accepted and does not show is unknown too. It takes effect later, or never.
    """
    fetch = _noted(fetch, is_done, of)
    try:
        write()
    except (Unavailable, UnexpectedAnswer) as error:
        if isinstance(error, Unavailable) and not error.sent:
            raise
        found = _fetch_after_lost_answer(fetch, error)
        if not is_done(found):
            raise
        return found
    try:
        with reserved_calls():
            found = fetch()
    except (PlatformError, NotConnected) as error:
        raise OutcomeUnknown(is_accepted=True) from error
    if must_show and not is_done(found):
        raise OutcomeUnknown(is_accepted=True)
    return found


def verify_and_write[T](
    *,
    write: Callable[[], object],
    fetch: Callable[[], T],
    is_done: Callable[[T], bool],
    of: Mirrored | None = None,
    must_show: bool = False,
) -> T:
    """Make a write that may have been made before: fetch first, and write only what has not been done."""
    found = _noted(fetch, is_done, of)()
    if is_done(found):
        return found
    return write_and_verify(write=write, fetch=fetch, is_done=is_done, of=of, must_show=must_show)


def check_shown(shown: object, *, before: object, is_done: bool) -> None:
    """Raise OutcomeUnknown where the platform has accepted a write and still shows what it was to change as it was before.

    It takes effect later, or never. Whatever else is shown stands: the platform may write down another value than it was sent.
    """
    if not is_done and shown == before:
        raise OutcomeUnknown(is_accepted=True)


@contextmanager
def refetching(refetch: Callable[[], object], *, gone: type[Exception]) -> Iterator[None]:
    """Have an object fetched again where a write leaves unknown what came of it, or was refused since our copy was wrong.

    Raises `gone` where the platform says that it has no such object; whether that is so, the fetch tells (guarantee Q15).
    """
    try:
        yield
    except NotFound as error:
        refetch()
        raise gone from error
    except (Conflict, OutcomeUnknown, ValidationFailed):
        refetch()
        raise


def delete_and_verify(
    *,
    delete: Callable[[], object],
    fetch: Callable[[], object],
    is_known_gone: Callable[[], bool],
    checks_before_retry: bool = False,
    answers_for_removed: bool = False,
    of: Mirrored | None = None,
) -> None:
    """Delete an object. Raises what `write_and_verify` raises; OutcomeUnknown also while the platform still shows it.

    `answers_for_removed`: the platform may go on showing one that is removed, so its word that it removed it has to do.
    A 404 may pass (guarantee Q15): where the platform has taken no deletion in this attempt, it counts only when the mirror has
    seen it twice (`is_known_gone`). Until then the outcome is unknown, and the caller has the mirror check.
    """

    def is_missing() -> bool:
        try:
            fetch()
        except NotFound:
            return True
        return False

    if checks_before_retry and is_missing():
        if is_known_gone():
            return
        raise NotYetGone
    try:
        write_and_verify(write=delete, fetch=is_missing, is_done=bool, of=of, must_show=not answers_for_removed)
    except NotFound as error:
        if not is_known_gone():
            raise NotYetGone from error


def _noted[T](fetch: Callable[[], T], is_done: Callable[[T], bool], of: Mirrored | None) -> Callable[[], T]:
    """Tell the mirror of a fetch that found the write done: nothing older replaces that (guarantee Q11)."""
    if of is None:
        return fetch
    kind, ids = of

    def noted() -> T:
        asked_at = timezone.now()
        found = fetch()
        if is_done(found):
            note_fetched(kind, ids, fetched_at=asked_at)
        return found

    return noted


def _fetch_after_lost_answer[T](fetch: Callable[[], T], silence: PlatformError) -> T:
    try:
        with reserved_calls():
            return fetch()
    except (PlatformError, NotConnected):
        raise OutcomeUnknown from silence
