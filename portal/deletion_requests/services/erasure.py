"""From a request to its outcome: ask the platform, then erase here.

The platform's erasure is idempotent: asking a second time finds nothing more to erase. There is no endpoint that would tell
whether a lost call arrived (platform-api 4.1.8), so a lost answer is settled the only way there is, by asking again
(guarantee W1). The portal's own rows go only after the platform's clear yes, so that a refusal leaves everything as it was.

An attempt takes a lease on the row; what it finds out is written only while the row still counts that attempt.
"""

import logging
from datetime import timedelta

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from portal.connections.error_messages import error_message
from portal.connections.services import NotConnected, Urgency, client_for
from portal.deletion_requests.addresses import without_address
from portal.deletion_requests.models import LEASE, SENDABLE, DeletionRequest, SecondLook, State
from portal.deletion_requests.selectors import desk_settings
from portal.deletion_requests.services.request_audit import AREA, record_change
from portal.lib.enqueue import enqueue_on_commit
from portal.lib.sealed import Locked
from portal.page_refresh.services import touch_areas
from portal.platform_api import errors
from portal.sync.services.waits import wait_after
from portal.tenants import erased_people
from portal.tenants.models import Membership, Role
from portal.users.models import User

logger = logging.getLogger(__name__)

FINISH = "portal.deletion_requests.tasks.finish_deletion_request"
ROLE_LOST = "{} can no longer send deletion requests. Someone else can send it."
NOT_DONE = "The platform answered that it was not successful, without a reason."


def process_request(row: DeletionRequest, *, urgency: Urgency = Urgency.NEWS, asked_by: User | None = None) -> bool:
    """Bring a request as far as it gets now; False when somebody else has it in hand. Failures are written into the row."""
    if not claim(row, asked_by=asked_by):
        return False
    if row.state != State.CONFIRMED and not _may_still(row):
        _stop(row)
    elif row.state == State.CONFIRMED or _is_confirmed(row, urgency):
        _erase(row)
    return True


@transaction.atomic
def claim(row: DeletionRequest, *, asked_by: User | None) -> bool:
    """Take the row for one attempt; False when another attempt is under way or the request is over.

    `asked_by` is the person who wants it sent once more: from then on it goes on that person's word.
    """
    now = timezone.now()
    values = {"attempts": row.attempts + 1, "lease_until": now + LEASE, "state": row.state, "uncertain_at": row.uncertain_at}
    if row.state in (State.WAITING, State.REFUSED):
        # A refusal has not settled what became of an earlier lost call.
        values["state"] = State.UNCERTAIN.value if row.is_in_doubt else State.SENDING.value
    elif row.state == State.SENDING and row.attempts:
        # Whoever had it died on the way: the call may have left.
        values |= {"state": State.UNCERTAIN.value, "uncertain_at": row.uncertain_at or now}
    if asked_by:
        values |= {"sent_by": asked_by, "sent_by_name": str(asked_by)[:120], "sent_at": now}
    still = DeletionRequest.objects.free(now).filter(pk=row.pk, attempts=row.attempts, state=row.state, state__in=SENDABLE)
    if not still.update(**values):
        return False
    for name, value in values.items():
        setattr(row, name, value)
    if asked_by:
        record_change(row, "ask_again", f"Asked again to erase {row}.", {}, actor=asked_by)
    touch_areas(AREA)
    return True


def _may_still(row: DeletionRequest) -> bool:
    """Ask again before each call: a request may wait for days, and the role of that moment counts (guarantee S7)."""
    return Membership.objects.who_may(Role.APPROVER).filter(user=row.sent_by_id).exists()


@transaction.atomic
def _stop(row: DeletionRequest) -> None:
    """Leave it to somebody who may send it. The platform was not asked now, so it is not said to have refused."""
    words = ROLE_LOST.format(row.sent_by_name)
    if _claimed(row).update(state=State.REFUSED, refused_at=None, problem=words, lease_until=None):
        sent = "was not sent again" if row.is_in_doubt else "was not sent"
        record_change(row, "refuse", f"{row} {sent}; nothing was erased here.", {"answer": words})


def _is_confirmed(row: DeletionRequest, urgency: Urgency) -> bool:
    """Ask the platform; True when it has said yes."""
    try:
        answer = client_for(urgency).deletion_requests.create(row.email)
    except errors.UnexpectedAnswer as error:
        # It says success and cannot be read: very likely done, but the certificate needs the clear word.
        _postpone(row, error, may_have_arrived=True)
    except errors.TemporaryError as error:
        _postpone(row, error, may_have_arrived=isinstance(error, errors.Unavailable) and error.sent)
    except (NotConnected, Locked, errors.AuthenticationFailed, errors.RedirectRefused, errors.OAuthError) as error:
        # The connection's trouble, not this request's: nothing has run, and it goes on once the connection works.
        _postpone(row, error, may_have_arrived=False)
    except errors.PlatformError as error:
        _refuse(row, error_message(error, area="deletion requests"))
    else:
        if answer.is_successful:
            return _confirm(row)
        _refuse(row, NOT_DONE)
    return False


@transaction.atomic
def _postpone(row: DeletionRequest, error: Exception, *, may_have_arrived: bool) -> None:
    """Put the next attempt into the row. What is uncertain stays so, whatever kept a later attempt from being sent."""
    now, wait = timezone.now(), wait_after(error, attempts=row.attempts)
    is_uncertain = may_have_arrived or row.state == State.UNCERTAIN
    is_news = is_uncertain and row.uncertain_at is None
    written = _claimed(row).update(
        state=State.UNCERTAIN if is_uncertain else State.WAITING,
        uncertain_at=now if is_news else row.uncertain_at,
        # The first lost answer is looked into at once: nobody should have to wait to hear what came of it.
        due_at=now if is_news else now + wait.delay,
        problem=without_address(wait.description, row.email)[:300],
        lease_until=None,
    )
    if written:
        touch_areas(AREA)
    if written and is_news:
        enqueue_on_commit(FINISH, row.tenant_id, row.pk)


@transaction.atomic
def _refuse(row: DeletionRequest, words: str) -> None:
    """Nothing is erased here: the platform still has the person, and would bring back what is deleted."""
    words = without_address(words, row.email)[:300]
    if _claimed(row).update(state=State.REFUSED, refused_at=timezone.now(), problem=words, lease_until=None):
        record_change(row, "refuse", f"The platform refused to erase {row}; nothing was erased here.", {"answer": words})


@transaction.atomic
def _confirm(row: DeletionRequest) -> bool:
    """Keep the platform's yes before anything else: if erasing fails here, only that is left to do."""
    now = timezone.now()
    row.state = State.CONFIRMED
    touch_areas(AREA)
    return bool(_claimed(row).update(state=State.CONFIRMED, confirmed_at=now, problem="", due_at=now))


def _erase(row: DeletionRequest) -> None:
    """Erase the portal's own copies and the address in the row itself, in one commit."""
    try:
        with transaction.atomic():
            locked = _claimed(row).select_for_update().first()
            if locked is None:
                return
            locked.erased, locked.erased_at = erased_people.erase(row.email), timezone.now()
            locked.state, locked.email, locked.lease_until = State.ERASED, "", None
            locked.save(update_fields=["erased", "erased_at", "state", "email", "lease_until"])
            SecondLook.objects.get_or_create(
                deletion_request=locked,
                looked_at=None,
                defaults={"due_at": locked.erased_at + timedelta(days=desk_settings().recheck_days)},
            )
            record_change(locked, "erase", f"Erased {locked} here, after the platform confirmed.", {"erased": locked.erased})
    except Exception as error:  # a room that cannot erase must not lose the platform's yes; the sweep goes on with the rest
        # Without the traceback: a database's own words may hold the address.
        logger.error("deletion request %s could not be erased here: %s", row.reference, type(error).__name__)
        wait = wait_after(error, attempts=row.attempts)
        with transaction.atomic():
            words = f"Erasing the portal's own copies failed ({type(error).__name__}) and will be retried."
            _claimed(row).update(due_at=timezone.now() + wait.delay, problem=words, lease_until=None)
            touch_areas(AREA)


def _claimed(row: DeletionRequest) -> QuerySet[DeletionRequest]:
    return DeletionRequest.objects.filter(pk=row.pk, attempts=row.attempts, state__in=SENDABLE)
