"""Working on a bulk run, turn by turn: one worker at a time, every object settled before the next (guarantee W4).

A worker takes a lease on the run; what it finds out is written only while the run still counts its turn. Where a worker died
in the middle of a call, the next one looks at the object before it sends anything (guarantee W1).
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
from portal.lib.enqueue import enqueue_on_commit
from portal.lib.time_budget import TASK_TIME_BUDGET_SECONDS
from portal.page_refresh.services import touch_areas
from portal.platform_api import Platform
from portal.platform_api.errors import (
    AuthenticationFailed,
    OAuthError,
    RateLimited,
    RedirectRefused,
    TemporaryError,
    UnexpectedAnswer,
)
from portal.platform_writes.bulk import Bulk
from portal.platform_writes.models import LEASE, MAX_TRIES, ItemState, Run
from portal.platform_writes.outcomes import MIRROR_KNOWS_AFTER, NotYetGone, OutcomeUnknown
from portal.sync.services.waits import backoff, wait_after
from portal.tenants.models import Membership

logger = logging.getLogger(__name__)

ROLE_LOST = "The person who requested this no longer has the role for it. Someone else can try again."
OUR_FAULT = "Something went wrong in the portal. The error was logged; trying again may help."
IN_DOUBT = "It may have gone through; the portal could not check."
MAX_DESCRIPTION_LENGTH = 300


class LeaseLost(Exception):
    """Another worker has the run now."""


class Pause(Exception):
    """Nothing else of this tenant would fare better now."""

    def __init__(self, delay: timedelta, description: str) -> None:
        super().__init__(description)
        self.delay = delay
        self.description = description


def work_on(bulk: Bulk, run: Run, *, seconds: float = TASK_TIME_BUDGET_SECONDS) -> bool:
    """Bring a run as far as one turn gets; False when another worker has it. Failures are written into the items."""
    if not claim(bulk, run):
        return False
    deadline, pause, to_do = time.monotonic() + seconds, None, bulk.items_of(run).to_do()
    try:
        member = _member_of(bulk, run)
        client = client_for(Urgency.PERSON, Waiting(work=to_do.count()))
        while time.monotonic() < deadline and (item := _next(bulk, run)):
            Step(bulk, run, item).take(client, member)
    except (NotConnected, Membership.DoesNotExist) as error:
        problem = _error_message(bulk, run, error) if isinstance(error, NotConnected) else ROLE_LOST
        left = to_do.filter(run__turn=run.turn)
        # First: nobody can say of these that nothing was changed.
        left.filter(is_in_doubt=True).update(state=ItemState.FAILED, description=IN_DOUBT)
        left.update(state=ItemState.FAILED, description=problem)
    except Pause as waiting:
        pause = waiting
    except LeaseLost:
        logger.warning("%s %s: another worker has it", bulk.kind, run.pk)
        return True
    _end_turn(bulk, run, pause)
    return True


@transaction.atomic
def claim(bulk: Bulk, run: Run) -> bool:
    """Take a run for one turn; False when another worker has it, or there is nothing to do yet."""
    now = timezone.now()
    taken = bulk.all_runs().due(now).filter(pk=run.pk, turn=run.turn)
    if not taken.update(turn=F("turn") + 1, lease_until=now + LEASE):
        return False
    run.turn += 1
    # Whoever had them died on the way: the call may have left.
    bulk.items_of(run).filter(state=ItemState.WORKING).update(state=ItemState.UNCERTAIN, is_in_doubt=True)
    return True


def _member_of(bulk: Bulk, run: Run) -> Membership:
    """Whoever asked for the run, with the role of this moment (guarantee S7)."""
    return Membership.objects.who_may(bulk.role).select_related("user", "tenant").get(user=run.asked_by)


def _next(bulk: Bulk, run: Run) -> Any:
    due = bulk.items_of(run).to_do().filter(due_at__lte=timezone.now())
    return due.select_related("run").with_object().order_by("id").first()


def _error_message(bulk: Bulk, run: Run, error: Exception) -> str:
    return bulk.error_message(error, run.tenant.slug)[:MAX_DESCRIPTION_LENGTH]


class Step:
    """One try to change one item."""

    def __init__(self, bulk: Bulk, run: Run, item: Any) -> None:
        self._bulk, self._run, self._item = bulk, run, item

    def take(self, client: Platform, member: Membership) -> None:
        item = self._item
        item.attempts += 1
        if not self._bulk.items_of(self._run).claimed(item, self._run).update(state=ItemState.WORKING, attempts=item.attempts):
            raise LeaseLost
        done = partial(self.record_outcome, ItemState.DONE)
        try:
            self._bulk.change(item, member=member, client=client, checks_before_retry=item.is_in_doubt, then=done)
        except LeaseLost:
            raise
        except OutcomeUnknown as error:
            item.is_in_doubt = True
            delay = MIRROR_KNOWS_AFTER if isinstance(error, NotYetGone) else timedelta(seconds=backoff(item.attempts))
            self._try_later(error, delay)
        except (RateLimited, TokenBusy) as error:
            wait = wait_after(error, attempts=item.attempts)
            # A pause of everybody is no failure of this one.
            self.record_outcome(self._state_of_waiting(), attempts=item.attempts - 1)
            raise Pause(wait.delay, wait.description) from error
        except (AuthenticationFailed, OAuthError, RedirectRefused) as error:
            # It is refused whoever is changed: not this item is wrong, and the next ones would fare no better.
            wait = wait_after(error, attempts=item.attempts)
            self._try_later(error, wait.delay)
            raise Pause(wait.delay, wait.description) from error
        except (TemporaryError, UnexpectedAnswer) as error:
            self._try_later(error, wait_after(error, attempts=item.attempts).delay)
        except NotConnected as error:
            self.record_outcome(ItemState.FAILED, description=self._why_not(error))
        except self._bulk.refusals as error:
            self.record_outcome(ItemState.FAILED, description=self._error_message(error))
        except Exception:  # a bug of ours: this one is listed as not changed, and the others go on
            logger.exception("item %s of %s failed", item.pk, self._bulk.kind)
            self.record_outcome(ItemState.FAILED, description=OUR_FAULT)

    def _try_later(self, error: Exception, delay: timedelta) -> None:
        if self._item.attempts >= MAX_TRIES:
            self.record_outcome(ItemState.FAILED, description=self._why_not(error))
            return
        words = self._error_message(error) if isinstance(error, OutcomeUnknown) else self._why_not(error)
        self.record_outcome(self._state_of_waiting(), due_at=timezone.now() + delay, description=words)

    def _state_of_waiting(self) -> ItemState:
        return ItemState.UNCERTAIN if self._item.is_in_doubt else ItemState.WAITING

    def _why_not(self, error: Exception) -> str:
        """Say why it was not done, unless a call may have left: nobody knows that it was not."""
        return IN_DOUBT if self._item.is_in_doubt else self._error_message(error)

    def _error_message(self, error: Exception) -> str:
        return _error_message(self._bulk, self._run, error)

    @transaction.atomic
    def record_outcome(self, state: ItemState, *, description: str = "", **columns: datetime | int) -> None:
        """Write an outcome down, if the run still counts this turn. Runs in the transaction of the change, if there is one."""
        claimed = self._bulk.items_of(self._run).claimed(self._item, self._run)
        if not claimed.update(state=state, description=description, is_in_doubt=self._item.is_in_doubt, **columns):
            raise LeaseLost
        touch_areas(self._bulk.area)


@transaction.atomic
def _end_turn(bulk: Bulk, run: Run, pause: Pause | None) -> None:
    """Put into the row when the next turn is, or that the run is over."""
    still = bulk.all_runs().filter(pk=run.pk, turn=run.turn)
    # Before its items are looked at: whoever has failures tried again at this moment holds the run while these become due.
    still.select_for_update().first()
    now, next_at = timezone.now(), bulk.items_of(run).to_do().aggregate(at=Min("due_at"))["at"]
    if pause:
        next_at = now + pause.delay
    columns = {
        "due_at": next_at or now,
        "finished_at": None if next_at else now,
        "wait_description": pause.description if pause else "",
    }
    if not still.update(lease_until=None, **columns):
        return
    if next_at is None:
        _note_end(bulk, run)
    elif next_at <= now:
        enqueue_on_commit(bulk.task, run.tenant_id, run.pk)
    touch_areas(bulk.area)


def _note_end(bulk: Bulk, run: Run) -> None:
    counts = bulk.items_of(run).counts()
    summary = f"Ended: {run}. {counts.done} of {run.counted(counts.total)} {'was' if counts.done == 1 else 'were'} changed."
    details = {"done": counts.done, "failed": counts.failed}
    record(f"{bulk.action}_end", target=(bulk.kind, str(run.pk)), summary=summary, actor=run.asked_by, details=details)
