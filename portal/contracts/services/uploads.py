"""From a stored file to a contract on the platform, never twice.

An attempt takes a lease on the row; what it finds out is written only while the row still counts that attempt. When an answer
is lost, nobody knows whether the contract was made: the next attempt reads the platform's list and looks for the external id
before it sends anything (guarantee W1). The platform refuses a second contract with the same external id (409), which is
settled in the same way: by looking.
"""

import logging
from datetime import UTC, datetime, time
from typing import Any, BinaryIO, cast

from django.db import transaction
from django.utils import timezone

from portal.connections.error_messages import error_message
from portal.connections.services import NotConnected, Urgency, client_for
from portal.contracts.models import LEASE, Contract, Upload, UploadState
from portal.contracts.services.outcomes import claimed, finish, mark_uncertain, postpone, record_outcome, refuse
from portal.contracts.services.store import AREA
from portal.lib.sealed import Locked
from portal.page_refresh.services import touch_areas
from portal.platform_api import Page, Platform, errors
from portal.platform_api import models as remote
from portal.platform_api.trails import Trail
from portal.tenants.models import Membership, Role

logger = logging.getLogger(__name__)

CONNECTION_TROUBLE = (NotConnected, Locked, errors.AuthenticationFailed, errors.RedirectRefused, errors.OAuthError)
"""Nothing has run: the upload waits until the connection works again."""
FILE_MISSING = "The stored file is missing. Upload the document again."
ROLE_LOST = "{} can no longer upload contracts. Someone else can try again."
NOT_LISTED = "The platform says it has a contract with this external id but doesn't list it."


class LeaseLost(Exception):
    """Another attempt has the upload now."""


def run_upload(upload: Upload) -> bool:
    """Bring an upload as far as it gets now; False when somebody else has it in hand. Failures are written into the row."""
    if not claim(upload):
        return False
    try:
        client = client_for(Urgency.NEWS)
        if upload.state == UploadState.UNCERTAIN and _is_settled_by_looking(upload, client):
            return True
        if _may_still(upload):
            _send(upload, client)
        else:
            refuse(upload, ROLE_LOST.format(upload.uploaded_by_name))
    except NotConnected as error:
        postpone(upload, error)
    except LeaseLost:
        logger.warning("contract upload %s: another attempt has it", upload.pk)
    return True


@transaction.atomic
def claim(upload: Upload) -> bool:
    """Take the row for one attempt; False when another attempt is under way or it is over."""
    now = timezone.now()
    values: dict[str, Any] = {"attempts": upload.attempts + 1, "lease_until": now + LEASE, "state": UploadState.SENDING.value}
    if upload.state != UploadState.WAITING:
        values["state"] = UploadState.UNCERTAIN.value
    if upload.state == UploadState.SENDING and upload.lease_until:
        # Whoever had it died on the way: the call may have left.
        values["in_doubt_since"] = upload.in_doubt_since or upload.lease_until - LEASE
    still = Upload.objects.open().free(now).filter(pk=upload.pk, attempts=upload.attempts, state=upload.state)
    if not still.update(**values):
        return False
    for name, value in values.items():
        setattr(upload, name, value)
    touch_areas(AREA)
    return True


def _may_still(upload: Upload) -> bool:
    """Ask again before each call: an upload may wait for days, and the role of that moment counts (guarantee S7)."""
    return Membership.objects.who_may(Role.ANALYST).filter(user=upload.uploaded_by_id).exists()


def _is_settled_by_looking(upload: Upload, client: Platform, *, refused: bool = False) -> bool:
    """Look for the contract; False when the platform has none and it may be sent. `refused`: the platform says it has one."""
    try:
        found = _look(upload, client)
    except (errors.PlatformError, Locked) as error:
        if isinstance(error, errors.ValidationFailed | errors.EndlessList):
            # A cursor lives as long as the platform likes: a refused one means the first page again, and so does a circle.
            claimed(upload).update(cursor="", trail={})
        postpone(upload, error)
        return True
    if found:
        record_outcome(upload, found)
    elif refused:
        postpone(upload, errors.Unavailable("POST", "/contracts", status=409), description=NOT_LISTED)
    return bool(found) or refused


def _look(upload: Upload, client: Platform) -> remote.Contract | None:
    """Find the contract with the upload's external id. Goes on where the attempt before this one had to stop.

    Raises UnexpectedAnswer when one could not be read that may be it: nobody can say then that the platform has none.
    """
    cursor, trail, problem = upload.cursor or None, Trail(upload.trail), ""
    while True:
        page = client.contracts.all.page(cursor)
        for found in page.items:
            if found.external_id == upload.external_id:
                return found
        problem = problem or _problem_of(page)
        cursor = page.next_cursor
        if cursor is None:
            break
        # The trail is kept with the cursor: a list that leads in a circle leads every attempt round it.
        trail.follow(cursor, [*(each.id for each in page.items), *page.unread_ids])
        if not problem:
            # The next attempt reads the page with the one that could not be read again.
            _keep_place(upload, cursor, trail.kept())
    if problem:
        raise errors.UnexpectedAnswer("GET", "/contracts", message=problem)
    _keep_place(upload, "", {})
    return None


def _problem_of(page: Page[remote.Contract]) -> str:
    """Say why a contract of a page could not be read, unless it was here before: those are other ones."""
    ids = [each.id for each in page.unread if each.id]
    known = set(Contract.objects.filter(platform_id__in=ids).values_list("platform_id", flat=True))
    return next((f"one of the contracts: {each.problem}" for each in page.unread if each.id not in known), "")


def _keep_place(upload: Upload, cursor: str, trail: dict[str, Any]) -> None:
    if not claimed(upload).update(cursor=cursor, trail=trail):
        raise LeaseLost


def _send(upload: Upload, client: Platform) -> None:
    # What was in doubt was looked for by now and is not there.
    upload.state = UploadState.SENDING
    try:
        created = _create(upload, client)
    except FileNotFoundError:
        refuse(upload, FILE_MISSING)
    except errors.Conflict:
        upload.state = UploadState.UNCERTAIN
        upload.cursor, upload.trail = "", {}
        claimed(upload).update(state=upload.state, cursor="", trail={})
        _is_settled_by_looking(upload, client, refused=True)
    except CONNECTION_TROUBLE as error:
        postpone(upload, error)
    except errors.UnexpectedAnswer as error:
        # It says success and cannot be read: very likely made.
        mark_uncertain(upload, error)
    except errors.TemporaryError as error:
        if isinstance(error, errors.Unavailable) and error.sent:
            mark_uncertain(upload, error)
        else:
            postpone(upload, error)
    except errors.PlatformError as error:
        refuse(upload, error_message(error, area="contracts"))
    else:
        finish(upload, created, UploadState.DONE)


def _create(upload: Upload, client: Platform) -> remote.Contract:
    executed_date = datetime.combine(upload.executed_on, time(), UTC) if upload.executed_on else None
    with upload.file.open("rb") as file:
        return client.contracts.create(
            cast(BinaryIO, file),
            filename=upload.filename,
            external_id=upload.external_id,
            account_id=upload.account_id or None,
            executed_date=executed_date,
        )
