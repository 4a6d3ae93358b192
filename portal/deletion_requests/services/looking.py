"""Days after an erasure: did the person come back? Only the hash of the address is left, so all others are hashed beside it.

The copies here are looked through first, then the platform's lists, once for all that are due. Rows that are here and that the
platform does not have (a copy that was on its way when the rest was erased) are erased again. What the platform lists is
another matter: it was not erased there, or the person has asked for access anew. That takes a person, and a new request.
"""

from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from portal.connections.services import NotConnected, NoTrustCenter, Urgency, client_for, trust_center
from portal.deletion_requests.addresses import fingerprint
from portal.deletion_requests.models import LEASE, DeletionRequest, Outcome, SecondLook
from portal.deletion_requests.selectors import desk_settings
from portal.deletion_requests.services.writing import write_down
from portal.lib.sealed import Locked
from portal.platform_api.errors import PlatformError
from portal.sync.services.waits import wait_after
from portal.tenants import personal_data

AT_ONCE = 200
MOST_TRIES = 16
"""About a day of waiting for the platform. Then the copies here are all that is looked at, and the outcome says so."""


def look_again() -> int:
    """Look for everybody of the tenant in scope whose day has come; return how many."""
    looks = _claim(timezone.now())
    if not looks:
        return 0
    wanted = {look.deletion_request.email_hash for look in looks}
    here = _those_wanted(personal_data.addresses(), wanted)
    try:
        there = set(_those_wanted(_addresses_on_platform(with_history=bool(here)), wanted))
    except (NotConnected, NoTrustCenter, Locked, PlatformError) as error:
        for look in looks:
            _go_on_without_platform(look, here, error)
        return len(looks)
    for look in looks:
        _settle(look, address=here.get(look.deletion_request.email_hash), is_listed=look.deletion_request.email_hash in there)
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


def _addresses_on_platform(*, with_history: bool) -> Iterator[str]:
    """Walk the platform's viewers and open requests, and the decided ones when something has come back from somewhere."""
    center = trust_center(client_for(Urgency.PERIODIC))
    yield from (viewer.email for viewer in center.viewers.all(include_removed=False))
    yield from (request.email for request in center.access_requests.all())
    if with_history:
        yield from (request.email for request in center.historical_access_requests.all())


def _go_on_without_platform(look: SecondLook, here: dict[str, str], error: Exception) -> None:
    wait = wait_after(error, attempts=look.attempts)
    if look.attempts < MOST_TRIES:
        later = timezone.now() + wait.delay
        _held(look).update(due_at=later, lease_until=None, problem=wait.words[:300])
        return
    _settle(look, address=here.get(look.deletion_request.email_hash), is_listed=None, problem=wait.words)


@transaction.atomic
def _settle(look: SecondLook, *, address: str | None, is_listed: bool | None, problem: str = "") -> None:
    """Write the outcome into the ledger, and erase again what is only here, in one commit."""
    held = _held(look).select_for_update().first()
    if held is None:
        return
    row = DeletionRequest.objects.select_for_update().get(pk=look.deletion_request_id)
    held.found = personal_data.count(address) if address else {}
    if is_listed or (held.found and is_listed is None):
        held.outcome = Outcome.STILL_LISTED
        row.came_back = True
        row.save(update_fields=["came_back"])
    elif address and held.found:
        held.outcome, held.found = Outcome.ERASED_AGAIN, personal_data.erase(address)
    else:
        held.outcome = Outcome.NOTHING
    held.looked_at, held.lease_until = timezone.now(), None
    held.was_platform_asked, held.problem = is_listed is not None, problem[:300]
    held.save(update_fields=["found", "outcome", "looked_at", "lease_until", "was_platform_asked", "problem"])
    if held.outcome == Outcome.ERASED_AGAIN:
        # Whatever brought it back may do so once more.
        SecondLook.objects.create(deletion_request=row, due_at=held.looked_at + timedelta(days=desk_settings().recheck_days))
    write_down(row, "second_look", f"Looked again for {row}. {held.words}", {"outcome": held.outcome, "found": held.found})


def _held(look: SecondLook) -> QuerySet[SecondLook]:
    return SecondLook.objects.waiting().filter(pk=look.pk, attempts=look.attempts)
