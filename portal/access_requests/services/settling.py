"""What the platform's truth means for the decisions made here, and what is written down about them."""

from django.utils import timezone

from portal.access_requests.models import ACTIVE, AccessRequest, Decision, DecisionState, Verb
from portal.audit.models import Source
from portal.audit.services import record
from portal.live.services import changed

AREA = "access_requests"


def settle(decision: Decision, state: DecisionState, *, was_sent: bool) -> None:
    """Write down how a decision ended. Call it in a transaction."""
    decision.state, decision.was_sent, decision.settled_at = state, was_sent, timezone.now()
    decision.save(update_fields=["state", "was_sent", "settled_at"])
    AccessRequest.objects.filter(pk=decision.access_request_id).update(touched_at=timezone.now())
    if state == DecisionState.DONE:
        _write_down(decision)
    elif state == DecisionState.ELSEWHERE:
        _write_down_too_late(decision)
    changed(AREA)


def settle_by_truth(row: AccessRequest, *, was_settled: bool) -> bool:
    """Settle what was left open, now that the platform's state is known. True when something was settled."""
    if row.is_pending:
        return _settle_undecided(row)
    # A decision that is being sent right now is settled by whoever sends it: only that one knows the platform's answer.
    now = timezone.now()
    if any(decision.is_recent(now) for decision in row.decisions.filter(state=DecisionState.SENDING)):
        return False
    has_settled = _settle_decided(row)
    if not was_settled and not row.decisions.filter(state=DecisionState.DONE).exists():
        write_down_elsewhere(row)
    return has_settled


def _settle_undecided(row: AccessRequest) -> bool:
    """Still open there: what has been without an answer for long did not happen."""
    now = timezone.now()
    late = [decision for decision in row.decisions.filter(state__in=ACTIVE) if not decision.is_recent(now)]
    for decision in late:
        settle(decision, DecisionState.FAILED, was_sent=True)
    return bool(late)


def _settle_decided(row: AccessRequest) -> bool:
    """Decided there: by the latest decision from here that may have arrived and says the same, if there is one."""
    if row.decisions.filter(state=DecisionState.DONE).exists():
        return False
    unsure = [each for each in row.decisions.all() if each.is_open or (each.state == DecisionState.FAILED and each.was_sent)]
    made = next((each for each in unsure if each.expected_outcome == row.outcome), None)
    others = [each for each in unsure if each is not made and each.is_open]
    for decision in others:
        settle(decision, DecisionState.ELSEWHERE, was_sent=True)
    if made:
        settle(made, DecisionState.DONE, was_sent=True)
    return bool(made or others)


def _write_down(decision: Decision) -> None:
    record(
        f"access_request.{decision.verb}",
        target=("access_request", decision.access_request.platform_id[:100]),
        summary=f"{Verb(decision.verb).label} the access request from {_company(decision)}.",
        actor=decision.decided_by,
        source=Source.PERSON,
        details={"terms": decision.terms, "facts": decision.facts, "decided_at": decision.created_at.isoformat()},
    )


def _write_down_too_late(decision: Decision) -> None:
    record(
        "access_request.too_late",
        target=("access_request", decision.access_request.platform_id[:100]),
        summary=f"Tried to {decision.verb} the access request from {_company(decision)}; it had been decided already.",
        actor=decision.decided_by,
        source=Source.PERSON,
    )


def _company(decision: Decision) -> str:
    """Name where a request came from. The person's name and address stay out of the audit, which nobody can erase."""
    return str(decision.facts.get("company") or decision.facts.get("domain") or "somebody")[:150]


def write_down_elsewhere(row: AccessRequest) -> None:
    record(
        "access_request.decided_elsewhere",
        target=("access_request", row.platform_id[:100]),
        summary=f"{row.outcome_label} on the platform, not here.",
        source=Source.SYNC,
    )
