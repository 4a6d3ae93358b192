"""What the platform's truth means for the decisions made here."""

from django.utils import timezone

from portal.access_requests.models import ACTIVE, FAILURES, OPEN, WAITING, AccessRequest, Decision, DecisionState
from portal.access_requests.services.decision_audit import record_decided_elsewhere, record_decision, record_decision_done
from portal.page_refresh.services import touch_areas

AREA = "access_requests"
GONE = "The platform says it has no such request. Nothing was decided."
GONE_IN_DOUBT = "The platform no longer has this request. It never confirmed the decision."
NOT_DONE = "The platform didn't answer and didn't do it. The request is still open there."


def lock_request(decision: Decision) -> None:
    """Lock the request that a decision is about, before the decision is changed. Call it in a transaction.

    Whoever stores the request begins with it too: the other way round, the two would wait for each other.
    """
    AccessRequest.objects.select_for_update().filter(pk=decision.access_request_id).values_list("pk").first()


def record_outcome(decision: Decision, state: DecisionState, *, was_sent: bool, description: str = "") -> bool:
    """Write down how a decision ended; False when somebody else has brought it further meanwhile. Call it in a transaction."""
    now = timezone.now()
    values = {"state": state, "was_sent": was_sent, "description": description[:300], "settled_at": now, "lease_until": None}
    lock_request(decision)
    if not Decision.objects.unchanged_since(decision).update(**values):
        return False
    decision.state, decision.was_sent, decision.description, decision.settled_at = state, was_sent, description[:300], now
    match state:
        case DecisionState.DONE:
            record_decision_done(decision)
        case DecisionState.ELSEWHERE:
            record_decision("too_late", decision, "Too late for {}. The request was already decided.")
        case DecisionState.FAILED:
            record_decision("not_made", decision, "Not made: {}.")
        case DecisionState.NEVER_CONFIRMED:
            record_decision("not_made", decision, "Not confirmed: {}.")
    touch(decision)
    return True


def touch(decision: Decision) -> None:
    """Let the open pages show what became of a decision."""
    AccessRequest.objects.filter(pk=decision.access_request_id).update(touched_at=timezone.now())
    touch_areas(AREA)


def record_observed_outcome(row: AccessRequest, *, was_settled: bool) -> bool:
    """Settle what was left open, now that the platform's state is known. True when something was settled."""
    if row.is_pending:
        return _settle_undecided(row)
    # A decision that is being sent right now is settled by whoever sends it: only that one knows the platform's answer.
    if any(_is_in_hand(decision) for decision in row.decisions.filter(state=DecisionState.SENDING)):
        return False
    has_settled = _settle_decided(row)
    if not was_settled and not row.decisions.filter(state=DecisionState.DONE).exists():
        record_decided_elsewhere(row)
    return has_settled


def record_gone(row: AccessRequest) -> None:
    """End what waits or is in doubt for a request that the platform no longer has. Whoever is sending one right now ends it."""
    for decision in row.decisions.filter(state__in=(*WAITING, *OPEN)):
        if decision.is_waiting:
            record_outcome(decision, DecisionState.FAILED, was_sent=False, description=GONE)
        elif not (decision.state == DecisionState.SENDING and _is_in_hand(decision)):
            record_outcome(decision, DecisionState.NEVER_CONFIRMED, was_sent=True, description=GONE_IN_DOUBT)


def _is_in_hand(decision: Decision) -> bool:
    now = timezone.now()
    return decision.lease_until > now if decision.lease_until else decision.is_recent(now)


def _settle_undecided(row: AccessRequest) -> bool:
    """Still open there: what has been without an answer for long did not happen. What waits here goes on waiting."""
    now = timezone.now()
    sent = row.decisions.filter(state__in=(*OPEN, DecisionState.DONE))
    late = [each for each in sent if not each.is_recent(now) and not (each.state == DecisionState.SENDING and each.lease_until)]
    for decision in late:
        record_outcome(decision, DecisionState.FAILED, was_sent=True, description=NOT_DONE)
    return bool(late)


def _settle_decided(row: AccessRequest) -> bool:
    """Decided there: by the latest decision from here that may have arrived and says the same, if there is one."""
    decisions = list(row.decisions.all())
    if any(each.state == DecisionState.DONE for each in decisions):
        return False
    unsure = [each for each in decisions if each.is_open or (each.state in FAILURES and each.was_sent)]
    made = next((each for each in unsure if each.expected_outcome == row.outcome), None)
    others = [each for each in decisions if each is not made and each.state in ACTIVE]
    for decision in others:
        record_outcome(decision, DecisionState.ELSEWHERE, was_sent=decision.is_open)
    if made:
        record_outcome(made, DecisionState.DONE, was_sent=True)
    return bool(made or others)
