"""Whoever ends a decision or answers it waits for who stores its request, and neither stops the other."""

import pytest
from django.db import transaction
from django.utils import timezone

from portal.access_requests.handlers import show_approvals
from portal.access_requests.models import AccessRequest, Decision, DecisionState, RuleVerdict, Viewer
from portal.access_requests.services import automatic_decisions, confirm, keep_viewers, undo
from portal.access_requests.services.answers import end
from portal.access_requests.services.rule_verdicts import apply_rules
from portal.access_requests.services.rules import current_book, lock_switch
from portal.access_requests.services.viewer_checks import check_viewers
from tests.access_requests.conftest import make, make_viewer
from tests.support.beside import Beside, beside_a_page

pytestmark = pytest.mark.django_db(transaction=True)

WORKS = {
    DecisionState.SCHEDULED: lambda decision, member: undo(decision, member=member),
    DecisionState.AWAITING_SECOND: lambda decision, member: confirm(decision, member=member),
    DecisionState.SENDING: lambda decision, member: end(decision, DecisionState.DONE, was_sent=True),
}


def requests() -> list[AccessRequest]:
    """Two of which the first one, in the table and by name, is the later one in the platform's order."""
    return [make("Alpha", platform_id="z", hours=2), make("Beta", platform_id="a", hours=1)]


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


def test_q6_verdicts_of_several_requests_and_a_page_of_them_do_not_meet_in_a_deadlock(running):
    beside_a_page(requests(), lambda: apply_rules(current_book()))
    assert RuleVerdict.objects.count() == 2


def test_q6_approvals_that_events_tell_and_a_page_of_requests_do_not_meet_in_a_deadlock(running):
    rows = requests()
    viewers = {row.platform_id: f"viewer-{row.pk}" for row in rows}
    beside_a_page(rows, lambda: transaction.atomic(show_approvals)(viewers))
    assert AccessRequest.objects.filter(outcome="APPROVED", is_provisional=True).count() == 2


LOOKS = {
    "kept": lambda member: keep_viewers([row.pk for row in Viewer.objects.all()], until=timezone.now(), word="", member=member),
    "checked": lambda _: check_viewers(),
}


@pytest.mark.parametrize("look", LOOKS)
def test_q6_what_is_noted_of_several_viewers_and_a_page_of_them_do_not_meet_in_a_deadlock(running, owner, look):
    rows = [make_viewer("Alpha", platform_id="z"), make_viewer("Beta", platform_id="a")]
    beside_a_page(rows, lambda: LOOKS[look](owner))
    noted = Viewer.objects.exclude(checked_at=None) if look == "checked" else Viewer.objects.exclude(kept_until=None)
    assert noted.count() == 2
