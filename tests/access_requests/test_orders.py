"""W3: whatever happens in whatever order to one request, exactly one outcome comes of it, and nothing is sent twice."""

from contextlib import suppress
from datetime import timedelta

import pytest
from django.db import transaction
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from portal.access_requests import services
from portal.access_requests.handlers import show_approvals
from portal.access_requests.models import FULL, LEASE, AccessRequest, Decision, DecisionState, Verb
from portal.access_requests.services import Terms
from portal.access_requests.services.due_decisions import claim, send
from portal.access_requests.services.store import store_access_request
from portal.access_requests.services.verification import verify_outcome
from portal.connections.models import CallWindow
from portal.connections.services import Urgency, client_for, trust_center
from portal.tenants.models import Role
from tests.access_requests.conftest import let_leave
from tests.support.members import find_member

STEPS = ("approve", "deny", "undo", "wait", "claim", "die", "send", "approved", "denied", "event", "fetch")
OVER = {"undone", "done", "elsewhere", "failed", "declined"}


class World:
    """One request, two people and a worker."""

    def __init__(self, desk, alice, other):
        self.desk, self.row = desk, desk.waiting
        self.people = {"approve": find_member(user=alice), "deny": find_member(user=other)}
        self.claimed = None

    def do(self, step: str) -> None:
        CallWindow.objects.all().delete()
        getattr(self, step)()

    def approve(self) -> None:
        self._hold("approve", terms=Terms(access_level=FULL))

    def deny(self) -> None:
        self._hold("deny")

    def _hold(self, verb: str, **how) -> None:
        with suppress(services.BeingDecided, services.DecidedElsewhere):
            services.schedule_decision(self.row, verb=Verb(verb), member=self.people[verb], **how)

    def undo(self) -> None:
        for decision in Decision.objects.waiting():
            services.undo(decision, member=self.people["deny"])

    def wait(self) -> None:
        Decision.objects.scheduled().update(send_at=timezone.now())

    def claim(self) -> None:
        self.claimed = claim() or self.claimed

    def die(self) -> None:
        self.claimed = None
        past = timezone.now() - LEASE - timedelta(seconds=1)
        Decision.objects.filter(state=DecisionState.SENDING).update(lease_until=timezone.now(), sent_at=past)

    def send(self) -> None:
        if self.claimed:
            send(self.claimed)
            self.claimed = None

    def approved(self) -> None:
        self._happen("approved")

    def denied(self) -> None:
        self._happen("denied")

    def _happen(self, event: str) -> None:
        if self.outcome_there == "PENDING":
            self.desk.happen(event, self.row)

    def event(self) -> None:
        if self.outcome_there == "APPROVED":
            with transaction.atomic():
                show_approvals({self.row.platform_id: "v1"})

    def fetch(self) -> None:
        found = verify_outcome(trust_center(client_for(Urgency.PERSON)), self.row.platform_id)
        with transaction.atomic():
            store_access_request(found)

    @property
    def outcome_there(self) -> str:
        decided = self.desk.there("historical-access-requests").get(self.row.platform_id)
        return decided["outcome"] if decided else "PENDING"


@pytest.fixture
def make_world(desk, alice, member):
    other = member(Role.APPROVER)
    return lambda: World(desk, alice, other)


def test_w3_any_order_of_hold_undo_claim_death_and_event_has_one_outcome(make_world):
    @settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
    @given(st.lists(st.sampled_from(STEPS), min_size=3, max_size=9))
    def run(steps):
        world = make_world()
        sent = len(world.desk.decisions_sent())
        for step in steps:
            world.do(step)
            assert Decision.objects.active().count() <= 1
        for step in ("die", "wait"):
            world.do(step)
        let_leave()
        world.do("fetch")
        row = AccessRequest.objects.get(pk=world.row.pk)
        assert row.outcome == world.outcome_there
        assert set(Decision.objects.values_list("state", flat=True)) <= OVER
        done = list(Decision.objects.filter(state=DecisionState.DONE))
        assert [each.expected_outcome for each in done] in ([], [row.outcome])
        calls = len(world.desk.decisions_sent()) - sent
        assert calls <= Decision.objects.exclude(state=DecisionState.UNDONE).count()
        if not done and row.outcome != "PENDING":
            assert "approved" in steps or "denied" in steps
        Decision.objects.all().delete()
        if row.outcome == "PENDING":
            world.desk.happen("denied", world.row)
            world.do("fetch")
        world.desk.happen("received")
        world.desk.fetch()

    run()
