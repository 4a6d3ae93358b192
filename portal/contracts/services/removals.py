"""Deleting a contract on the platform: a row that is worked off, and settled by looking (guarantee W1)."""

from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone

from portal.audit.services import record
from portal.connections.error_messages import error_message
from portal.connections.services import NotConnected, Urgency, client_for
from portal.contracts.models import REMOVAL_LEASE, Contract, Removal, RemovalState
from portal.contracts.services.checks import check
from portal.contracts.services.store import AREA, CONTRACT
from portal.contracts.services.upload_actions import NotPossible
from portal.lib.enqueue import enqueue_on_commit
from portal.lib.sealed import Locked
from portal.page_refresh.services import touch_areas
from portal.platform_api import Platform, errors
from portal.platform_writes.outcomes import MIRROR_KNOWS_AFTER
from portal.sync.freshness import fetch_now
from portal.sync.services.marks import MISSING
from portal.sync.services.waits import wait_after
from portal.tenants.models import Membership, Role

REMOVE = "portal.contracts.tasks.remove_contract"
NOTHING_RAN = (NotConnected, Locked, errors.AuthenticationFailed, errors.RedirectRefused, errors.OAuthError)
ROLE_LOST = "{} can no longer delete contracts. Another approver can delete it."


def remove_contract(contract: Contract, *, member: Membership) -> Removal:
    """Have a contract deleted on the platform. Raises NotPossible when that is under way, or it is gone."""
    check(member, Role.APPROVER)
    if contract.gone_at:
        raise NotPossible("This contract no longer exists on the platform.")
    try:
        with transaction.atomic():
            removal = Removal.objects.create(contract=contract, asked_by=member.user, asked_by_name=str(member.user)[:120])
            summary = f"Asked the platform to delete {contract.title[:150]}."
            record("contract.ask_removal", target=(CONTRACT, contract.platform_id), summary=summary, actor=member.user)
            touch_areas(AREA)
            enqueue_on_commit(REMOVE, removal.tenant_id, removal.pk)
    except IntegrityError:
        raise NotPossible("This contract is already being deleted.") from None
    return removal


def run_removal(removal: Removal) -> bool:
    """Bring a removal as far as it gets now; False when somebody else has it. Failures are written into the row."""
    if not _claim(removal):
        return False
    try:
        client = client_for(Urgency.PERSON)
        if removal.state == RemovalState.UNCERTAIN and not _is_there(client, removal):
            _take_as_missing(removal)
        elif not _may_still(removal):
            _refuse(removal, ROLE_LOST.format(removal.asked_by_name))
        else:
            _send(removal, client)
    except (errors.PlatformError, *NOTHING_RAN) as error:
        _postpone(removal, error)
    return True


@transaction.atomic
def _claim(removal: Removal) -> bool:
    now = timezone.now()
    values: dict[str, Any] = {"attempts": removal.attempts + 1, "lease_until": now + REMOVAL_LEASE}
    # Whoever had it died on the way, or its answer was lost: the call may have left.
    is_new = removal.state == RemovalState.WAITING
    values["state"] = RemovalState.SENDING if is_new else RemovalState.UNCERTAIN
    if not Removal.objects.due(now).filter(pk=removal.pk, attempts=removal.attempts).update(**values):
        return False
    removal.attempts, removal.state = values["attempts"], values["state"]
    touch_areas(AREA)
    return True


def _may_still(removal: Removal) -> bool:
    """Ask again before each call: a removal may wait for days, and the role of that moment counts (guarantee S7)."""
    return Membership.objects.who_may(Role.APPROVER).filter(user=removal.asked_by_id).exists()


def _is_there(client: Platform, removal: Removal) -> bool:
    try:
        client.contracts.get(removal.contract.platform_id)
    except errors.NotFound:
        return False
    return True


def _send(removal: Removal, client: Platform) -> None:
    removal.state = RemovalState.SENDING
    try:
        client.contracts.delete(removal.contract.platform_id)
    except errors.NotFound:
        _take_as_missing(removal)
        return
    except errors.UnexpectedAnswer as error:
        _postpone(removal, error, is_in_doubt=True)
        return
    except errors.Unavailable as error:
        _postpone(removal, error, is_in_doubt=error.sent)
        return
    except (errors.TemporaryError, *NOTHING_RAN) as error:
        _postpone(removal, error)
        return
    except errors.PlatformError as error:
        is_ours_old = isinstance(error, errors.Conflict | errors.ValidationFailed)
        _refuse(removal, error_message(error, area="contracts"), is_read_again=is_ours_old)
        return
    finish_removal(removal)


@transaction.atomic
def _take_as_missing(removal: Removal) -> None:
    """Finish when the mirror knows that the contract is gone; else have it looked at: one 404 may pass (guarantee Q15)."""
    contract = removal.contract
    if Contract.objects.filter(pk=contract.pk).exclude(gone_at=None).exists():
        finish_removal(removal)
        return
    due_at = timezone.now() + MIRROR_KNOWS_AFTER
    if _claimed(removal).update(state=RemovalState.UNCERTAIN, due_at=due_at, description=MISSING, lease_until=None):
        fetch_now((CONTRACT, contract.platform_id))
        touch_areas(AREA)


@transaction.atomic
def finish_removal(removal: Removal) -> None:
    """The platform has it no more: its page stays here, as it was, and it leaves the lists."""
    now = timezone.now()
    if not _claimed(removal).update(state=RemovalState.DONE, settled_at=now, lease_until=None, description=""):
        return
    Contract.objects.present().filter(pk=removal.contract_id).update(gone_at=now)
    contract = removal.contract
    summary = f"Deleted {contract.title[:150]} on the platform."
    details = {"external_id": contract.external_id, "attempts": removal.attempts}
    target = (CONTRACT, contract.platform_id)
    record("contract.remove", target=target, summary=summary, details=details, actor=removal.asked_by)
    touch_areas(AREA)


@transaction.atomic
def _postpone(removal: Removal, error: Exception, *, is_in_doubt: bool = False) -> None:
    wait, now = wait_after(error, attempts=removal.attempts), timezone.now()
    is_in_doubt = is_in_doubt or removal.state == RemovalState.UNCERTAIN
    state = RemovalState.UNCERTAIN if is_in_doubt else RemovalState.WAITING
    if _claimed(removal).update(state=state, due_at=now + wait.delay, description=wait.description[:300], lease_until=None):
        touch_areas(AREA)


@transaction.atomic
def _refuse(removal: Removal, words: str, *, is_read_again: bool = False) -> None:
    """End a removal that was not made. `is_read_again`: our copy of the contract may not be what the platform has."""
    columns = {"state": RemovalState.REFUSED, "settled_at": timezone.now(), "description": words[:300], "lease_until": None}
    if not _claimed(removal).update(**columns):
        return
    contract = removal.contract
    summary = f"{contract.title[:150]} was not deleted on the platform."
    target = (CONTRACT, contract.platform_id)
    record("contract.refuse_removal", target=target, summary=summary, details={"answer": words[:300]})
    if is_read_again:
        fetch_now((CONTRACT, contract.platform_id))
    touch_areas(AREA)


def _claimed(removal: Removal) -> Any:
    return Removal.objects.open().filter(pk=removal.pk, attempts=removal.attempts)


@transaction.atomic
def wake_removals() -> None:
    """The tenant has a new connection: what waited for one goes on now."""
    now = timezone.now()
    waiting = Removal.objects.open().filter(due_at__gt=now)
    for tenant_id, pk in waiting.values_list("tenant_id", "pk"):
        enqueue_on_commit(REMOVE, tenant_id, pk)
    if waiting.update(due_at=now):
        touch_areas(AREA)
