"""What the writes of this desk have in common: sent once, the outcome verified, the object marked stale (guarantee W1)."""

import json
from collections.abc import Callable, Iterable, Sequence
from hashlib import sha256

from django.core.exceptions import PermissionDenied
from django.db import transaction

from portal.page_refresh.services import touch_areas
from portal.platform_api.errors import NotFound
from portal.platform_writes.outcomes import (
    OutcomeUnknown,
    check_shown,
    delete_and_verify,
    refetching,
    verify_and_write,
    write_and_verify,
)
from portal.sync.freshness import fetch_now
from portal.tenants.models import Membership, Role
from portal.trust_center.errors import AlreadyThere, ChangedMeanwhile, Gone
from portal.trust_center.kinds import AREA

PUBLISHER = Role.APPROVER
"""Who publishes updates and says who is told of them: mails leave in the name of the whole company."""


def check(member: Membership, role: Role = Role.ANALYST) -> None:
    if not member.may(role):
        raise PermissionDenied


def version_of(said: object) -> str:
    """Return what stands for all that an object says, so that a form can carry what its person has before them."""
    return sha256(json.dumps(said).encode()).hexdigest()[:16]


def version_of_choice(ids: Iterable[str]) -> str:
    """Return what stands for objects that are chosen, in whichever order."""
    return version_of(sorted(ids))


def check_no_other[T](found: Iterable[T], *, is_same: Callable[[T], bool], store: Callable[[T], object]) -> None:
    """Raise AlreadyThere where the platform has another object of this name, which is kept.

    Call it before one is added: what a lost answer has added says the same. Afterwards the platform may show another text.
    """
    if other := next((each for each in found if not is_same(each)), None):
        keep_found(store, other)
        raise AlreadyThere


def add_object[T](*, write: Callable[[], object], fetch: Callable[[], Sequence[T]]) -> T:
    """Add an object unless the platform has it: what a lost answer has added is never added twice. `fetch` finds it.

    Raises OutcomeUnknown also while the platform does not show what it took, and what `verify_and_write` raises.
    """
    return verify_and_write(write=write, fetch=fetch, is_done=bool, must_show=True)[0]


def update_object[T](
    kind: str,
    platform_id: str,
    *,
    write: Callable[[], object],
    fetch: Callable[[], T],
    is_done: Callable[[T], bool],
    said: Callable[[T], object],
    before: object,
) -> T:
    """Change one object, and return it as the platform has it. `said` reads what is changed of it; it was `before`.

    Raises Gone, and what `write_and_verify` and `check_shown` raise.
    """
    with refetching(lambda: fetch_now((kind, platform_id)), gone=Gone):
        found = write_and_verify(write=write, fetch=fetch, is_done=is_done, of=(kind, [platform_id]))
        check_shown(said(found), before=before, is_done=is_done(found))
    return found


def look_up[T](kind: str, platform_id: str, call: Callable[[], T]) -> T:
    """Make a call about one object. Raises Gone where the platform has none, and has that looked at."""
    try:
        return call()
    except NotFound as error:
        fetch_now((kind, platform_id))
        raise Gone from error


def look_before[T](
    kind: str, platform_id: str, fetch: Callable[[], T], *, is_expected: Callable[[T], bool], store: Callable[[T], object]
) -> T:
    """Look up an object that is to be changed. What somebody else has made of it meanwhile is kept, for the person to see.

    Raises Gone, ChangedMeanwhile, and what `fetch` raises.
    """
    found = look_up(kind, platform_id, fetch)
    if not is_expected(found):
        keep_found(store, found)
        raise ChangedMeanwhile
    return found


@transaction.atomic
def keep_found[T](store: Callable[[T], object], found: T) -> None:
    """Show what is there: somebody else's, or what was sent before and whose answer was lost."""
    store(found)
    touch_areas(AREA)


def delete_object(
    kind: str, platform_id: str, *, delete: Callable[[], object], fetch: Callable[[], object], is_known_gone: Callable[[], bool]
) -> None:
    """Delete one object. Raises what `delete_and_verify` raises."""
    try:
        delete_and_verify(delete=delete, fetch=fetch, is_known_gone=is_known_gone, of=(kind, [platform_id]))
    except OutcomeUnknown:
        fetch_now((kind, platform_id))
        raise
