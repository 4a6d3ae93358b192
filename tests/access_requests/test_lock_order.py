"""Whoever ends a decision or answers it waits for who stores its request, and neither stops the other."""

import pytest
from django.db import transaction
from django.utils import timezone

from portal.access_requests.models import AccessRequest, Decision, DecisionState, RuleVerdict
from portal.access_requests.services import automatic_decisions, confirm, undo
from portal.access_requests.services.answers import end
from portal.access_requests.services.rules import lock_switch
from tests.access_requests.conftest import make
from tests.support.beside import Beside

pytestmark = pytest.mark.django_db(transaction=True)

WORKS = {
    DecisionState.SCHEDULED: lambda decision, member: undo(decision, member=member),
    DecisionState.AWAITING_SECOND: lambda decision, member: confirm(decision, member=member),
    DecisionState.SENDING: lambda decision, member: end(decision, DecisionState.DONE, was_sent=True),
}


@pytest.mark.parametrize("state", WORKS)
def test_q6_the_end_of_a_decision_and_its_request_do_not_meet_in_a_deadlock(running, owner, state):
    send_at = timezone.now() if state == DecisionState.SCHEDULED else None
    decision = Decision.objects.create(access_request=make("Northwind"), verb="deny", state=state, send_at=send_at)
    with transaction.atomic():
        # As who stores a request that was decided elsewhere: the request, then what waits for it here.
        AccessRequest.objects.select_for_update().get(pk=decision.access_request_id)
        beside = Beside(running.pk, lambda: WORKS[state](decision, owner))
        Decision.objects.filter(pk=decision.pk).update(settled_at=None)
    beside.wait()
    decision.refresh_from_db()
    assert decision.state != state


def test_q6_a_rule_that_waits_and_one_that_acts_do_not_meet_in_a_deadlock(running):
    verdict = RuleVerdict.objects.create(access_request=make("Northwind"), version=1)
    with transaction.atomic():
        # As who acts by a verdict.
        lock_switch()
        AccessRequest.objects.select_for_update().get(pk=verdict.access_request_id)
        beside = Beside(running.pk, lambda: automatic_decisions._wait(verdict, "Its copy is old."))
        RuleVerdict.objects.filter(pk=verdict.pk).update(acted_at=timezone.now())
    beside.wait()
    assert RuleVerdict.objects.get().waits == "Its copy is old."
