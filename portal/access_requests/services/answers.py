"""What became of a call: known by its answer, or by looking; never guessed (guarantee W1)."""

from django.db import transaction

from portal.access_requests.models import AccessRequest, Decision, DecisionState
from portal.access_requests.refusals import error_message
from portal.access_requests.services.outcomes import GONE, GONE_IN_DOUBT, record_outcome
from portal.access_requests.services.store import store_access_request
from portal.access_requests.services.verification import FetchedRequest, refresh_request, verify_outcome
from portal.connections.services.calls import reserved_calls
from portal.platform_api.areas.trust_center import TrustCenter
from portal.platform_api.errors import NotFound, PlatformError


@transaction.atomic
def accept(decision: Decision) -> bool:
    """The platform has said so. It is shown like that until it has been read back."""
    if not record_outcome(decision, DecisionState.DONE, was_sent=True):
        return False
    row = AccessRequest.objects.pending().filter(pk=decision.access_request_id)
    row.update(outcome=decision.expected_outcome, is_provisional=True)
    return True


def record_no_answer(decision: Decision, center: TrustCenter, error: PlatformError) -> None:
    """No usable answer: look."""
    try:
        with reserved_calls():
            found = verify_outcome(center, decision.access_request.platform_id)
    except NotFound:
        gone(decision, DecisionState.NEVER_CONFIRMED, GONE_IN_DOUBT)
        return
    except PlatformError:
        leave_open(decision)
        return
    if not found.is_open:
        end_by(decision, found)
    elif error.status is None:
        # Without any answer the call may still be on its way: it counts as open until it can be no more.
        leave_open(decision, found)
    else:
        end(decision, DecisionState.FAILED, was_sent=True, found=found, description=why_not(error, decision))


def record_refusal(decision: Decision, center: TrustCenter, error: PlatformError) -> None:
    """Refused for certain: either somebody was faster (platform-api U16) or the terms are not accepted."""
    try:
        with reserved_calls():
            found = verify_outcome(center, decision.access_request.platform_id)
    except NotFound:
        gone(decision, DecisionState.FAILED, GONE)
        return
    except PlatformError:
        end(decision, DecisionState.FAILED, was_sent=False, description=why_not(error, decision))
        refresh_request(decision.access_request)
        return
    if found.is_open:
        end(decision, DecisionState.FAILED, was_sent=False, found=found, description=why_not(error, decision))
    else:
        end(decision, DecisionState.ELSEWHERE, was_sent=False, found=found)


def end_by(decision: Decision, found: FetchedRequest) -> None:
    """Decided there, and the call may have arrived: by this decision, if it says the same."""
    is_made = found.remote.outcome == decision.expected_outcome
    end(decision, DecisionState.DONE if is_made else DecisionState.ELSEWHERE, was_sent=True, found=found)


def leave_open(decision: Decision, found: FetchedRequest | None = None) -> None:
    end(decision, DecisionState.UNCONFIRMED, was_sent=True, found=found)
    refresh_request(decision.access_request)


@transaction.atomic
def end(
    decision: Decision, state: DecisionState, *, was_sent: bool, found: FetchedRequest | None = None, description: str = ""
) -> None:
    if record_outcome(decision, state, was_sent=was_sent, description=description) and found:
        store_access_request(found)


@transaction.atomic
def gone(decision: Decision, state: DecisionState, description: str) -> None:
    """End a decision on a request that the platform says it does not have. A 404 may pass (guarantee Q15): look again."""
    if record_outcome(decision, state, was_sent=True, description=description):
        refresh_request(decision.access_request)


def why_not(error: Exception, decision: Decision) -> str:
    return error_message(error, slug=decision.tenant.slug)
