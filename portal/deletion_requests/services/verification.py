"""Days after an erasure: did the person come back? Only the hash of the address is left, so all others are hashed beside it.

The copies here are looked through first, then the platform's lists, once for all that are due. Rows that are here and that the
platform does not have (a copy that was on its way when the rest was erased) are erased again. What the platform lists from
before the erasure was not erased there: the desk says so, and looks again until it is gone. What it created after the erasure
is new: the person has asked for access again, and that stays.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from portal.connections.services import NotConnected, NoTrustCenter, Urgency, client_for, trust_center
from portal.deletion_requests.addresses import fingerprint
from portal.deletion_requests.models import LEASE, DeletionRequest, Outcome, SecondLook
from portal.deletion_requests.selectors import desk_settings
from portal.deletion_requests.services.request_audit import record_change
from portal.lib.sealed import Locked
from portal.lib.storable import storable_text
from portal.platform_api import Platform
from portal.platform_api.errors import NotFound, PermissionRefused, PlatformError, UnexpectedAnswer
from portal.platform_api.models.trust_center import AccessRequest, Viewer
from portal.sync.services.waits import wait_after
from portal.tenants import erased_people, personal_data

AT_ONCE = 200
MAX_TRIES = 16
"""About a day of waiting for the platform. Then the copies here are all that is looked at, and the outcome says so."""


@dataclass(frozen=True)
class Listing:
    """How the platform's lists name one person, read from a moment on."""

    asked_at: datetime
    has_old: bool = False
    """From before the erasure."""
    has_new: bool = False


def check_for_returns() -> int:
    """Look for everybody of the tenant in scope whose day has come; return how many."""
    looks = _claim(timezone.now())
    if not looks:
        return 0
    wanted = {look.deletion_request.email_hash for look in looks}
    here = _those_wanted(personal_data.addresses(), wanted)
    known = erased_people.erasures(wanted)
    with_history = bool(here) or any(each.listed_at for each in known.values())
    erased_at = {key: each.erased_at for key, each in known.items()}
    try:
        listings, refusal = _listings(wanted, erased_at, with_history=with_history)
    except (NotConnected, NoTrustCenter, Locked, PlatformError) as error:
        for look in looks:
            _go_on_without_platform(look, here, error)
        return len(looks)
    for look in looks:
        email_hash = look.deletion_request.email_hash
        if refusal and not listings[email_hash].has_old:
            _go_on_without_platform(look, here, refusal)
        else:
            _settle(look, address=here.get(email_hash), listing=listings[email_hash])
    return len(looks)


@transaction.atomic
def _claim(now: datetime) -> list[SecondLook]:
    """Take what is due for one attempt; another worker finds nothing to do meanwhile."""
    mine = []
    for look in SecondLook.objects.due(now).select_related("deletion_request").order_by("due_at")[:AT_ONCE]:
        still = SecondLook.objects.due(now).filter(pk=look.pk, attempts=look.attempts)
        if still.update(attempts=look.attempts + 1, lease_until=now + LEASE):
            look.attempts += 1
            mine.append(look)
    return mine


def _those_wanted(addresses: Iterable[str], wanted: set[str]) -> dict[str, str]:
    """Return the addresses whose hash is wanted, by their hash."""
    hashed = ((fingerprint(address), address) for address in addresses)
    return {email_hash: address for email_hash, address in hashed if email_hash in wanted}


def _listings(
    wanted: set[str], erased_at: Mapping[str, datetime], *, with_history: bool
) -> tuple[dict[str, Listing], PlatformError | None]:
    """Read the platform's lists, and say of each person how they are named there, and why one of the lists is not whole.

    Whom a list names is listed, whatever becomes of the others; of those who are named nowhere, nobody knows then.
    """
    asked_at, old, new = timezone.now(), set[str](), set[str]()
    refusal: PlatformError | None = None
    for people in _people_on_platform(client_for(Urgency.PERIODIC), with_history=with_history):
        try:
            for person in people:
                # As addresses are stored here: half a character, which has no hash, must not end the look for everybody.
                email_hash, created_at = erased_people.fingerprint(storable_text(person.email)), person.creation_date
                if email_hash in wanted:
                    is_new = email_hash in erased_at and created_at is not None and created_at > erased_at[email_hash]
                    (new if is_new else old).add(email_hash)
        except (NotFound, PermissionRefused, UnexpectedAnswer) as error:
            refusal = error
    # A new request may stand where nothing could be read: what is here of the person is not erased again then.
    return {each: Listing(asked_at, each in old, each in new or refusal is not None) for each in wanted}, refusal


def _people_on_platform(client: Platform, *, with_history: bool) -> list[Iterable[Viewer | AccessRequest]]:
    """Return the lists of viewers and open requests, and of decided ones when something has come back from somewhere."""
    center = trust_center(client)
    lists: list[Iterable[Viewer | AccessRequest]] = [center.viewers.all(include_removed=False), center.access_requests.all()]
    return [*lists, center.historical_access_requests.all()] if with_history else lists


def _go_on_without_platform(look: SecondLook, here: dict[str, str], error: Exception) -> None:
    wait = wait_after(error, attempts=look.attempts)
    if look.attempts < MAX_TRIES:
        later = timezone.now() + wait.delay
        _claimed(look).update(due_at=later, lease_until=None, problem=wait.description[:300])
        return
    _settle(look, address=here.get(look.deletion_request.email_hash), listing=None, problem=wait.description)


@transaction.atomic
def _settle(look: SecondLook, *, address: str | None, listing: Listing | None, problem: str = "") -> None:
    """Write the outcome into the ledger, and erase again what must not be here, in one commit.

    `listing` is None where the platform was not asked.
    """
    locked = _claimed(look).select_for_update().first()
    if locked is None:
        return
    row = DeletionRequest.objects.select_for_update().get(pk=look.deletion_request_id)
    locked.found = personal_data.count(address) if address else {}
    locked.outcome = _outcome(locked, listing)
    if address and locked.found and listing and not listing.has_new:
        locked.found = erased_people.erase(address)
    if locked.outcome == Outcome.STILL_LISTED:
        row.came_back = True
        row.save(update_fields=["came_back"])
    if listing and listing.has_old:
        erased_people.note_listed(row.email_hash)
    elif listing:
        erased_people.note_unlisted(row.email_hash, asked_at=listing.asked_at)
    locked.looked_at, locked.lease_until = timezone.now(), None
    locked.was_platform_asked, locked.problem = listing is not None, problem[:300]
    locked.save(update_fields=["found", "outcome", "looked_at", "lease_until", "was_platform_asked", "problem"])
    if locked.outcome in (Outcome.ERASED_AGAIN, Outcome.STILL_LISTED):
        # Whatever brought it back may do so once more; and the platform may take its time.
        SecondLook.objects.create(deletion_request=row, due_at=locked.looked_at + timedelta(days=desk_settings().recheck_days))
    elif row.came_back and listing:
        row.came_back = False
        row.save(update_fields=["came_back"])
    record_change(
        row, "second_look", f"Checked again for {row}. {locked.description}", {"outcome": locked.outcome, "found": locked.found}
    )


def _outcome(look: SecondLook, listing: Listing | None) -> Outcome:
    if listing is None:
        return Outcome.STILL_LISTED if look.found else Outcome.NOTHING
    if listing.has_old:
        return Outcome.STILL_LISTED
    if listing.has_new:
        return Outcome.ANEW
    return Outcome.ERASED_AGAIN if look.found else Outcome.NOTHING


def _claimed(look: SecondLook) -> QuerySet[SecondLook]:
    return SecondLook.objects.waiting().filter(pk=look.pk, attempts=look.attempts)
