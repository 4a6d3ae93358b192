"""Working on a bulk run, turn by turn: one worker at a time, every questionnaire settled before the next (guarantee W4).

A worker takes a lease on the run; what it finds out is written only while the run still counts its turn. Where a worker died
in the middle of a call, the next one looks at the questionnaire before it sends anything (guarantee W1).
"""

import logging
import time
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from django.db import transaction
from django.db.models import F, Min
from django.utils import timezone

from portal.audit.services import record
from portal.connections.services import NotConnected, TokenBusy, Urgency, Waiting, client_for
from portal.lib.bell import ring
from portal.lib.turns import TURN_SECONDS
from portal.live.services import changed
from portal.platform_api import Platform
from portal.platform_api.errors import RateLimited, TemporaryError, UnexpectedAnswer
from portal.questionnaires.models import LEASE, MOST_TRIES, BulkItem, BulkItemQuerySet, BulkRun, ItemState
from portal.questionnaires.refusals import REFUSALS, explain
from portal.questionnaires.services.assigning import assign_question
from portal.questionnaires.services.bulk import BULK_RUN, WORK
from portal.questionnaires.services.changing import change_questionnaire
from portal.questionnaires.services.settling import OutcomeUnknown
from portal.sync.services.waits import backoff, wait_after
from portal.tenants.models import Membership, Role

logger = logging.getLogger(__name__)

ROLE_LOST = "Whoever asked for it may not change questionnaires any more. Somebody else can try again."
OUR_FAULT = "Something went wrong in the portal. It was written down for its makers; trying again may help."


class LeaseLost(Exception):
    """Another worker has the run now."""


class Pause(Exception):
    """Nothing else of this tenant would fare better now."""

    def __init__(self, delay: timedelta, words: str) -> None:
        super().__init__(words)
        self.delay = delay
        self.words = words


def work_on(run: BulkRun, *, seconds: float = TURN_SECONDS) -> bool:
    """Bring a run as far as one turn gets; False when another worker has it. Failures are written into the items."""
    if not claim(run):
        return False
    deadline, pause = time.monotonic() + seconds, None
    try:
        member = _member_of(run)
        client = client_for(Urgency.PERSON, Waiting(work=_to_do(run).count()))
        while time.monotonic() < deadline and (item := _next(run)):
            _work_on_item(item, client, member)
    except (NotConnected, Membership.DoesNotExist) as error:
        words = _words(error, run) if isinstance(error, NotConnected) else ROLE_LOST
        _to_do(run).filter(run__turn=run.turn).update(state=ItemState.FAILED, words=words)
    except Pause as waiting:
        pause = waiting
    except LeaseLost:
        logger.warning("bulk run %s: another worker has it", run.pk)
        return True
    _end_turn(run, pause)
    return True


@transaction.atomic
def claim(run: BulkRun) -> bool:
    """Take a run for one turn; False when another worker has it, or there is nothing to do yet."""
    now = timezone.now()
    taken = BulkRun.objects.due(now).filter(pk=run.pk, turn=run.turn)
    if not taken.update(turn=F("turn") + 1, lease_until=now + LEASE):
        return False
    run.turn += 1
    # Whoever had them died on the way: the call may have left.
    BulkItem.objects.filter(run=run, state=ItemState.WORKING).update(state=ItemState.UNCERTAIN, is_in_doubt=True)
    return True


def _member_of(run: BulkRun) -> Membership:
    """Whoever asked for the run, with the role of this moment (guarantee S7)."""
    members = Membership.objects.select_related("user", "tenant").filter(role__gte=Role.ANALYST)
    return members.get(tenant=run.tenant, user=run.asked_by)


def _to_do(run: BulkRun) -> BulkItemQuerySet:
    return BulkItem.objects.filter(run=run).to_do()


def _next(run: BulkRun) -> BulkItem | None:
    due = _to_do(run).filter(due_at__lte=timezone.now()).select_related("run", "questionnaire", "response__questionnaire")
    return due.defer("questionnaire__payload", "questionnaire__search").order_by("id").first()


def _work_on_item(item: BulkItem, client: Platform, member: Membership) -> None:
    item.attempts += 1
    if not BulkItem.objects.held(item).update(state=ItemState.WORKING, attempts=item.attempts):
        raise LeaseLost
    try:
        _change(item, member=member, client=client, looks_first=item.is_in_doubt, then=partial(_settle, item, ItemState.DONE))
    except LeaseLost:
        raise
    except OutcomeUnknown as error:
        item.is_in_doubt = True
        _try_later(item, error, timedelta(seconds=backoff(item.attempts)))
    except (RateLimited, TokenBusy) as error:
        wait = wait_after(error, attempts=item.attempts)
        # A pause of everybody is no failure of this one.
        _settle(item, _state_of_waiting(item), attempts=item.attempts - 1)
        raise Pause(wait.delay, wait.words) from error
    except (TemporaryError, UnexpectedAnswer) as error:
        _try_later(item, error, wait_after(error, attempts=item.attempts).delay)
    except REFUSALS as error:
        _settle(item, ItemState.FAILED, words=_words(error, item.run))
    except Exception:  # a bug of ours: this one is listed as not changed, and the others go on
        logger.exception("bulk item %s failed", item.pk)
        _settle(item, ItemState.FAILED, words=OUR_FAULT)


def _change(item: BulkItem, **how: Any) -> None:
    if item.response:
        assign_question(item.response, change=item.run.change, **how)
    else:
        change_questionnaire(item.questionnaire, change=item.run.change, **how)


def _try_later(item: BulkItem, error: Exception, delay: timedelta) -> None:
    if item.attempts >= MOST_TRIES:
        _settle(item, ItemState.FAILED, words=_words(error, item.run))
    else:
        _settle(item, _state_of_waiting(item), due_at=timezone.now() + delay, words=_words(error, item.run))


def _state_of_waiting(item: BulkItem) -> ItemState:
    return ItemState.UNCERTAIN if item.is_in_doubt else ItemState.WAITING


@transaction.atomic
def _settle(item: BulkItem, state: ItemState, *, words: str = "", **columns: datetime | int) -> None:
    """Write an outcome down, if the run still counts this turn. Runs in the transaction of the change, if there is one."""
    if not BulkItem.objects.held(item).update(state=state, words=words, is_in_doubt=item.is_in_doubt, **columns):
        raise LeaseLost
    changed("questionnaires")


def _words(error: Exception, run: BulkRun) -> str:
    refusal = explain(error, slug=run.tenant.slug)
    return f"{refusal.title}. {refusal.text}"[:300]


@transaction.atomic
def _end_turn(run: BulkRun, pause: Pause | None) -> None:
    """Put into the row when the next turn is, or that the run is over."""
    now, next_at = timezone.now(), _to_do(run).aggregate(at=Min("due_at"))["at"]
    if pause:
        next_at = now + pause.delay
    still = BulkRun.objects.filter(pk=run.pk, turn=run.turn)
    columns = {"due_at": next_at or now, "finished_at": None if next_at else now, "wait_words": pause.words if pause else ""}
    if not still.update(lease_until=None, **columns):
        return
    if next_at is None:
        _note_end(run)
    elif next_at <= now:
        ring(WORK, run.tenant_id, run.pk)
    changed("questionnaires")


def _note_end(run: BulkRun) -> None:
    counts = BulkItem.objects.filter(run=run).counts()
    summary = f"Ended: {run}. {counts.done} of {counts.total} {run.change.noun}s were changed."
    details = {"done": counts.done, "failed": counts.failed}
    record("questionnaire.bulk_end", target=(BULK_RUN, str(run.pk)), summary=summary, actor=run.asked_by, details=details)
