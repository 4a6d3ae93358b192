"""The second approval: one approver approves a request, another confirms that or rejects it with a reason."""

from typing import Any

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.utils import timezone

from portal.access_requests.models import Decision, DecisionState
from portal.access_requests.services.decision_audit import record_decision
from portal.access_requests.services.failures import SamePerson, TooLate
from portal.access_requests.services.outcomes import lock_request, touch
from portal.access_requests.services.scheduling import enqueue_sending, scheduled_columns
from portal.tenants.models import Membership, Role


@transaction.atomic
def confirm(decision: Decision, *, member: Membership) -> Decision:
    """Give the second approval: the decision is scheduled. Raises SamePerson, TooLate, PermissionDenied."""
    confirmed = _answer(decision, member, **scheduled_columns())
    record_decision("second", confirmed, f"Confirmed {{}}, first approved by {confirmed.decided_by_name}.", actor=member.user)
    enqueue_sending(confirmed.tenant_id)
    return confirmed


@transaction.atomic
def reject(decision: Decision, *, member: Membership, reason: str) -> Decision:
    """Turn a second approval down with a reason; the request is open again. Raises what `confirm` raises."""
    now = timezone.now()
    rejected = _answer(decision, member, state=DecisionState.REJECTED, description=reason[:300], settled_at=now)
    record_decision("reject", rejected, f"Rejected {{}}, first approved by {rejected.decided_by_name}.", actor=member.user)
    return rejected


def _answer(decision: Decision, member: Membership, **columns: Any) -> Decision:
    if not member.may(Role.APPROVER):
        raise PermissionDenied
    if decision.is_by(member.user):
        raise SamePerson
    lock_request(decision)
    # One statement: of two who answer, and of the platform's truth that comes meanwhile, one counts.
    asked = Decision.objects.awaiting_second().filter(pk=decision.pk)
    answered = asked.update(second_by=member.user, second_by_name=str(member.user)[:120], **columns)
    decision = Decision.objects.select_related("access_request").get(pk=decision.pk)
    if not answered:
        raise TooLate(decision)
    touch(decision)
    return decision
