"""The worker's part: decisions whose half minute has passed leave, one by one, each under a lease (guarantees W1, W3).

What a worker finds out is written only while the decision still counts its turn. Where one died between taking a decision and
its outcome, the next one looks at the request before it sends anything.
"""

import logging
import time

from django.db.models import F
from django.utils import timezone

from portal.access_requests.models import (
    LEASE,
    MAX_TRIES,
    AccessRequest,
    Decision,
    DecisionState,
    Verb,
)
from portal.access_requests.refusals import REFUSALS
from portal.access_requests.services.accepted_decisions import confirm_accepted
from portal.access_requests.services.answers import (
    accept,
    end,
    end_by,
    gone,
    leave_open,
    record_no_answer,
    record_refusal,
    why_not,
)
from portal.access_requests.services.outcomes import AREA, GONE, GONE_IN_DOUBT
from portal.access_requests.services.terms import said
from portal.access_requests.services.verification import verify_outcome
from portal.connections.services import TokenBusy, Urgency, Waiting, client_for, trust_center
from portal.lib.time_budget import TASK_TIME_BUDGET_SECONDS
from portal.page_refresh.services import touch_areas
from portal.platform_api.areas.trust_center import TrustCenter
from portal.platform_api.errors import (
    Conflict,
    NotFound,
    PlatformError,
    RateLimited,
    Unavailable,
    UnexpectedAnswer,
    ValidationFailed,
)
from portal.sync.services.waits import wait_after
from portal.tenants.models import Membership, Role
from portal.tenants.scope import all_tenants

logger = logging.getLogger(__name__)

ROLE_LOST = "{} can no longer decide access requests. Someone else can decide this one."
MAX_AT_ONCE, MAX_SWEPT = 20, 500


class Pause(Exception):
    """Nothing else of this tenant would fare better now."""


def send_due(*, seconds: float = TASK_TIME_BUDGET_SECONDS) -> bool:
    """Send what is due in the tenant in scope, for as long as one turn takes; True when something is left to do at once."""
    deadline, accepted = time.monotonic() + seconds, list[Decision]()
    try:
        while time.monotonic() < deadline and (decision := claim()):
            if send(decision):
                accepted.append(decision)
    except Pause:
        pass
    confirm_accepted(accepted)
    return Decision.objects.due(timezone.now()).exists()


def claim() -> Decision | None:
    """Take the decision that is due longest. From here on it cannot be undone (guarantee W3)."""
    now = timezone.now()
    for decision in Decision.objects.due(now).select_related("access_request").order_by("send_at", "id")[:MAX_AT_ONCE]:
        taken = Decision.objects.due(now).unchanged_since(decision)
        values = {
            "state": DecisionState.SENDING,
            "lease_until": now + LEASE,
            "sent_at": now,
            "was_sent": True,
            "description": "",
        }
        if taken.update(**values, turn=F("turn") + 1, attempts=F("attempts") + 1):
            touch_areas(AREA)
            decision.is_in_doubt = decision.was_sent
            decision.state, decision.lease_until, decision.sent_at = DecisionState.SENDING, now + LEASE, now
            decision.turn, decision.attempts = decision.turn + 1, decision.attempts + 1
            return decision
    return None


def send(decision: Decision) -> bool:
    """Bring a claimed decision to an end, or put it off; True when the platform has accepted it just now."""
    try:
        # Counted for each that is sent: past so many the number moves nobody's turn.
        others = Decision.objects.due(timezone.now()).order_by()[:MAX_SWEPT].count()
        center = trust_center(client_for(Urgency.PERSON, Waiting(work=others + 1)))
        if decision.is_in_doubt and not _look_first(decision, center):
            return False
        if objection := _objection(decision):
            end(decision, DecisionState.FAILED, was_sent=False, description=objection)
            return False
        if not AccessRequest.objects.pending().filter(pk=decision.access_request_id).exists():
            end(decision, DecisionState.ELSEWHERE, was_sent=False)
            return False
        return _call(decision, center)
    except (RateLimited, TokenBusy) as error:
        _postpone_all(decision, error)
        raise Pause from error
    except REFUSALS as error:
        if decision.is_in_doubt:
            leave_open(decision)
        else:
            end(decision, DecisionState.FAILED, was_sent=False, description=why_not(error, decision))
    except Exception:  # a bug of ours: nobody knows what has left, so somebody looks
        logger.exception("decision %s failed", decision.pk)
        leave_open(decision)
    return False


def _objection(decision: Decision) -> str:
    """What has changed since it was decided, so that it must not leave."""
    if AccessRequest.objects.filter(pk=decision.access_request_id, gone_at__isnull=False).exists():
        return GONE
    # The role of this moment counts (guarantee S7); whoever has left the portal is nobody now.
    if not decision.is_by_rule and not _may_decide(decision.decided_by_id):
        return ROLE_LOST.format(decision.decided_by_name)
    if decision.second_by_name and not _may_decide(decision.second_by_id):
        return ROLE_LOST.format(decision.second_by_name)
    return ""


def _may_decide(user_id: int | None) -> bool:
    return user_id is not None and Membership.objects.who_may(Role.APPROVER).filter(user_id=user_id).exists()


def _look_first(decision: Decision, center: TrustCenter) -> bool:
    """A worker had it and died: see whether its call arrived. True when it did not, and can be sent."""
    try:
        found = verify_outcome(center, decision.access_request.platform_id)
    except NotFound:
        gone(decision, DecisionState.NEVER_CONFIRMED, GONE_IN_DOUBT)
        return False
    if found.is_open:
        decision.is_in_doubt = False
        return True
    end_by(decision, found)
    return False


def _call(decision: Decision, center: TrustCenter) -> bool:
    """Make the one call. Whatever comes back is settled here; what could not leave is tried again, or raised."""
    try:
        _send_off(decision, center)
    except (Unavailable, UnexpectedAnswer) as error:
        if not isinstance(error, Unavailable) or error.sent:
            record_no_answer(decision, center, error)
        elif decision.attempts < MAX_TRIES:
            _postpone(decision, error)
        else:
            raise
    except (NotFound, Conflict, ValidationFailed) as error:
        record_refusal(decision, center, error)
    else:
        return accept(decision)
    return False


def _send_off(decision: Decision, center: TrustCenter) -> None:
    platform_id = decision.access_request.platform_id
    if decision.verb == Verb.APPROVE:
        center.access_requests.approve(platform_id, **said(decision))
    elif decision.reason:
        center.access_requests.deny(platform_id, reason=decision.reason)
    else:
        center.access_requests.deny(platform_id)


def _postpone(decision: Decision, error: PlatformError) -> None:
    """Nothing has left. Let it wait, and let it be undone meanwhile, unless an earlier call of it may have arrived."""
    wait = wait_after(error, attempts=decision.attempts)
    until, still = timezone.now() + wait.delay, Decision.objects.unchanged_since(decision)
    values = {"attempts": decision.attempts, "description": wait.description}
    if decision.is_in_doubt:
        still.update(lease_until=until, **values)
    else:
        still.update(state=DecisionState.SCHEDULED, send_at=until, lease_until=None, was_sent=False, **values)
    touch_areas(AREA)


def _postpone_all(decision: Decision, error: PlatformError) -> None:
    """The platform asks everybody for a pause: no failure of this decision, and the others need not ask."""
    decision.attempts -= 1
    _postpone(decision, error)
    wait = wait_after(error, attempts=1)
    due = Decision.objects.scheduled().filter(send_at__lte=timezone.now())
    due.update(send_at=timezone.now() + wait.delay, description=wait.description)


def tenants_with_due_decisions() -> list[int]:
    """Return the tenants in which something is due to be sent, the longest waiting first."""
    with all_tenants("the sweep sends the decisions of every tenant"):
        due = Decision.objects.due(timezone.now()).order_by("send_at", "id").values_list("tenant_id", flat=True)
        return list(dict.fromkeys(due[:MAX_SWEPT]))
